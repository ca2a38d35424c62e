// What the vertex kernels read and what the fragment kernels write. A pass for colour alone has no targets for the rest.

@group(0) @binding(0) var<uniform> rig: CameraRig;
@group(0) @binding(1) var<storage, read> views: array<vec4f>;      // as in cameraScene.wgsl
@group(0) @binding(2) var<storage, read> instances: array<vec4u>;  // [instance, Placed]
@group(0) @binding(3) var<storage, read> bases: array<u32>;        // [mesh], or [view + 1, mesh] one by one
@group(0) @binding(4) var<uniform> palette: array<vec4f, 128>;     // colour, and 1 where it shines by itself
@group(1) @binding(0) var<uniform> drawn: vec4u;                   // first of the bases, first view

struct Pixel {
  @location(0) colour: vec4f,
  @location(1) depth: f32,    // metres along the camera's axis, 0: sky
  @location(2) id: u32,
}

const HAZE = vec3f(0.72, 0.80, 0.88);

fn throughHaze(colour: vec3f, depth: f32) -> vec3f {
  return mix(colour, HAZE, min(depth * 0.0022, 0.75));
}

/// An inexpensive noise in 0..1, one value per whole number pair.
fn speckle(place: vec2f) -> f32 {
  let cell = vec2i(floor(place));
  var bits = bitcast<u32>(cell.x * 374761393 + cell.y * 668265263);
  bits = (bits ^ (bits >> 13u)) * 1274126177u;
  return f32((bits >> 16u) & 255u) * (1.0 / 255.0);
}
