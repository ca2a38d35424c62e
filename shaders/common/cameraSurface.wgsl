// How surfaces look through a pixel: walls, what is painted on the ground, the backdrop. Both rasterisers colour with it.

@group(0) @binding(0) var<uniform> rig: CameraRig;
@group(0) @binding(1) var<storage, read> views: array<vec4f>;        // as in cameraScene.wgsl
@group(0) @binding(2) var<storage, read> instances: array<vec4u>;    // [view, instance, Placed]

/// Are pictures large enough to show the patterns of the ground?
override hasPatterns: bool;

/// What a pixel's polygon says of it.
struct Surface {
  colour: vec3f,   // shaded, without haze
  mark: u32,       // of a wall: the axis it looks along; of the ground: its layer
  swing: u32,      // of Placed
  pose: vec4f,     // last four of Placed; of the backdrop: the eye's place within 64 m, the camera's heading
}

/// How much light a shadow takes.
const SHADE = 0.38;

/// The ray through a place in the picture, one metre deep: ahead, right, up in the world's level axes.
fn rayThrough(place: vec2f) -> vec3f {
  let slopes = place * (1.0 / rig.focal);
  return vec3f(rig.pitchCosine - rig.pitchSine * slopes.y, slopes.x, rig.pitchSine + rig.pitchCosine * slopes.y);
}

fn groundDepth(ray: vec3f) -> f32 {
  return -rig.eyeHeight / ray.z;
}

/// Where (ahead, right) of the eye is in the axes of the thing, metres.
fn onSurface(pose: vec4f, place: vec2f) -> vec2f {
  return vec2f(dot(place, pose.xy), dot(place, vec2f(-pose.y, pose.x))) + pose.zw;
}

/// An inexpensive noise in 0..1, one value per whole number pair.
fn speckle(place: vec2f) -> f32 {
  let cell = toInteger(floor(place));
  var bits = bitcast<u32>(cell.x * 374761393 + cell.y * 668265263);
  bits = (bits ^ (bits >> 13u)) * 1274126177u;
  return f32(bitcast<i32>((bits >> 16u) & 255u)) * (1.0 / 255.0);
}

// Buildings: storeys of windows, a taller ground floor, a cornice.

const STOREY = 3.4;
const BAY = 2.6;
const GROUND_FLOOR = 4.2;

/// Mark of a face that looks along x, or up.
const LOOKS_AHEAD = 0u;
const LOOKS_UP = 2u;

fn wallColour(surface: Surface, ray: vec3f, depth: f32) -> vec3f {
  let facesAhead = surface.mark == LOOKS_AHEAD;
  let way = select(surface.pose.xy, vec2f(-surface.pose.y, surface.pose.x), facesAhead);
  let along = dot(ray.xy, way) * depth + select(surface.pose.z, surface.pose.w, facesAhead);
  let height = ray.z * depth + rig.eyeHeight;
  let isGround = height < GROUND_FLOOR;
  let place = vec2f(along * (1.0 / BAY), select((height - GROUND_FLOOR) * (1.0 / STOREY), height * (1.0 / GROUND_FLOOR), isGround));
  let cell = floor(place);
  let inBay = place - cell;
  let isPane = abs(inBay.x - 0.5) < 0.3 && inBay.y > select(0.28, 0.12, isGround) && inBay.y < 0.82;
  let own = speckle(vec2f(cell.x + bitcast<f32>(surface.swing), cell.y));
  let glass = vec3f(0.20, 0.27, 0.35) + vec3f(0.25, 0.30, 0.33) * (own * own);
  let wall = surface.colour * select(1.0, 0.8, inBay.y > 0.95);
  let average = mix(surface.colour, GLASS, GLASS_SHARE);
  let sharp = windowSharpness(depth);
  let windows = average * (1.0 - sharp) + select(wall, glass, isPane) * sharp;
  return throughHaze(select(windows, surface.colour, surface.mark == LOOKS_UP), depth);
}

// What is painted on the ground: roads with their lines, sidewalks with their slabs, zebras, oil and water.

const LINE = vec3f(0.88, 0.88, 0.84);
const MIDDLE_LINE = vec3f(0.90, 0.72, 0.20);

/// How far lines stop before the end of a road: behind the zebra, which is 7 m from the junction and 4.2 m wide.
const SET_BACK = 9.6;

fn isOnRoadLine(along: f32, lateral: f32, length: f32) -> bool {
  let inside = min(along, length - along);
  if (inside < SET_BACK) { return false; }
  // Stop lines, across the lane that ends there: traffic keeps to the right.
  if (along < SET_BACK + 0.5) { return lateral < -0.1 && lateral > -4.8; }
  if (length - along < SET_BACK + 0.5) { return lateral > 0.1 && lateral < 4.8; }
  return abs(abs(lateral) - 4.75) < 0.07;
}

/// Rises and falls between 0 and 1 once a turn.
fn wave(turns: f32) -> f32 {
  return abs(2.0 * fract(turns) - 1.0);
}

/// Of patterns: so many pixels from a metre away are as many as they need from there.
const FINE = 22.0;
const COARSE = 12.0;

/// How clearly a pattern of the ground is seen: 0 where its parts are smaller than a pixel.
fn patternSharpness(depth: f32, grain: f32) -> f32 {
  return select(0.0, clamp(1.4 - depth * grain / rig.focal, 0.0, 1.0), hasPatterns);
}

fn groundColour(surface: Surface, ray: vec3f) -> vec3f {
  let depth = groundDepth(ray);
  var colour = surface.colour;
  let place = onSurface(surface.pose, ray.xy * depth);
  let length = bitcast<f32>(surface.swing);
  let sharp = patternSharpness(depth, FINE);
  if (surface.mark == ROAD) {
    if (hasPatterns) { colour *= 0.97 + 0.06 * sharp * (speckle(place * 3.0) - 0.5); }
    let inside = min(place.x, length - place.x);
    if (isOnRoadLine(place.x, place.y, length)) { colour = LINE; }
    if (inside > SET_BACK + 1.0 && abs(place.y) < 0.09 && fract(place.x * (1.0 / 3.0)) < 0.6) { colour = MIDDLE_LINE; }
  }
  if (hasPatterns && surface.mark == SIDEWALK) {
    let joint = fract(place);
    let isJoint = joint.x < 0.035 || joint.y < 0.035;
    colour *= 1.0 + sharp * (select(0.0, -0.16, isJoint) + 0.05 * (speckle(place) - 0.5));
  }
  if (surface.mark > ROAD) {
    let stripe = fract(place.x);
    if (surface.mark == ZEBRA && stripe > 0.24 && stripe < 0.76) { colour = LINE * 1.04; }
    // A dark film with a violet and green sheen in rings.
    let ring = dot(place, place) * 3.0 + place.x;
    if (surface.mark == OIL) { colour += vec3f(0.05, 0.02, 0.07) * wave(ring) + vec3f(0.0, 0.05, 0.03) * wave(ring + 0.3); }
    let crest = wave(place.x * 2.2 + wave(place.y * 1.4) * 0.5);
    if (surface.mark == WATER) { colour += vec3f(0.16, 0.18, 0.18) * max(crest - 0.775, 0.0) * sharp * 4.0; }
  }
  return throughHaze(colour, depth);
}

// The backdrop: sky above the horizon, open ground below it.

const OPEN_GROUND_ID = 1u;

fn isSky(ray: vec3f) -> bool {
  return ray.z >= -0.001;
}

fn backdropColour(pose: vec4f, ray: vec3f) -> vec3f {
  if (isSky(ray)) {
    let height = clamp(ray.z * inverseSqrt(dot(ray, ray)) * 2.2, 0.0, 1.0);
    return mix(vec3f(0.80, 0.87, 0.94), vec3f(0.33, 0.56, 0.86), height);
  }
  let depth = groundDepth(ray);
  var colour = vec3f(0.42, 0.50, 0.33);
  let sharp = patternSharpness(depth, COARSE);
  if (hasPatterns) {
    let heading = pose.zw;
    let place = pose.xy + (heading * ray.x + vec2f(-heading.y, heading.x) * ray.y) * depth;
    colour *= 1.0 + 0.14 * sharp * (speckle(place * 2.0) - 0.5);
  }
  return throughHaze(colour, depth);
}
