// Colours things that stand, walk, lie or fall: painted by their vertices.

@fragment
fn cameraObject(tiled: Tiled) -> Pixel {
  let depth = 1.0 / tiled.position.w;
  return Pixel(vec4f(throughHaze(tiled.colour, depth), 1.0), depth, tiled.id);
}
