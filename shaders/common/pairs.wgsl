// Walkers looking at each other, all of them by one thread. Every pair is compared once, by coarse places: eight walkers in
// registers, the others one after the other. On a CPU driver this beats any search that skips pairs, because a vector of
// environments goes through as many turns as the one that skips least.

const BLOCK = 8u;
/// Walkers before a block that are compared with it before the pairs found are looked at closely: bits of a word.
const COLUMNS = 32u;
const HELD_WORDS = NOBODY / 32u + 1u;

var<private> coarse: array<u32, (ACTOR_LIMIT + BLOCK - 1u) / BLOCK * BLOCK>;
/// A bit for each walker that holds; in the course of a look one for NOBODY as well.
var<private> heldBits: array<u32, HELD_WORDS>;

fn fourPlaces(walker: u32) -> vec4u {
  return vec4u(coarse[walker], coarse[walker + 1u], coarse[walker + 2u], coarse[walker + 3u]);
}

fn fourWindows(places: vec4u) -> vec4u {
  return vec4u(windowAround(places.x), windowAround(places.y), windowAround(places.z), windowAround(places.w));
}

/// 0 when `place` is in one of the windows.
fn farBits(windows: vec4u, place: u32) -> u32 {
  let far = (windows - place) & vec4u(FAR_BITS);
  return min(min(far.x, far.y), min(far.z, far.w));
}

/// A bit for each window that `place` is in.
fn windowsAt(windows: vec4u, place: u32) -> u32 {
  let near = select(vec4u(0u), vec4u(1u, 2u, 4u, 8u), ((windows - place) & vec4u(FAR_BITS)) == vec4u(0u));
  return near.x | near.y | near.z | near.w;
}

fn bitIf(bit: u32, condition: bool) -> u32 {
  return select(0u, 1u << bit, condition);
}

/// Bit i: walker i of a block is near a later one of it. a, b: its places; low, high: their windows.
fn nearLater(a: vec4u, b: vec4u, low: vec4u, high: vec4u) -> u32 {
  return bitIf(0u, min(farBits(low.yzww, a.x), farBits(high, a.x)) == 0u)
    | bitIf(1u, min(farBits(low.zwzw, a.y), farBits(high, a.y)) == 0u)
    | bitIf(2u, min(farBits(low.wwww, a.z), farBits(high, a.z)) == 0u)
    | bitIf(3u, farBits(high, a.w) == 0u)
    | bitIf(4u, farBits(high.yzww, b.x) == 0u)
    | bitIf(5u, farBits(high.zwzw, b.y) == 0u)
    | bitIf(6u, farBits(high.wwww, b.z) == 0u);
}

fn meet(first: u32, second: u32) {
  let holding = select(whoHolds(first, second), NOBODY, (coarse[second] & ABSENT) != 0u);
  heldBits[holding / 32u] |= 1u << (holding % 32u);
}

/// Notes who holds from before.
fn noteHeld() {
  heldBits = array<u32, HELD_WORDS>();
  for (var word = 0u; word < (walkerCount() + 31u) / 32u; word++) {
    var bits = 0u;
    for (var left = min(32u, walkerCount() - word * 32u); left > 0u; left--) {
      bits = bits * 2u + select(0u, 1u, (actorStatus(word * 32u + left - 1u) & HELD) != 0);
    }
    heldBits[word] = bits;
  }
}

fn lookAround() {
  let count = walkerCount();
  let blocks = (count + BLOCK - 1u) / BLOCK;
  let scale = coarseScale();
  // Loops count down to a constant, since those need no other guard against running for ever.
  for (var left = blocks * BLOCK; left > 0u; left--) {
    noteCoarsePlace(left - 1u, scale);
  }
  let before = heldBits;
  heldBits = array<u32, HELD_WORDS>();
  for (var blocksLeft = blocks; blocksLeft > 0u; blocksLeft--) {
    let block = (blocksLeft - 1u) * BLOCK;
    let a = fourPlaces(block);
    let b = fourPlaces(block + 4u);
    let low = fourWindows(a);
    let high = fourWindows(b);
    let own = nearLater(a, b, low, high);
    for (var partsLeft = block / COLUMNS + 1u; partsLeft > 0u; partsLeft--) {
      let origin = (partsLeft - 1u) * COLUMNS;
      // Bit i: walker origin + i is near one of the block that comes after it.
      var columns = select(0u, own, block - origin < COLUMNS);
      // Four at a time: the loop itself costs as much as the comparing of one.
      for (var left = min(COLUMNS, block - origin) / 4u; left > 0u; left--) {
        let places = fourPlaces(origin + 4u * (left - 1u));
        columns = columns * 16u + (bitIf(0u, min(farBits(low, places.x), farBits(high, places.x)) == 0u)
          | bitIf(1u, min(farBits(low, places.y), farBits(high, places.y)) == 0u)
          | bitIf(2u, min(farBits(low, places.z), farBits(high, places.z)) == 0u)
          | bitIf(3u, min(farBits(low, places.w), farBits(high, places.w)) == 0u));
      }
      if (columns != 0u) {
        loop {
          let first = origin + countTrailingZeros(columns);
          columns &= columns - 1u;
          let place = coarse[first];
          let later = 0xffu << u32(max(0, i32(first) + 1 - i32(block)));
          var rows = select(windowsAt(low, place) | (windowsAt(high, place) << 4u), 0u, (place & ABSENT) != 0u) & later;
          if (rows != 0u) {
            loop {
              let second = block + countTrailingZeros(rows);
              rows &= rows - 1u;
              meet(first, second);
              continuing {
                break if rows == 0u;
              }
            }
          }
          continuing {
            break if columns == 0u;
          }
        }
      }
    }
  }
  heldBits[NOBODY / 32u] &= ~(1u << (NOBODY % 32u));
  // Only who changes, which are few.
  for (var word = 0u; word < (count + 31u) / 32u; word++) {
    var changes = before[word] ^ heldBits[word];
    if (changes != 0u) {
      loop {
        let walker = word * 32u + countTrailingZeros(changes);
        changes &= changes - 1u;
        setActorStatus(walker, actorStatus(walker) ^ HELD);
        continuing {
          break if changes == 0u;
        }
      }
    }
  }
}
