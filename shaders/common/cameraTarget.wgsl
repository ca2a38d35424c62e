// What the vertex kernels give and what the fragment kernels write. A pass for colour alone has no targets for the rest.
// Depths are not interpolated: each triangle has its plane, and a fragment works its depth out from its pixel's place in the
// picture, so that it is the same in every tile.

@group(0) @binding(3) var<storage, read> triangles: array<vec4u>;    // as in cameraTriangles.wgsl

/// Words, some of them the bits of floats: the same at the three corners of a triangle.
struct Tiled {
  @builtin(position) position: vec4f,
  @location(0) @interpolate(flat, either) plane: vec4u,    // plane and colour, as in cameraShape.wgsl
  @location(1) @interpolate(flat, either) marks: vec4u,    // middle of the tile in pixels, segmentation id, `swing` of Placed
  @location(2) @interpolate(flat, either) pose: vec4u,     // as in Surface
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
  return unpackColour(tiled.plane.w);
}

fn surfaceOf(tiled: Tiled) -> Surface {
  return Surface(ownColour(tiled), tiled.plane.w >> 24u, tiled.marks.w, bitcast<vec4f>(tiled.pose));
}
