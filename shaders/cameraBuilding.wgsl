// Colours buildings.

@fragment
fn cameraBuilding(tiled: Tiled) -> Solid {
  let place = placeInPicture(tiled);
  let nearness = nearnessAt(tiled, place);
  let depth = 1.0 / nearness;
  let colour = wallColour(surfaceOf(tiled), rayThrough(place), depth);
  return Solid(rig.near * nearness, vec4f(colour, 1.0), depth, tiled.marks.z);
}
