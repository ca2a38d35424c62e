// The route of the environment at hand.

/// Point `point` of the route's polyline.
fn routePoint(point: u32) -> vec2i {
  if (point == route.edgeCount) { return vec2i(route.endX, route.endY); }
  return shapePosition(readShape(route.edges + point));
}
