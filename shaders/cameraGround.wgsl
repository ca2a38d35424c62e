// Colours what is painted on the ground.

@fragment
fn cameraGround(tiled: Tiled) -> Pixel {
  let ray = rayThrough(placeInPicture(tiled));
  return Pixel(vec4f(groundColour(surfaceOf(tiled), ray), 1.0), groundDepth(ray), tiled.marks.z);
}
