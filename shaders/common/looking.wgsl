// Walkers looking at each other (docs/rules.md, section 5.1): who stands in whose way, and the search for those who may.
//
// Where a walker is, roughly, is one word, `coarse[walker]`, which the kernel declares: two coordinates of 15 bits, each with a
// spare bit above it, so that one subtraction compares both. They count modulo 2^15. So walkers near each other on the ground are
// near each other here, wherever that is; walkers far apart seem near when along both axes they differ by about a multiple of
// 1000 reaches (over a kilometre), and then the exact test tells.

/// In place of a walker.
const NOBODY = ACTOR_LIMIT;

/// Is the offset `d` in front of a walker facing `unit`, within its gap?
fn isAhead(d: vec2i, unit: vec2i) -> bool {
  let along = dotQ14(d, unit);
  return along > 0 && along <= rules.followGap && abs(crossQ14(d, unit)) <= rules.followHalfWidth;
}

/// Which of two walkers, first < second, must hold because the other stands in its way? The first goes first. Or NOBODY.
fn whoHolds(first: u32, second: u32) -> u32 {
  let d = actorPosition(second) - actorPosition(first);
  let firstHolds = select(NOBODY, first, isAhead(d, unpackDirection(readCache(first))));
  return select(firstHolds, second, isAhead(-d, unpackDirection(readCache(second))));
}

/// Sets or clears the held bit.
fn hold(walker: u32, isHeld: bool) {
  setActorStatus(walker, (actorStatus(walker) & ~HELD) | select(0, HELD, isHeld));
}

/// Steps that the reach of a look (`coarseScale`) is cut into.
const REACH_STEPS = 31u;
const BOTH = 0x00010001u;
const COARSE_BITS = 0x7fffu * BOTH;
const SPARE_BITS = 0x8000u * BOTH;
/// Some are set in a difference that is out of reach.
const FAR_BITS = COARSE_BITS & ~((2u * REACH_STEPS + 1u) * BOTH);
/// Marks the word of a slot without a walker. Such words are more than a window apart, so that they do not gather.
const ABSENT = 0x8000u;
const ABSENT_SHIFT = 7u;

/// 2^17 times the steps in a unit of length. Who is more than REACH_STEPS steps away along either axis is not ahead.
fn coarseScale() -> u32 {
  let sides = vec2u(vec2i(rules.followGap, rules.followHalfWidth));
  // No shorter than the diagonal of the box ahead of a walker, and at most 9 % longer. The margin is more than what the
  // rounding of directions and products adds: 4 units at 20 m, the most that profiles allow of either side.
  let reach = max(sides.x, sides.y) + min(sides.x, sides.y) * 7u / 16u + 16u;
  return (REACH_STEPS << 17u) / reach;
}

/// The product wraps, the shift rounds down: places no more than REACH_STEPS steps apart get numbers no further apart than that.
fn coarsePlace(p: vec2i, scale: u32) -> u32 {
  let steps = bitcast<vec2u>(p) * scale;
  return (steps.x >> 17u) | ((steps.y >> 17u) << 16u);
}

/// From here a place is within reach when subtracting it leaves none of FAR_BITS. The spare bits keep the halves apart.
fn windowAround(place: u32) -> u32 {
  return ((place + REACH_STEPS * BOTH) & COARSE_BITS) | SPARE_BITS;
}

fn noteCoarsePlace(walker: u32, scale: u32) {
  let isPresent = (walker < walkerCount()) & (actorStatus(walker) != 0);
  coarse[walker] = select((walker << ABSENT_SHIFT) | ABSENT, coarsePlace(actorPosition(walker), scale), isPresent);
}

/// Holds a walker if another stands in its way; by itself, after `noteCoarsePlace` for all.
fn lookAhead(walker: u32) {
  let count = walkerCount();
  let own = coarse[walker];
  if ((own & ABSENT) != 0u) { return; }
  let window = windowAround(own);
  var isHeld = false;
  for (var other = 0u; other < count; other++) {
    let place = coarse[other];
    if (((window - place) & FAR_BITS) == 0u && (place & ABSENT) == 0u && other != walker) {
      isHeld = isHeld || whoHolds(min(walker, other), max(walker, other)) == walker;
    }
  }
  hold(walker, isHeld);
}
