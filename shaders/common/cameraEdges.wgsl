// Edges of convex polygons on the grid of corners.

/// The four edges' values at a place: all above or at zero inside. What lies on an edge belongs to the polygon right of it or below it.
fn edgesAt(place: vec2i, x: vec4i, y: vec4i) -> vec4i {
  let wayX = x.yzwx - x;
  let wayY = y.yzwx - y;
  // An edge is the polygon's own if it goes up, or level to the right; of the others 1 is taken.
  let isOwn = (wayY * (1 << 15u) - wayX - 1) >> vec4u(31u);
  return wayX * (place.y - y) - wayY * (place.x - x) - 1 - isOwn;
}
