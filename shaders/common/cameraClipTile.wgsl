// Tiles drawn all at once: each vertex is moved into its view's tile, and clip distances keep triangles inside.

struct Tiled {
  @builtin(position) position: vec4f,
  @builtin(clip_distances) edges: array<f32, 4>,
  @location(0) colour: vec3f,
  @location(1) surface: vec2f,
  @location(2) @interpolate(flat, either) size: vec3f,
  @location(3) @interpolate(flat, either) paint: u32,
  @location(4) @interpolate(flat, either) id: u32,
}

/// `clip` as if the tile were the whole target.
fn moveIntoTile(view: u32, clip: vec4f) -> Tiled {
  var tiled: Tiled;
  let middle = vec2f(views[view * 4u].w, views[view * 4u + 1u].w);
  let scale = vec2f(rig.tileScaleX, rig.tileScaleY);
  tiled.position = vec4f(clip.xy * scale + middle * clip.w, clip.zw);
  tiled.edges = array<f32, 4>(clip.w - clip.x, clip.w + clip.x, clip.w - clip.y, clip.w + clip.y);
  return tiled;
}
