// Keeps what a view is filled with as convex polygons for cameraPaint.wgsl: a list for each view, shadows from its end.

@group(0) @binding(7) var<storage, read_write> polygons: array<vec4u>;     // [view, polygon, POLYGON / 4]: corners; plane, look; bounds, instance
@group(0) @binding(8) var<storage, read_write> polygonCounts: array<vec4u>; // [view]: how many of each list

/// How many of each list.
var<private> kept: vec4u;

fn beginView() {}

fn packCorner(corner: vec2i) -> u32 {
  return u32(corner.x | (corner.y << 16u));
}

/// Is a pixel's middle inside? By the same edges as in cameraPaint.wgsl.
fn holds(pixel: vec2i, a: vec2i, b: vec2i, c: vec2i, d: vec2i) -> bool {
  let x = vec4i(a.x, b.x, c.x, d.x);
  let y = vec4i(a.y, b.y, c.y, d.y);
  return all(edgesAt(pixel * GRID + HALF_PIXEL, x, y) >= vec4i(0));
}

/// Corners in the order of growing angles, and twice what they enclose.
fn keepPolygon(kind: u32, instance: u32, a: vec2i, b: vec2i, c: vec2i, d: vec2i, area: i32) {
  let low = min(min(a, b), min(c, d));
  let high = max(max(a, b), max(c, d));
  let list = listOf(kind);
  let isShadow = kind == LIST_shadow;
  let solids = kept[LIST_object] + kept[LIST_building] + kept[LIST_ground];
  // Most polygons of a small picture are smaller than a pixel.
  let isSmall = all(firstMiddle(low) == lastMiddle(high));
  if (isSmall && !holds(firstMiddle(low), a, b, c, d)) { return; }
  let room = (POLYGON_LIMIT - select(0u, POLYGON_RESERVE, list == LIST_object)) * rig.listUnit;
  if (area <= 0 || !coversMiddles(low, high) || solids + kept[LIST_shadow] >= room) { return; }
  let plane = planeOf(normalOf(), kind);
  var heights = plane.inverse;
  if (kind >= LIST_ground) { heights = vec3f(0.0, 0.0, select(f32(plane.colour >> 24u) * LAYER, -1.0, isShadow)); }
  let first = vec2u(firstMiddle(low)) / BOUND_PIXELS;
  let last = vec2u(lastMiddle(high)) / BOUND_PIXELS;
  let base = view * POLYGON_LIMIT * rig.listUnit;
  let to = (base + select(solids, POLYGON_LIMIT * rig.listUnit - 1u - kept[LIST_shadow], isShadow)) * (POLYGON / 4u);
  polygons[to] = vec4u(packCorner(a), packCorner(b), packCorner(c), packCorner(d));
  polygons[to + 1u] = vec4u(bitcast<vec3u>(heights), plane.colour | (list << LIST_IN_LOOK));
  polygons[to + 2u] = vec4u(first.x | (last.x << 8u) | (first.y << 16u) | (last.y << 24u), instance, 0u, 0u);
  kept += select(vec4u(0u), vec4u(1u), vec4u(0u, 1u, 2u, 3u) == vec4u(list));
}

fn keep(kind: u32, instance: u32, a: vec2i, b: vec2i, c: vec2i, d: vec2i) {
  // Snapped, a quad may be a little less than convex: then it is kept as its two triangles.
  let isWhole = all(vec4i(doubleArea(a, b, c), doubleArea(a, c, d), doubleArea(b, c, d), doubleArea(a, b, d)) >= vec4i(0));
  var piece = select(0u, 1u, isWhole);
  loop {
    let next = select(b, c, piece == 1u);
    let last_ = select(c, d, piece == 1u);
    let isTurned = doubleArea(a, next, last_) < 0;
    let second = select(select(next, last_, isTurned), b, isWhole);
    let third = select(select(last_, next, isTurned), c, isWhole);
    let fourth = select(third, d, isWhole);
    keepPolygon(kind, instance, a, second, third, fourth, doubleArea(a, second, third) + doubleArea(a, third, fourth));
    continuing {
      piece++;
      break if piece >= 2u;
    }
  }
}

fn endView() {
  polygonCounts[view] = kept;
}
