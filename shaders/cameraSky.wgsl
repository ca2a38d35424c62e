// Colours the backdrop.

@fragment
fn cameraSky(tiled: Tiled) -> Pixel {
  let ray = rayThrough(placeInPicture(tiled));
  let colour = vec4f(backdropColour(bitcast<vec4f>(tiled.pose), ray), 1.0);
  if (isSky(ray)) { return Pixel(colour, 0.0, 0u); }
  return Pixel(colour, groundDepth(ray), OPEN_GROUND_ID);
}
