// Colours things that stand, walk, lie or fall: a colour per face, the haze in it.

@fragment
fn cameraObject(tiled: Tiled) -> Solid {
  let nearness = nearnessAt(tiled, placeInPicture(tiled));
  return Solid(rig.near * nearness, vec4f(ownColour(tiled), 1.0), 1.0 / nearness, tiled.marks.z);
}
