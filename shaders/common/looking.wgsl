// Walkers looking at each other (docs/rules.md, section 5.1): who stands in whose way, and the search for those who may, by
// coarse places (coarse.wgsl), `coarse[walker]`, which the kernel declares.

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

/// Marks the word of a slot without a walker. Such words are more than a window apart, so that they do not gather.
const ABSENT = 0x8000u;
const ABSENT_SHIFT = 7u;

/// Who is out of reach is not ahead.
fn coarseScale() -> u32 {
  let sides = vec2u(vec2i(rules.followGap, rules.followHalfWidth));
  // No shorter than the diagonal of the box ahead of a walker, and at most 9 % longer. The margin is more than what the
  // rounding of directions and products adds: 4 units at 20 m, the most that profiles allow of either side.
  let reach = max(sides.x, sides.y) + min(sides.x, sides.y) * 7u / 16u + 16u;
  return reachScale(reach);
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
