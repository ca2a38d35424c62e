// Places the corners of triangles that cameraShape made in their view's tile. All but the place is the same at the three
// corners, so nothing is interpolated.

/// Is there anything that wants to know more of a triangle's instance than its colour?
override hasMarks: bool;

@vertex
fn cameraCorner(@builtin(vertex_index) vertex: u32) -> Tiled {
  let triangle = vertex / 3u;
  let places = triangles[triangle * 2u];
  let middle = views[places.w / SIGHT_LIMIT * 4u + 3u].zw;
  let packed = places[vertex % 3u];
  let corner = vec2f(vec2u(packed & 0xffffu, packed >> 16u)) * (1.0 / f32(GRID));
  var tiled: Tiled;
  tiled.plane = triangles[triangle * 2u + 1u];
  let pixel = middle - vec2f(rig.halfWidth, rig.halfHeight) + corner;
  tiled.position = inAtlas(pixel, f32(tiled.plane.w >> 24u) * LAYER);
  tiled.marks = vec4u(bitcast<vec2u>(middle), 0u, 0u);
  if (hasMarks) {
    let instance = places.w * PLACED;
    let looks = instances[instance + 3u];
    tiled.marks = vec4u(tiled.marks.xy, looks.z, looks.x);
    tiled.pose = instances[instance + 4u];
  }
  return tiled;
}
