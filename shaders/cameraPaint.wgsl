// Fills pictures with polygons, for drivers that run on a CPU: a subgroup takes a band of one view's picture, a tile after the
// other; its lanes are the pixels of a row, four rows are a tile. What covers a pixel is settled before it is coloured, so that
// a pixel is coloured once. Joined with the files that src/kernels/camera/kernels.ts lists.

@group(0) @binding(3) var<uniform> requests: array<vec4u, 4096>;      // [view, ViewRequest]
@group(0) @binding(4) var<storage, read> polygons: array<u32>;        // [view, polygon, POLYGON]: as cameraPolygons.wgsl writes them
@group(0) @binding(5) var<storage, read> polygonCounts: array<vec4u>; // [view]: how many of each list
@group(0) @binding(6) var<storage, read_write> colours: array<u32>;   // [tile, row, column]
@group(0) @binding(7) var<storage, read_write> depths: array<f32>;    // likewise, if geometry is asked for
@group(0) @binding(8) var<storage, read_write> ids: array<u32>;

// A workgroup is a subgroup of LANES lanes.

/// Are depths and ids wanted?
override hasGeometry: bool;

/// What a pixel shows: an entry of the strip's list, or its colour where that is all there is to know.
const PLAIN = 0x80000000u;
/// With PLAIN: on the ground, so that there is haze by the pixel's distance.
const HAZY = 0x40000000u;
const NOTHING = 0x3fffffffu;
/// Added to an entry: it is ground.
const GROUND = 0x2000u;
/// In the place of what is shown: a shadow.
const SHADE_ONLY = 0x3ffffffeu;

// On a CPU, a read from storage costs the same for one lane as for all: lanes read eight words of a polygon together. And a loop
// that tests at its top goes there once more through its body, for no lane: hence loops that test at their end.

/// [polygon / lanes]: the bounds of each lane's own polygons.
var<private> bounds: array<u32, POLYGONS / LANES>;

/// Polygons that touch the strip, shared out over the lanes: [entry / lanes]. Number, columns and rows, as the constants say.
var<private> entries: array<u32, POLYGONS / LANES>;
const NUMBER_MASK = 0x1fffu;
const FIRST_COLUMN = 13u;
const LAST_COLUMN = 21u;
const COLUMN_MASK = 255u;
const ROWS = 29u;

/// [row of tiles, entry / 32]: which entries touch the tile of a lane's number, a bit each.
var<private> touching: array<u32, POLYGONS / 16u>;

/// What has to be looked up in a block of tiles: what stands from the front, ground from the end. [look-up] The rows of each
/// lane, two bits of shades for each row, entry, tile of the block.
var<private> queue: array<u32, QUEUE>;
/// As many as a block has pixels.
const QUEUE = BLOCK * LANES * TILE_ROWS;
const SHADES_IN_QUEUE = 4u;
const ENTRY_IN_QUEUE = 12u;
const ENTRY_MASK = 0x1fffu;
const TILE_IN_QUEUE = 25u;

/// Tiles of a block: two rows of as many as there are lanes. Its tile number n is the one above or below tile n ^ 1.
const BLOCK = 2u * LANES;

var<private> lane: u32;
/// Where the view's polygons begin, and its picture's place among the others.
var<private> base: u32;
var<private> picture: u32;
/// How many polygons there are, without shadows and with them.
var<private> solids: u32;
var<private> count: u32;
/// For the pattern of open ground: where the eye stands, and the camera's heading in the world.
var<private> backdrop: vec4f;
/// How many look-ups there are of what stands and of ground.
var<private> standing: u32;
var<private> lying: u32;

fn vectorOf(record: u32, place: u32) -> vec4u {
  return vec4u(
    subgroupShuffle(record, place),
    subgroupShuffle(record, place + 1u),
    subgroupShuffle(record, place + 2u),
    subgroupShuffle(record, place + 3u),
  );
}

/// What a pixel shows that an entry covers; `look` is its colour, and above it its mark and list.
fn shownBy(entry: u32, look: u32, showsJoints: bool) -> u32 {
  let list = look >> LIST_IN_LOOK;
  let mark = (look >> MARK_IN_LOOK) & MARK_MASK;
  let isPlainGround = list == LIST_ground && mark == SIDEWALK && !showsJoints;
  let isPlain = !hasGeometry && (list == LIST_object || isPlainGround);
  let shown = select(entry | select(0u, GROUND, list == LIST_ground), PLAIN | select(0u, HAZY, isPlainGround) | (look & 0xffffffu), isPlain);
  return select(shown, SHADE_ONLY, list == LIST_shadow);
}

const STEPS = vec4i(0, 1, 2, 3);

fn isOutside(edges: vec4i) -> i32 {
  return edges.x | edges.y | edges.z | edges.w;
}

/// Which of four rows are inside of four edges; `edges` has their values in the first row, `down` their growth from row to row.
fn isInside(edges: vec4i, down: vec4i) -> vec4<bool> {
  let second = edges + down;
  let third = second + down;
  return vec4i(isOutside(edges), isOutside(second), isOutside(third), isOutside(third + down)) >= vec4i(0);
}

/// The place of the lowest bit of what is not 0, in fewer steps than firstTrailingBit where a driver has no instruction for it.
fn lowestBit(bits: u32) -> u32 {
  let power = f32(bitcast<i32>(bits & (~bits + 1u)));
  return ((bitcast<u32>(power) >> 23u) & 255u) - 127u;
}

/// What shadows leave of the light in a row; `shades` counts them in two bits for each row.
fn lightIn(shades: u32, row: u32) -> f32 {
  let count = (shades >> (row * 2u)) & 3u;
  let left = 1.0 - SHADE;
  return select(1.0, left, count > 0u) * select(1.0, left, count > 1u) * select(1.0, left, count > 2u);
}

/// Counts a shadow, up to three, in the rows that it falls on.
fn shade(shades: u32, rows: vec4<bool>) -> u32 {
  let ones = select(vec4u(0u), vec4u(1u, 4u, 16u, 64u), rows);
  let isFull = shades & (shades >> 1u);
  return shades + ((ones.x | ones.y | ones.z | ones.w) & ~isFull);
}

fn lowest(rows: vec4u) -> u32 {
  return min(min(rows.x, rows.y), min(rows.z, rows.w));
}

/// A bit for each of four rows.
fn rowBits(rows: vec4<bool>) -> u32 {
  let bits = select(vec4u(0u), vec4u(1u, 2u, 4u, 8u), rows);
  return bits.x | bits.y | bits.z | bits.w;
}

/// One over the depth of a polygon in four rows: on the ground the layer.
fn nearnessOf(plane: vec3f, place: vec2f) -> vec4f {
  return plane.x * place.x + plane.y * (place.y - vec4f(STEPS)) + plane.z;
}

/// Number of a polygon in the view's list: solid ones first, then shadows, which are kept from the list's end.
fn numberOf(polygon: u32) -> u32 {
  return select(POLYGONS - 1u + solids - polygon, polygon, polygon < solids);
}

/// Lists what touches a strip of eight rows; returns how many.
fn listStrip(top: u32) -> u32 {
  var found = 0u;
  for (var first = 0u; first < count; first += LANES) {
    let polygon = first + lane;
    let box = bounds[first / LANES];
    let firstRow = ((box >> 16u) & 255u) * TILE_ROWS;
    let lastRow = (box >> 24u) * TILE_ROWS;
    let rows = select(0u, 1u, firstRow <= top && lastRow >= top) | select(0u, 2u, firstRow <= top + TILE_ROWS && lastRow > top);
    let own = numberOf(polygon) | ((box & COLUMN_MASK) << FIRST_COLUMN) | (((box >> 8u) & COLUMN_MASK) << LAST_COLUMN) | (rows << ROWS);
    var rest = subgroupBallot(polygon < count && rows != 0u).x;
    // Entry number n goes to lane n % lanes, so that polygons keep their order whatever else there is.
    if (rest != 0u) {
      let foundHere = countOneBits(rest);
      let rank = (lane - found) % LANES;
      for (var step = 1u; step < LANES; step++) { rest = select(rest, rest & (rest - 1u), step <= rank); }
      let entry = subgroupShuffle(own, lowestBit(rest) % LANES);
      if (rank < foundHere) { entries[(found + rank) / LANES] = entry; }
      found += foundHere;
    }
  }
  return found;
}

fn numberOfEntry(entry: u32) -> u32 {
  return subgroupShuffle(entries[entry / LANES], entry % LANES) & NUMBER_MASK;
}

/// Notes which of the strip's entries touch which tiles of a block of `lanes` tiles.
fn noteTouching(half: u32, firstTile: u32, found: u32) {
  let block = i32(firstTile);
  var word = 0u;
  loop {
    var mask = 0u;
    for (var step = 0u; step < 32u / LANES; step++) {
      let place = word * (32u / LANES) + step;
      let entry = entries[place];
      let first = i32(((entry >> FIRST_COLUMN) & COLUMN_MASK) * BOUND_PIXELS / LANES) - block;
      let last = i32(((entry >> LAST_COLUMN) & COLUMN_MASK) * BOUND_PIXELS / LANES) - block;
      let isIn = place * LANES + lane < found && ((entry >> (ROWS + half)) & 1u) != 0u && last >= 0 && first < i32(LANES);
      let tiles = select(0u, (0xffffffffu << u32(max(first, 0))) & (0xffffffffu >> u32(max(31 - last, 0))), isIn);
      for (var owner = 0u; owner < LANES; owner++) {
        mask |= ((subgroupShuffle(tiles, owner) >> lane) & 1u) << (step * LANES + owner);
      }
    }
    touching[half * (POLYGONS / 32u) + word] = mask;
    continuing {
      word++;
      break if word * 32u >= found;
    }
  }
}

/// Where a tile of a strip is, for the lane.
struct Tile {
  pixel: vec2u,    // in the first row
  place: vec2f,    // the same from the middle of the picture, right and up
}

fn tileOf(top: u32, number: u32) -> Tile {
  let pixel = vec2u((number >> 1u) * LANES + lane, top + (number & 1u) * TILE_ROWS);
  return Tile(pixel, vec2f(f32(pixel.x) + 0.5 - rig.halfWidth, rig.halfHeight - f32(pixel.y) - 0.5));
}

fn rayOf(tile: Tile, row: u32) -> vec3f {
  return rayThrough(tile.place - vec2f(0.0, f32(i32(row))));
}

/// Writes those of a tile's rows that are wanted, a bit each.
fn writeRows(tile: Tile, wanted: u32, colour: vec4u, depth: vec4f, id: vec4u) {
  let place = (picture * rig.height + tile.pixel.y) * rig.width + tile.pixel.x;
  let isThere = tile.pixel.x < rig.width;
  var row = 0u;
  // One place in the code for all rows: the more there are, the longer drivers on a CPU take to compile.
  loop {
    if (((wanted >> row) & 1u) != 0u && isThere && tile.pixel.y + row < rig.height) {
      colours[place + row * rig.width] = colour[row] | 0xff000000u;
      if (hasGeometry) {
        depths[place + row * rig.width] = depth[row];
        ids[place + row * rig.width] = id[row];
      }
    }
    continuing {
      row++;
      break if row >= min(rig.height, TILE_ROWS);
    }
  }
}

fn hazyColour(tile: Tile, row: u32, shown: u32) -> u32 {
  return packColour(throughHaze(unpackColour(shown), groundDepth(rayOf(tile, row))));
}

fn openColour(tile: Tile, row: u32) -> u32 {
  return packColour(backdropColour(backdrop, rayOf(tile, row)));
}

fn shadedColour(colour: u32, shades: u32, row: u32) -> u32 {
  return packColour(unpackColour(colour) * lightIn(shades, row));
}

/// The depth of the ground in each row.
fn groundDepths(tile: Tile) -> vec4f {
  return vec4f(groundDepth(rayOf(tile, 0u)), groundDepth(rayOf(tile, 1u)), groundDepth(rayOf(tile, 2u)), groundDepth(rayOf(tile, 3u)));
}

/// Finds what covers the pixels of a tile, writes what is known by that, and queues the rest.
fn paintTile(top: u32, number: u32, found: u32) {
  let tile = tileOf(top, number);
  // The nearest ground of a tile is in its last row.
  let showsJoints = patternSharpness(groundDepth(rayOf(tile, TILE_ROWS - 1u)), FINE) > 0.0;
  let origin = vec2i(tile.pixel) * GRID + HALF_PIXEL;
  var nearness = vec4f(0.5 * LAYER);
  var shows = vec4u(NOTHING);
  var shades = 0u;
  var word = 0u;
  loop {
    var waiting = subgroupShuffle(touching[(number & 1u) * (POLYGONS / 32u) + word], number % BLOCK / 2u);
    if (waiting != 0u) {
      loop {
        let entry = word * 32u + lowestBit(waiting);
        let record = polygons[base + numberOfEntry(entry) * POLYGON + (lane & 7u)];
        waiting &= waiting - 1u;
        let corners = bitcast<vec4i>(vectorOf(record, 0u));
        let shape = vectorOf(record, 4u);
        let x = corners & vec4i(0xffff);
        let y = corners >> vec4u(16u);
        let isIn = isInside(edgesAt(origin, x, y), (x.yzwx - x) * GRID);
        let own = nearnessOf(bitcast<vec3f>(shape.xyz), tile.place);
        let isNearer = isIn & (own > nearness);
        let shown = shownBy(entry, shape.w, showsJoints);
        nearness = select(nearness, own, isNearer);
        shows = select(shows, vec4u(shown), isNearer);
        shades = shade(shades, isIn & vec4<bool>(shown == SHADE_ONLY));
        continuing { break if waiting == 0u; }
      }
    }
    continuing {
      word++;
      break if word * 32u >= found;
    }
  }

  // No shadow falls on what stands.
  let onGround = select(vec4u(0u), vec4u(3u, 12u, 48u, 192u), nearness <= vec4f(f32(SHADOW) * LAYER));
  shades &= onGround.x | onGround.y | onGround.z | onGround.w;

  var left = shows;
  var next = lowest(left);
  if (subgroupAny(next < NOTHING)) {
    loop {
      let waiting = subgroupBallot(next < NOTHING).x;
      let entry = subgroupShuffle(next, lowestBit(waiting));
      let isIts = left == vec4u(entry);
      left = select(left, vec4u(NOTHING), isIts);
      next = lowest(left);
      let isGround = (entry & GROUND) != 0u;
      queue[select(standing, QUEUE - 1u - lying, isGround)]
        = rowBits(isIts) | (shades << SHADES_IN_QUEUE) | ((entry & ENTRY_MASK) << ENTRY_IN_QUEUE) | ((number % BLOCK) << TILE_IN_QUEUE);
      standing += select(1u, 0u, isGround);
      lying += select(0u, 1u, isGround);
      continuing { break if !subgroupAny(next < NOTHING); }
    }
  }

  // Most tiles need one of these at most.
  var colour = shows;
  let isHazy = (shows & vec4u(HAZY)) != vec4u(0u);
  if (any(isHazy)) {
    let hazy = vec4u(
      hazyColour(tile, 0u, shows.x),
      hazyColour(tile, 1u, shows.y),
      hazyColour(tile, 2u, shows.z),
      hazyColour(tile, 3u, shows.w),
    );
    colour = select(colour, hazy, isHazy);
  }
  let isOpen = shows == vec4u(NOTHING);
  if (any(isOpen)) {
    let open = vec4u(openColour(tile, 0u), openColour(tile, 1u), openColour(tile, 2u), openColour(tile, 3u));
    colour = select(colour, open, isOpen);
  }
  if (shades != 0u) {
    colour = vec4u(
      shadedColour(colour.x, shades, 0u),
      shadedColour(colour.y, shades, 1u),
      shadedColour(colour.z, shades, 2u),
      shadedColour(colour.w, shades, 3u),
    );
  }
  let depths = groundDepths(tile);
  let areSky = vec4<bool>(isSky(rayOf(tile, 0u)), isSky(rayOf(tile, 1u)), isSky(rayOf(tile, 2u)), isSky(rayOf(tile, 3u)));
  let ids = select(vec4u(OPEN_GROUND_ID), vec4u(0u), areSky);
  writeRows(tile, rowBits(shows >= vec4u(NOTHING)), colour, select(depths, vec4f(0.0), areSky), ids);
}

/// A look-up of the queue.
struct Ask {
  tile: Tile,
  rows: u32,
  shades: u32,
  plane: vec3f,
  list: u32,
  surface: Surface,
  id: u32,
}

fn readAsk(place: u32, top: u32, firstTile: u32) -> Ask {
  let asked = queue[place];
  // Its plane, look, bounds and instance.
  let words = polygons[base + numberOfEntry((asked >> ENTRY_IN_QUEUE) & ENTRY_MASK) * POLYGON + 4u + (lane & 7u)];
  let shape = vectorOf(words, 0u);
  let placed = instances[subgroupShuffle(words, INSTANCE - 4u) * PLACED + 3u + ((lane >> 2u) & 1u)][lane & 3u];
  return Ask(
    tileOf(top, firstTile + (asked >> TILE_IN_QUEUE)),
    asked & 15u,
    (asked >> SHADES_IN_QUEUE) & 255u,
    bitcast<vec3f>(shape.xyz),
    shape.w >> LIST_IN_LOOK,
    Surface(
      unpackColour(shape.w),
      (shape.w >> MARK_IN_LOOK) & MARK_MASK,
      subgroupShuffle(placed, 0u),
      bitcast<vec4f>(vectorOf(placed, 4u)),
    ),
    subgroupShuffle(placed, 2u),
  );
}

fn standingColour(ask: Ask, row: u32, depth: f32) -> u32 {
  let isWall = !hasGeometry || ask.list == LIST_building;
  return packColour(select(ask.surface.colour, wallColour(ask.surface, rayOf(ask.tile, row), depth), isWall));
}

fn groundColourIn(ask: Ask, row: u32) -> u32 {
  return packColour(groundColour(ask.surface, rayOf(ask.tile, row)) * lightIn(ask.shades, row));
}

fn lookUpStanding(top: u32, firstTile: u32) {
  var next = 0u;
  loop {
    let ask = readAsk(next, top, firstTile);
    let depths = 1.0 / nearnessOf(ask.plane, ask.tile.place);
    let found = vec4u(
      standingColour(ask, 0u, depths.x),
      standingColour(ask, 1u, depths.y),
      standingColour(ask, 2u, depths.z),
      standingColour(ask, 3u, depths.w),
    );
    writeRows(ask.tile, ask.rows, found, depths, vec4u(ask.id));
    continuing {
      next++;
      break if next >= standing;
    }
  }
}

fn lookUpGround(top: u32, firstTile: u32) {
  var next = 0u;
  loop {
    let ask = readAsk(QUEUE - 1u - next, top, firstTile);
    let found = vec4u(groundColourIn(ask, 0u), groundColourIn(ask, 1u), groundColourIn(ask, 2u), groundColourIn(ask, 3u));
    writeRows(ask.tile, ask.rows, found, groundDepths(ask.tile), vec4u(ask.id));
    continuing {
      next++;
      break if next >= lying;
    }
  }
}

@compute @workgroup_size(LANES)
fn cameraPaint(@builtin(workgroup_id) group: vec3u, @builtin(subgroup_invocation_id) ownLane: u32) {
  lane = ownLane;
  let view = group.y;
  picture = requests[view].y;
  base = view * POLYGONS * POLYGON;
  let counts = polygonCounts[view];
  solids = counts[LIST_object] + counts[LIST_building] + counts[LIST_ground];
  count = solids + counts[LIST_shadow];
  let right = views[view * 4u];
  backdrop = vec4f(views[view * 4u + 3u].xy, right.y, -right.x);
  for (var first = 0u; first < count; first += LANES) {
    bounds[first / LANES] = polygons[base + numberOf(min(first + lane, count - 1u)) * POLYGON + BOUNDS];
  }

  var top = group.x * BAND_ROWS;
  let end = min(top + BAND_ROWS, rig.height);
  loop {
    let found = listStrip(top);
    var firstTile = 0u;
    loop {
      standing = 0u;
      lying = 0u;
      noteTouching(0u, firstTile / 2u, found);
      noteTouching(1u, firstTile / 2u, found);
      let end = min(firstTile + BLOCK, (rig.width + LANES - 1u) / LANES * 2u);
      var tile = firstTile;
      loop {
        paintTile(top, tile, found);
        continuing {
          tile++;
          break if tile >= end;
        }
      }
      if (standing > 0u) { lookUpStanding(top, firstTile); }
      if (lying > 0u) { lookUpGround(top, firstTile); }
      continuing {
        firstTile += BLOCK;
        break if firstTile / 2u * LANES >= rig.width;
      }
    }
    continuing {
      top += 2u * TILE_ROWS;
      break if top >= end;
    }
  }
}
