// Fills pictures with polygons, for drivers that run on a CPU: a subgroup takes a strip of rows of one view, a tile after the
// other; its lanes are the pixels of a row. What covers a pixel is settled before it is coloured, so that a pixel is coloured
// once. Joined with the files that src/kernels/camera/kernels.ts lists.

@group(0) @binding(3) var<uniform> requests: array<vec4u, 4096>;      // [view, ViewRequest]
@group(0) @binding(4) var<storage, read> polygons: array<u32>;        // [view, polygon, POLYGON]: as cameraPolygons.wgsl writes them
@group(0) @binding(5) var<storage, read> polygonCounts: array<vec4u>; // [view]: how many of each list
@group(0) @binding(6) var<storage, read_write> colours: array<u32>;   // [tile, row, column]
@group(0) @binding(7) var<storage, read_write> depths: array<f32>;    // likewise, if geometry is asked for
@group(0) @binding(8) var<storage, read_write> ids: array<u32>;

/// Lanes of a subgroup, which is a workgroup.
override lanes: u32;
/// Are depths and ids wanted?
override hasGeometry: bool;

/// What a pixel shows: a polygon's number, or its colour where that is all there is to know.
const PLAIN = 0x80000000u;
/// With PLAIN: on the ground, so that there is haze by the pixel's distance.
const HAZY = 0x40000000u;
const NOTHING = 0x3fffffffu;

/// The strip's polygons, shared out over the lanes: number, and in which of the bounds' units it begins and ends.
var<private> entries: array<u32, LANE_POLYGONS>;
const NUMBER_MASK = 0x3fffu;
const LOW_SHIFT = 14u;
const HIGH_SHIFT = 22u;
/// An entry that ends before it begins.
const NO_ENTRY = 255u << LOW_SHIFT;

/// Which entries touch a lane's tile, a bit each: as many turns of all lanes in a word as there is room for.
var<private> touching: array<u32, TOUCHING_WORDS>;

var<private> lane: u32;
/// Where the view's polygons begin.
var<private> base: u32;

/// Eight words that the lanes read together, one or two each: on a CPU, a read costs the same for one lane as for all.
struct Record {
  low: u32,
  high: u32,
}

fn wordOf(record: Record, place: u32) -> u32 {
  return subgroupShuffle(select(record.low, record.high, lanes < 8u && place >= 4u), select(place & 3u, place, lanes >= 8u));
}

fn vectorOf(record: Record, place: u32) -> vec4u {
  return vec4u(wordOf(record, place), wordOf(record, place + 1u), wordOf(record, place + 2u), wordOf(record, place + 3u));
}

fn readPolygon(number: u32) -> Record {
  let first = base + number * POLYGON;
  var record: Record;
  record.low = polygons[first + select(lane & 3u, lane & 7u, lanes >= 8u)];
  if (lanes < 8u) { record.high = polygons[first + 4u + (lane & 3u)]; }
  return record;
}

/// The last eight words of an instance.
fn readInstance(instance: u32) -> Record {
  let first = instance * PLACED + 3u;
  var record: Record;
  record.low = instances[first + select(0u, (lane >> 2u) & 1u, lanes >= 8u)][lane & 3u];
  if (lanes < 8u) { record.high = instances[first + 1u][lane & 3u]; }
  return record;
}

/// What a pixel shows that a polygon covers; `look` is its colour, and above it its mark and list.
fn shownBy(number: u32, look: u32, showsJoints: bool) -> u32 {
  let list = look >> LIST_IN_LOOK;
  let mark = (look >> MARK_IN_LOOK) & MARK_MASK;
  let isPlainGround = list == LIST_ground && mark == SIDEWALK && !showsJoints;
  let isPlain = !hasGeometry && (list == LIST_object || isPlainGround);
  return select(number, PLAIN | select(0u, HAZY, isPlainGround) | (look & 0xffffffu), isPlain);
}

const STEPS = vec4i(0, 1, 2, 3);
const ROW_NUMBERS = vec4u(0u, 1u, 2u, 3u);

/// Four rows of a tile, one pixel of each in a lane.
struct Rows {
  nearness: vec4f,  // or the layer, on the ground
  shows: vec4u,
}

fn isInside(edges: vec4i, down: vec4i) -> vec4<bool> {
  let sides = (vec4i(edges.x) + STEPS * down.x) | (vec4i(edges.y) + STEPS * down.y)
    | (vec4i(edges.z) + STEPS * down.z) | (vec4i(edges.w) + STEPS * down.w);
  return sides >= vec4i(0);
}

fn cover(rows: Rows, isIn: vec4<bool>, nearness: vec4f, shows: u32) -> Rows {
  let isNearer = isIn & (nearness > rows.nearness);
  return Rows(select(rows.nearness, nearness, isNearer), select(rows.shows, vec4u(shows), isNearer));
}

/// A bit for each of four rows.
fn rowBits(rows: vec4<bool>) -> u32 {
  let bits = select(vec4u(0u), vec4u(1u, 2u, 4u, 8u), rows);
  return bits.x | bits.y | bits.z | bits.w;
}

/// What shadows leave of the light; `shades` has a bit for each row, for once, twice and three times.
fn lightAt(shades: u32, row: u32) -> f32 {
  let own = vec3u(shades >> row) & vec3u(1u, 0x100u, 0x10000u);
  let left = select(vec3f(1.0), vec3f(1.0 - SHADE), own != vec3u(0u));
  return left.x * left.y * left.z;
}

var<private> upper: Rows;
var<private> lower: Rows;

fn nearnessAt(row: u32) -> f32 {
  return select(lower.nearness[row & 3u], upper.nearness[row & 3u], row < 4u);
}

fn shownAt(row: u32) -> u32 {
  return select(lower.shows[row & 3u], upper.shows[row & 3u], row < 4u);
}

/// A bit for each row where something stands above the ground.
fn standingRows() -> u32 {
  let ground = vec4f(f32(SHADOW) * LAYER);
  return rowBits(upper.nearness > ground) | (rowBits(lower.nearness > ground) << 4u);
}

/// firstTrailingBit of what is not 0, in fewer steps where a driver has no instruction for it.
fn lowestBit(bits: u32) -> u32 {
  return countOneBits(~bits & (bits - 1u));
}

fn lowest(shows: vec4u, least: u32) -> u32 {
  let own = select(vec4u(NOTHING), shows, shows >= vec4u(least));
  return min(min(own.x, own.y), min(own.z, own.w));
}

const NOWHERE = 0xffffffffu;

/// Where a pixel of a tile's picture goes; NOWHERE beyond the picture's edge.
fn placeOf(pixel: vec2u, tile: u32) -> u32 {
  return select(NOWHERE, (tile * rig.height + pixel.y) * rig.width + pixel.x, pixel.x < rig.width && pixel.y < rig.height);
}

fn writeGeometry(place: u32, depth: f32, id: u32) {
  if (place == NOWHERE) { return; }
  depths[place] = depth;
  ids[place] = id;
}

@compute @workgroup_size(lanes)
fn cameraPaint(@builtin(workgroup_id) group: vec3u, @builtin(subgroup_invocation_id) ownLane: u32) {
  lane = ownLane;
  let view = group.y;
  let top = group.x * STRIP_ROWS;
  let half = vec2f(rig.halfWidth, rig.halfHeight);
  let size = vec2u(rig.width, rig.height);
  let tile = requests[view].y;
  let limit = POLYGON_LIMIT * rig.listUnit;
  base = view * limit * POLYGON;
  let counts = polygonCounts[view];
  let solids = counts[LIST_object] + counts[LIST_building] + counts[LIST_ground];
  let count = solids + counts[LIST_shadow];
  let rest = views[view * 4u + 3u];
  let right = views[view * 4u];
  // For the pattern of open ground: where the eye stands, and the camera's heading in the world.
  let backdrop = vec4f(rest.xy, right.y, -right.x);

  // The nearest ground of the strip is in its last row.
  let showsJoints = patternSharpness(groundDepth(rayThrough(vec2f(0.0, half.y - f32(top + STRIP_ROWS) + 0.5))), FINE) > 0.0;

  // Entry number n goes to lane n % lanes, so that polygons keep their order whatever else there is.
  var found = 0u;
  for (var first = 0u; first < count; first += lanes) {
    let order = first + lane;
    let number = select(limit - 1u - (order - solids), order, order < solids);
    let bounds = polygons[base + select(0u, number, order < count) * POLYGON + BOUNDS];
    let isIn = ((bounds >> 16u) & 255u) <= (top + STRIP_ROWS - 1u) / BOUND_PIXELS && (bounds >> 24u) >= top / BOUND_PIXELS;
    let own = number | ((bounds & 255u) << LOW_SHIFT) | (((bounds >> 8u) & 255u) << HIGH_SHIFT);
    var rest = subgroupBallot(order < count && isIn).x;
    let foundHere = countOneBits(rest);
    let rank = (lane - found) % lanes;
    for (var step = 1u; step < lanes; step++) { rest = select(rest, rest & (rest - 1u), step <= rank); }
    let entry = subgroupShuffle(own, lowestBit(rest) % lanes);
    let slot = (found + rank) / lanes;
    if (rank < foundHere && slot < LANE_POLYGONS) { entries[slot] = entry; }
    found += foundHere;
  }
  found = min(found, LANE_POLYGONS * lanes);
  let most = (found + lanes - 1u) / lanes;
  let turnsInWord = 32u / lanes;

  // As many tiles at a time as there are lanes.
  for (var block = 0u; block < size.x; block += lanes * lanes) {
    let firstUnit = (block + lane * lanes) / BOUND_PIXELS;
    let lastUnit = (block + lane * lanes + lanes - 1u) / BOUND_PIXELS;
    for (var turn = 0u; turn < most; turn += turnsInWord) {
      var mask = 0u;
      for (var step = 0u; step < turnsInWord; step++) {
        let own = select(NO_ENTRY, entries[turn + step], (turn + step) * lanes + lane < found);
        for (var owner = 0u; owner < lanes; owner++) {
          let entry = subgroupShuffle(own, owner);
          let isHit = ((entry >> LOW_SHIFT) & 255u) <= lastUnit && (entry >> HIGH_SHIFT) >= firstUnit;
          mask |= select(0u, 1u, isHit) << (step * lanes + owner);
        }
      }
      touching[turn / turnsInWord] = mask;
    }

    for (var column = block; column < min(block + lanes * lanes, size.x); column += lanes) {
      let origin = vec2i(vec2u(column, top)) * GRID + HALF_PIXEL;
      // The pixel's place from the middle of the picture, right and up.
      let across = f32(column + lane) + 0.5 - half.x;
      let over = half.y - f32(top) - 0.5;
      upper = Rows(vec4f(0.5 * LAYER), vec4u(NOTHING));
      lower = upper;
      var shades = 0u;
      for (var turn = 0u; turn < most; turn += turnsInWord) {
        var waiting = subgroupShuffle(touching[turn / turnsInWord], (column - block) / lanes);
        while (waiting != 0u) {
          let bit = lowestBit(waiting);
          waiting &= waiting - 1u;
          let number = subgroupShuffle(entries[turn + bit / lanes], bit % lanes) & NUMBER_MASK;
          let record = readPolygon(number);
          let corners = bitcast<vec4i>(vectorOf(record, 0u));
          let shape = vectorOf(record, 4u);
          let x = corners & vec4i(0xffff);
          let y = corners >> vec4u(16u);
          let edges = edgesAt(origin + vec2i(i32(lane) * GRID, 0), x, y);
          let down = (x.yzwx - x) * GRID;
          let plane = bitcast<vec3f>(shape.xyz);
          let shows = shownBy(number, shape.w, showsJoints);
          let isInUpper = isInside(edges, down);
          let isInLower = isInside(edges + down * 4, down);
          upper = cover(upper, isInUpper, plane.x * across + plane.y * (over - vec4f(STEPS)) + plane.z, shows);
          lower = cover(lower, isInLower, plane.x * across + plane.y * (over - vec4f(STEPS + 4)) + plane.z, shows);
          // A loop of at most one turn: drivers on a CPU jump over it where they would only mask out an if.
          for (var look = select(0u, 1u, shape.w >> LIST_IN_LOOK == LIST_shadow); look > 0u; look--) {
            let bits = rowBits(isInUpper) | (rowBits(isInLower) << 4u);
            shades |= bits | ((shades & bits) << 8u) | (((shades >> 8u) & bits) << 16u);
          }
        }
      }

      // No shadow falls on what stands.
      shades &= ~(standingRows() * 0x10101u);

      // Polygon by polygon what has to be looked up: the colour takes the number's place.
      var next = 0u;
      loop {
        let number = subgroupMin(min(lowest(upper.shows, next), lowest(lower.shows, next)));
        if (number >= NOTHING) { break; }
        next = number + 1u;
        let look = wordOf(readPolygon(number), 7u);
        let list = look >> LIST_IN_LOOK;
        let record = readInstance(polygons[base + number * POLYGON + INSTANCE]);
        let mark = (look >> MARK_IN_LOOK) & MARK_MASK;
        let surface = Surface(unpackColour(look), mark, wordOf(record, 0u), bitcast<vec4f>(vectorOf(record, 4u)));
        let id = wordOf(record, 2u);
        let own = rowBits(upper.shows == vec4u(number)) | (rowBits(lower.shows == vec4u(number)) << 4u);
        var rows = subgroupOr(own);
        while (rows != 0u) {
          let row = lowestBit(rows);
          rows &= rows - 1u;
          let ray = rayThrough(vec2f(across, over - f32(i32(row))));
          var colour = surface.colour;
          for (var wall = select(0u, 1u, list == LIST_building); wall > 0u; wall--) {
            colour = wallColour(surface, ray, 1.0 / nearnessAt(row));
          }
          for (var ground = select(0u, 1u, list == LIST_ground); ground > 0u; ground--) {
            colour = groundColour(surface, ray);
          }
          let isIts = vec4<bool>(((own >> row) & 1u) != 0u);
          upper.shows = select(upper.shows, vec4u(PLAIN | packColour(colour)), isIts & (vec4u(row) == ROW_NUMBERS));
          lower.shows = select(lower.shows, vec4u(PLAIN | packColour(colour)), isIts & (vec4u(row) == ROW_NUMBERS + 4u));
          if (hasGeometry && isIts.x) {
            writeGeometry(placeOf(vec2u(column + lane, top + row), tile), select(1.0 / nearnessAt(row), groundDepth(ray), list == LIST_ground), id);
          }
        }
      }

      for (var row = 0u; row < STRIP_ROWS; row++) {
        let shows = shownAt(row);
        let ray = rayThrough(vec2f(across, over - f32(i32(row))));
        var colour = unpackColour(shows);
        if ((shows & HAZY) != 0u) { colour = throughHaze(colour, groundDepth(ray)); }
        if (shows == NOTHING) { colour = backdropColour(backdrop, ray); }
        colour *= lightAt(shades, row);
        let place = placeOf(vec2u(column + lane, top + row), tile);
        if (place != NOWHERE) { colours[place] = packColour(colour) | 0xff000000u; }
        if (hasGeometry && shows == NOTHING) {
          writeGeometry(place, select(groundDepth(ray), 0.0, isSky(ray)), select(OPEN_GROUND_ID, 0u, isSky(ray)));
        }
      }
    }
  }
}
