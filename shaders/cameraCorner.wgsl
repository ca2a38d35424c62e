// Places the corners of triangles that cameraShape made in their view's tile. All but the place is the same at the three
// corners, so nothing is interpolated.

@vertex
fn cameraCorner(@builtin(vertex_index) vertex: u32) -> Tiled {
  let triangle = vertex / 3u;
  let places = triangles[triangle * 2u];
  let plane = triangles[triangle * 2u + 1u];
  let instance = places.w * PLACED;
  let looks = instances[instance + 3u];
  let middle = views[places.w / SIGHT_LIMIT * 4u + 3u].zw;
  let half = vec2f(rig.halfWidth, rig.halfHeight);
  let packed = places[vertex % 3u];
  let pixel = middle - half + vec2f(vec2u(packed & 0xffffu, packed >> 16u)) * (1.0 / 16.0);
  var tiled: Tiled;
  tiled.position = inAtlas(pixel, f32(looks.y >> 24u) * LAYER);
  tiled.plane = vec4f(bitcast<vec3f>(plane.xyz), bitcast<f32>(looks.x));
  tiled.surface = bitcast<vec4f>(instances[instance + 4u]);
  tiled.middle = middle;
  tiled.marks = vec3u(plane.w, looks.y, looks.z);
  return tiled;
}
