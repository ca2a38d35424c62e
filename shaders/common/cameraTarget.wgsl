// What the vertex kernels read and what the fragment kernels write. A pass for colour alone has no targets for the rest.
// Depths are not interpolated: each triangle has its plane, and a fragment works its depth out from its pixel's place in the
// picture, so that it is the same in every tile.

@group(0) @binding(0) var<uniform> rig: CameraRig;
@group(0) @binding(1) var<storage, read> views: array<vec4f>;        // as in cameraScene.wgsl
@group(0) @binding(2) var<storage, read> instances: array<vec4u>;    // [view, instance, Placed]
@group(0) @binding(3) var<storage, read> triangles: array<vec4u>;    // as in cameraShape.wgsl

/// Are pictures large enough to show the patterns of the ground?
override hasPatterns: bool;

/// Words, some of them the bits of floats: the same at the three corners of a triangle.
struct Tiled {
  @builtin(position) position: vec4f,
  @location(0) @interpolate(flat, either) plane: vec4u,    // plane and colour, as in cameraShape.wgsl
  @location(1) @interpolate(flat, either) marks: vec4u,    // middle of the tile in pixels, segmentation id, `swing` of Placed
  @location(2) @interpolate(flat, either) surface: vec4u,  // last four of Placed
}

struct Pixel {
  @location(0) colour: vec4f,
  @location(1) depth: f32,    // metres along the camera's axis, 0: sky
  @location(2) id: u32,
}

/// `Pixel` of what stands: nearer ones hide it.
struct Solid {
  @builtin(frag_depth) nearness: f32,
  @location(0) colour: vec4f,
  @location(1) depth: f32,
  @location(2) id: u32,
}

/// The depth buffer has 1 at the near plane and 0 without end. On the ground it has the layer instead: what lies higher
/// hides what lies lower, whichever is drawn first, and anything that stands hides both.
const LAYER = 0.00000095367431640625;  // 2^-20

fn inAtlas(pixel: vec2f, nearness: f32) -> vec4f {
  return vec4f(clamp(vec2f(pixel.x * rig.scaleX - 1.0, 1.0 - pixel.y * rig.scaleY), vec2f(-1.0), vec2f(1.0)), nearness, 1.0);
}

/// A pixel's place from the middle of its picture, to the right and up.
fn placeInPicture(tiled: Tiled) -> vec2f {
  return (tiled.position.xy - bitcast<vec2f>(tiled.marks.xy)) * vec2f(1.0, -1.0);
}

/// One over the depth of the triangle at a place in the picture.
fn nearnessAt(tiled: Tiled, place: vec2f) -> f32 {
  let plane = bitcast<vec3f>(tiled.plane.xyz);
  return plane.x * place.x + plane.y * place.y + plane.z;
}

fn ownColour(tiled: Tiled) -> vec3f {
  return unpack4x8unorm(tiled.plane.w).rgb;
}

/// The ray through a place in the picture, one metre deep: ahead, right, up in the world's level axes.
fn rayThrough(place: vec2f) -> vec3f {
  let slopes = place * (1.0 / rig.focal);
  return vec3f(rig.pitchCosine - rig.pitchSine * slopes.y, slopes.x, rig.pitchSine + rig.pitchCosine * slopes.y);
}

/// Where (ahead, right) of the eye is in the axes of the thing, metres.
fn onSurface(tiled: Tiled, place: vec2f) -> vec2f {
  let surface = bitcast<vec4f>(tiled.surface);
  return vec2f(dot(place, surface.xy), dot(place, vec2f(-surface.y, surface.x))) + surface.zw;
}

/// An inexpensive noise in 0..1, one value per whole number pair.
fn speckle(place: vec2f) -> f32 {
  let cell = vec2i(floor(place));
  var bits = bitcast<u32>(cell.x * 374761393 + cell.y * 668265263);
  bits = (bits ^ (bits >> 13u)) * 1274126177u;
  return f32((bits >> 16u) & 255u) * (1.0 / 255.0);
}
