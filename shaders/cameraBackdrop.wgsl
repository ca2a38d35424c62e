// Fills what no mesh covers: two triangles over the whole tile, behind everything.

@vertex
fn cameraBackdrop(@builtin(vertex_index) vertex: u32) -> Tiled {
  let view = vertex / 6u;
  let corner = vertex % 6u;
  let side = vec2f(select(-1.0, 1.0, corner == 1u || corner == 2u || corner == 4u), select(-1.0, 1.0, corner == 2u || corner >= 4u));
  let rest = views[view * 4u + 3u];
  let right = views[view * 4u].xy;
  var tiled: Tiled;
  tiled.position = inAtlas(rest.zw + side * vec2f(rig.halfWidth, rig.halfHeight), 0.5 * LAYER);
  tiled.marks = vec4u(bitcast<vec2u>(rest.zw), 0u, 0u);
  // For the pattern of open ground: where the eye stands, and the camera's heading in the world.
  tiled.pose = bitcast<vec4u>(vec4f(rest.xy, right.y, -right.x));
  return tiled;
}
