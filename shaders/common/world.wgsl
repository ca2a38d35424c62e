// The fixed world, shared by all environments, and the questions the rules ask of it (docs/rules.md, section 2). `route` and
// `rules` are those of the environment at hand; the kernel declares them.

@group(0) @binding(0) var<uniform> routes: array<vec4u, 3584>;       // 512 [route, Route]
@group(0) @binding(1) var<storage, read> shapes: array<vec4u>;    // [shape, Shape]
@group(0) @binding(2) var<storage, read> segments: array<vec4u>;  // [segment, PathSegment]
@group(0) @binding(3) var<storage, read> tables: array<u32>;      // index lists
@group(0) @binding(4) var<uniform> ruleSets: array<vec4u, 1024>;     // 73 [profile, Rules]
@group(0) @binding(5) var<uniform> directions: array<vec4u, 900>;       // 3600 packed Q14 unit vectors, by heading

const KIND_SIDEWALK = 0u;
const KIND_CROSSWALK = 1u;
const KIND_ROAD = 2u;
const KIND_BUILDING = 3u;
const KIND_FURNITURE = 4u;
const KIND_TRIP = 5u;
const KIND_WATER = 7u;
const KIND_BALL = 8u;
const KIND_BOX = 9u;

const CLASS_PEDESTRIANS = 1u;
const CLASS_DOGS = 2u;
const CLASS_FALLING = 4u;
const CLASS_OBJECTS = 8u;
const CLASS_HAZARDS = 16u;
const CLASS_CONFLICT = 32u;

const UNITS_PER_CM = 16;
const CELL_SHIFT = 14u;

fn direction(heading: i32) -> vec2i {
  let index = u32(heading);
  return unpackDirection(directions[index >> 2u][index & 3u]);
}

fn shapePosition(shape: Shape) -> vec2i {
  return vec2i(shape.x, shape.y);
}

/// A half-open range of `tables` that lists shapes.
struct Items {
  first: u32,
  end: u32,
}

/// Items of the cells in one grid row that overlap columns `left`..`right` of cells; empty outside the grid.
fn rowItems(row: i32, left: i32, right: i32) -> Items {
  let origin = max(left, 0);
  let goal = min(right, route.columns - 1);
  if (row < 0 || row >= route.rows || origin > goal) { return Items(0u, 0u); }
  let cell = route.cells + u32(row * route.columns);
  return Items(route.cellItems + tables[cell + u32(origin)], route.cellItems + tables[cell + u32(goal) + 1u]);
}

fn cellOf(p: vec2i) -> vec2i {
  return vec2i((p.x - route.originX) >> CELL_SHIFT, (p.y - route.originY) >> CELL_SHIFT);
}

/// Items of the one cell that holds `p`: all strips and buildings near it are among them.
fn itemsAt(p: vec2i) -> Items {
  let cell = cellOf(p);
  return rowItems(cell.y, cell.x, cell.x);
}

/// (along, lateral) of `p` in the frame of a strip.
fn stripFrame(shape: Shape, p: vec2i) -> vec2i {
  let unit = unpackDirection(shape.direction);
  let d = p - shapePosition(shape);
  return vec2i(dotQ14(d, unit), crossQ14(d, unit));
}

fn isOnStrip(shape: Shape, p: vec2i) -> bool {
  let frame = stripFrame(shape, p);
  return frame.x >= 0 && frame.x <= shape.extentX && abs(frame.y) <= shape.extentY;
}

/// Is an along-axis coordinate in the inner 5 % to 95 % of a crosswalk? (RT-SAFE protocol §1)
fn isBetweenKerbs(along: i32, length: i32) -> bool {
  return 20 * along > length && 20 * along < 19 * length;
}

fn isInPaintedBand(shape: Shape, p: vec2i) -> bool {
  let frame = stripFrame(shape, p);
  return isBetweenKerbs(frame.x, shape.extentX) && abs(frame.y) <= shape.extentY;
}

// Contact types, as EnvState counts them.
const HUMAN = 0u;
const OBJECT = 1u;
const BUILDING = 2u;
const VEHICLE = 3u;
/// No contact distance with a shape is larger (200 cm); the host refuses profiles and scenes that would break it.
const NEAR_SHAPES = 3200;
