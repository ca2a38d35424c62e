// Turns the faces of each view's instances into what its picture is filled with: transformed, culled, clipped to the picture,
// snapped to a grid of 1/16 pixel, coloured. One thread per view, so that their order is fixed. Everything is worked out in
// the picture's own coordinates, so that a view gives the same picture wherever it goes (docs/camera.md). Joined with
// cameraTriangles.wgsl or cameraPolygons.wgsl, which keep what comes out.

@group(0) @binding(0) var<uniform> rig: CameraRig;
@group(0) @binding(1) var<uniform> viewCount: vec4u;
@group(0) @binding(2) var<uniform> palette: array<vec4u, 32>;             // [paint]: a colour's bytes, and 1 above them where it shines
@group(0) @binding(3) var<storage, read> faces: array<vec4u>;             // [face, 2]: src/kernels/camera/meshBuilder.ts
@group(0) @binding(4) var<storage, read> views: array<vec4f>;             // as in cameraScene.wgsl
@group(0) @binding(5) var<storage, read> instances: array<vec4u>;         // [view, instance, Placed]
@group(0) @binding(6) var<storage, read_write> sightings: array<u32>;     // read: how many [view]; the rest keeps faces that are to be clipped

/// Towards the sun.
const SUN = vec3f(0.42, -0.36, 0.83);

/// Corners of a quad that five planes have cut, twice: before and after a plane.
const OUTLINE = 10u;

struct Plane {
  inverse: vec3f,      // of the depth: a sum of pixels right and up from the middle, and 1
  colour: u32,
}

var<private> view: u32;
var<private> rows: array<vec4f, 3>;
var<private> swing: f32;
var<private> paints: u32;
var<private> sun: vec3f;
var<private> up: vec3f;
var<private> polygon: array<vec3f, 20>;

/// `place` of a mesh in pixels times depth from the middle of the picture, and depth.
fn corner(place: vec3f, limb: vec2f) -> vec3f {
  // A swing is a small angle: sine and cosine as polynomials.
  let angle = swing * limb.x;
  let sine = angle * (1.0 - angle * angle * 0.1667);
  let cosine = 1.0 - angle * angle * 0.5;
  let below = place.z - limb.y;
  let swung = vec4f(place.x * cosine - below * sine, place.y, limb.y + place.x * sine + below * cosine, 1.0);
  return vec3f(dot(rows[0], swung), dot(rows[1], swung), dot(rows[2], swung));
}

fn low(word: u32) -> f32 {
  return f32(bitcast<i32>(word << 16u) >> 16u) * (1.0 / FACE_SCALE);
}

fn high(word: u32) -> f32 {
  return f32(bitcast<i32>(word) >> 16u) * (1.0 / FACE_SCALE);
}

var<private> corners: array<vec3f, 4>;
var<private> facePaint: u32;
var<private> axis: u32;

fn loadFace(face: u32) {
  let a = faces[face * 2u];
  let b = faces[face * 2u + 1u];
  let parts = vec4u(b.z, b.z >> 8u, b.z >> 16u, b.z >> 24u) & vec4u(255u);
  facePaint = parts.x;
  axis = parts.w;
  let limb = vec2f((f32(parts.y) - 128.0) * (1.0 / 127.0), f32(parts.z) * 0.01);
  corners[0] = corner(vec3f(low(a.x), high(a.x), low(a.y)), limb);
  corners[1] = corner(vec3f(high(a.y), low(a.z), high(a.z)), limb);
  corners[2] = corner(vec3f(low(a.w), high(a.w), low(b.x)), limb);
  corners[3] = corner(vec3f(high(b.x), low(b.y), high(b.y)), limb);
}

fn loadInstance(place: u32) -> vec4u {
  rows[0] = bitcast<vec4f>(instances[place * PLACED]);
  rows[1] = bitcast<vec4f>(instances[place * PLACED + 1u]);
  rows[2] = bitcast<vec4f>(instances[place * PLACED + 2u]);
  let rest = instances[place * PLACED + 3u];
  swing = bitcast<f32>(rest.x);
  paints = rest.y;
  return rest;
}

/// A wall on which no window can be told from another is drawn as things are, in one colour.
fn listOf(list: u32) -> u32 {
  let nearest = min(min(corners[0].z, corners[1].z), min(corners[2].z, corners[3].z));
  return select(list, LIST_object, list == LIST_building && nearest > 0.0 && windowSharpness(nearest) == 0.0);
}

/// Twice the area of the face with its normal, pointing outwards: away from the eye where the face looks away.
fn normalOf() -> vec3f {
  return cross(corners[1] - corners[0], corners[2] - corners[0]);
}

fn planeOf(normal: vec3f, kind: u32) -> Plane {
  // Stretched by the focal length, a normal is squeezed by it.
  let outwards = normalize(normal * vec3f(rig.focal, rig.focal, 1.0));
  let light = 0.52 + 0.16 * dot(outwards, up) + 0.42 * max(dot(outwards, sun), 0.0);
  let paint = select(facePaint, (paints >> ((facePaint & 3u) * 8u)) & 255u, facePaint >= 124u);
  let shade = palette[(paint >> 2u) & 31u][paint & 3u];
  var colour = unpackColour(shade) * select(light, 1.0, shade >> 24u != 0u);
  let list = listOf(kind);
  if (list != kind) { colour = mix(colour, GLASS, GLASS_SHARE); }
  if (list == LIST_object) { colour = throughHaze(colour, 0.5 * (corners[0].z + corners[2].z)); }
  let mark = select(axis, paints >> 24u, list >= LIST_ground);
  return Plane(normal / dot(normal, corners[0]), packColour(colour) | (mark << 24u));
}

/// A bit for each plane of the view that a corner is beyond.
fn beyond(place: vec3f) -> u32 {
  let wide = rig.halfWidth * place.z;
  let tall = rig.halfHeight * place.z;
  return select(0u, 1u, place.z < rig.near)
    | select(0u, 2u, place.x < -wide)
    | select(0u, 4u, place.x > wide)
    | select(0u, 8u, place.y < -tall)
    | select(0u, 16u, place.y > tall);
}

/// On the grid, from the upper left corner of the picture.
fn snap(place: vec3f) -> vec2i {
  let scale = 1.0 / place.z;
  let pixel = vec2f(rig.halfWidth + place.x * scale, rig.halfHeight - place.y * scale);
  let size = vec2i(vec2u(rig.width, rig.height)) * GRID;
  return clamp(toInteger(pixel * f32(GRID)), vec2i(0), size);
}

/// Pixels whose middles are the first and the last between two places on the grid.
fn firstMiddle(low: vec2i) -> vec2i {
  return (low + vec2i(HALF_PIXEL - 1)) >> vec2u(GRID_SHIFT);
}

fn lastMiddle(high: vec2i) -> vec2i {
  return (high - vec2i(HALF_PIXEL)) >> vec2u(GRID_SHIFT);
}

fn coversMiddles(low: vec2i, high: vec2i) -> bool {
  return all(firstMiddle(low) <= lastMiddle(high));
}

/// Twice the area of a triangle, above zero if its corners go around as those of faces do that are seen.
fn doubleArea(a: vec2i, b: vec2i, c: vec2i) -> i32 {
  let ab = b - a;
  let ac = c - a;
  return ab.x * ac.y - ab.y * ac.x;
}

/// One of the view's planes: what a place's distance from it is made of, inside above zero.
fn planeOfView(number: u32) -> vec4f {
  let side = select(-1.0, 1.0, (number & 1u) != 0u);
  let isWide = number == 1u || number == 2u;
  let sides = vec4f(select(0.0, side, isWide), select(side, 0.0, isWide), select(rig.halfHeight, rig.halfWidth, isWide), 0.0);
  return select(sides, vec4f(0.0, 0.0, 1.0, -rig.near), number == 0u);
}

fn distanceFrom(plane: vec4f, place: vec3f) -> f32 {
  return dot(plane.xyz, place) + plane.w;
}

/// Cuts the face by the planes of the view that a corner is beyond, a bit each; returns where in `polygon` the rest begins, and its number of corners.
fn clip(beyondPlanes: u32) -> vec2u {
  for (var place = 0u; place < 4u; place++) { polygon[place] = corners[place]; }
  var start = 0u;
  var count = 4u;
  var left = beyondPlanes;
  loop {
    // The lowest of the bits is the next plane's.
    let plane = planeOfView(countOneBits((left & (~left + 1u)) - 1u));
    left &= left - 1u;
    let to = OUTLINE - start;
    var kept = 0u;
    var before = polygon[start + max(count, 1u) - 1u];
    var distanceBefore = distanceFrom(plane, before);
    var place = 0u;
    loop {
      let here = polygon[start + place];
      let distance = distanceFrom(plane, here);
      if (place < count && (distance >= 0.0) != (distanceBefore >= 0.0) && kept < OUTLINE) {
        polygon[to + kept] = mix(before, here, distanceBefore / (distanceBefore - distance));
        kept++;
      }
      if (place < count && distance >= 0.0 && kept < OUTLINE) {
        polygon[to + kept] = here;
        kept++;
      }
      before = here;
      distanceBefore = distance;
      continuing {
        place++;
        break if place >= count;
      }
    }
    start = to;
    count = kept;
    continuing { break if left == 0u; }
  }
  return vec2u(start, count);
}

@compute @workgroup_size(8)
fn cameraShape(@builtin(global_invocation_id) thread: vec3u) {
  view = thread.x;
  if (view >= viewCount.x) { return; }
  up = vec3f(0.0, rig.pitchCosine, rig.pitchSine);
  sun = vec3f(dot(views[view * 4u].xyz, SUN), dot(views[view * 4u + 1u].xyz, SUN), dot(views[view * 4u + 2u].xyz, SUN));
  beginView();

  // Every turn of the loop does a face, whatever its instance: threads of a vector stay together.
  let first = view * SIGHT_LIMIT;
  let kept = VIEW_LIMIT + first;
  let count = sightings[view];
  var clipped = 0u;
  var place = 0u;
  var face = 0u;
  var end = 0u;
  var list = 0u;
  loop {
    if (face == end) {
      if (place == count) { break; }
      let range = loadInstance(first + place).w;
      place++;
      face = range & FACE_MASK;
      end = face + ((range >> FACE_BITS) & FACE_MASK);
      list = range >> LIST_SHIFT;
    }
    loadFace(face);
    let normal = normalOf();
    let outside = vec4u(beyond(corners[0]), beyond(corners[1]), beyond(corners[2]), beyond(corners[3]));
    if (dot(normal, corners[0]) < 0.0 && (outside.x & outside.y & outside.z & outside.w) == 0u) {
      if ((outside.x | outside.y | outside.z | outside.w) != 0u) {
        // To be clipped later, with others. This overwrites sightings, which are used up.
        if (clipped < SIGHT_LIMIT) {
          sightings[kept + clipped] = face | ((place - 1u) << FACE_BITS);
          clipped++;
        }
      } else {
        keep(list, first + place - 1u, snap(corners[0]), snap(corners[1]), snap(corners[2]), snap(corners[3]));
      }
    }
    face++;
  }

  var index = 0u;
  loop {
    let entry = sightings[kept + index];
    let instance = first + (entry >> FACE_BITS);
    list = loadInstance(instance).w >> LIST_SHIFT;
    loadFace(entry & FACE_MASK);
    var rest = clip(beyond(corners[0]) | beyond(corners[1]) | beyond(corners[2]) | beyond(corners[3]));
    if (index >= clipped) { rest.y = 0u; }
    let a = snap(polygon[rest.x]);
    var b = snap(polygon[rest.x + 1u]);
    var fan = 2u;
    loop {
      let c = snap(polygon[rest.x + min(fan, OUTLINE - 1u)]);
      let d = snap(polygon[rest.x + max(min(fan + 1u, rest.y - 1u), 1u)]);
      if (fan < rest.y) { keep(list, instance, a, b, c, d); }
      b = d;
      continuing {
        fan += 2u;
        break if fan >= rest.y;
      }
    }
    continuing {
      index++;
      break if index >= clipped;
    }
  }
  endView();
}
