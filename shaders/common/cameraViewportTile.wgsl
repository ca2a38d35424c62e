// Tiles drawn one by one, each with its own viewport and scissor rectangle.

struct Tiled {
  @builtin(position) position: vec4f,
  @location(0) colour: vec3f,
  @location(1) surface: vec2f,
  @location(2) @interpolate(flat, either) size: vec3f,
  @location(3) @interpolate(flat, either) paint: u32,
  @location(4) @interpolate(flat, either) id: u32,
}

fn moveIntoTile(view: u32, clip: vec4f) -> Tiled {
  var tiled: Tiled;
  tiled.position = clip;
  return tiled;
}
