// Fills what no mesh covers: two triangles over the whole tile, behind everything.

@vertex
fn cameraBackdrop(@builtin(vertex_index) vertex: u32, @builtin(instance_index) instance: u32) -> Tiled {
  let view = drawn.y + instance;
  let corner = vec2f(select(-1.0, 1.0, vertex == 1u || vertex == 2u || vertex == 4u), select(-1.0, 1.0, vertex == 2u || vertex >= 4u));
  var tiled = moveIntoTile(view, vec4f(corner, 0.0, 1.0));
  let right = views[view * 4u].xyz;
  let up = views[view * 4u + 1u].xyz;
  let forward = views[view * 4u + 2u].xyz;
  // The ray through the pixel, one metre deep: linear in the pixel.
  tiled.colour = forward + right * (corner.x * rig.slopeX) + up * (corner.y * rig.slopeY);
  tiled.size = vec3f(views[view * 4u + 3u].xy, 0.0);
  return tiled;
}
