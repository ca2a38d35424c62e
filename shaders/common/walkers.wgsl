// Pedestrians and robot dogs (docs/rules.md, sections 5.1 and 5.3).

const BUCKETS = 512u;
const BUCKET_SHIFT = 12u;  // cells of 256 cm
/// Ends a bucket's list. A bucket's head is stamped with the tick, so that no bucket ever needs clearing.
const NOBODY = 255u;

fn routeSegment(link: i32) -> PathSegment {
  return readPathSegment(route.segments + u32(link));
}

// Broadphase: walkers in hashed cells with a linked list each. Any order of the lists gives the same answer.

fn bucketOf(cell: vec2i) -> u32 {
  return ((bitcast<u32>(cell.x) * 73856093u) ^ (bitcast<u32>(cell.y) * 19349663u)) % BUCKETS;
}

fn bucketCell(p: vec2i) -> vec2i {
  return vec2i(p.x >> BUCKET_SHIFT, p.y >> BUCKET_SHIFT);
}

fn insertWalker(walker: u32) {
  let actor = readActor(walker);
  if (actor.status != 0) { linkWalker(bucketOf(bucketCell(positionOf(actor))), walker); }
}

/// Is the offset `d` in front of a walker facing `unit`, within its gap?
fn isAhead(d: vec2i, unit: vec2i) -> bool {
  let along = dotQ14(d, unit);
  return along > 0 && along <= rules.followGap && abs(crossQ14(d, unit)) <= rules.followHalfWidth;
}

/// Does another walker stand in this one's way? Looks into the cells that the box around the gap touches.
fn isHeld(walker: u32, p: vec2i) -> bool {
  let unit = unpackDirection(readCache(walker));
  let tip = p + scaleQ14(rules.followGap, unit);
  let side = vec2i(mulQ14(rules.followHalfWidth, abs(unit.y)), mulQ14(rules.followHalfWidth, abs(unit.x))) + 4;
  let low = bucketCell(min(p, tip) - side);
  let high = bucketCell(max(p, tip) + side);
  var held = false;
  var cell = low;
  while (cell.y <= high.y && !held) {
    var other = firstInBucket(bucketOf(cell));
    for (var guard = 0u; other != NOBODY && guard < ACTOR_LIMIT; guard++) {
      // A loop of at most one turn: drivers on a CPU jump over it where they would only mask out an if.
      for (var look = select(1, 0, other == walker); look > 0; look--) {
        let d = actorPosition(other) - p;
        if (isAhead(d, unit) && (other < walker || !isAhead(-d, unpackDirection(readCache(other))))) { held = true; }
      }
      other = nextInBucket(other);
    }
    let isRowEnd = cell.x == high.x;
    cell = select(vec2i(cell.x + 1, cell.y), vec2i(low.x, cell.y + 1), isRowEnd);
  }
  return held;
}

fn lookAhead(walker: u32) {
  let actor = readActor(walker);
  if (actor.status == 0) { return; }
  let status = (actor.status & ~HELD) | select(0, HELD, isHeld(walker, positionOf(actor)));
  for (var change = select(0, 1, status != actor.status); change > 0; change--) {
    setActorStatus(walker, actor, status);
  }
}

/// The agent's step was refused by this walker.
fn pressWalker(slot: u32, actor: Actor) {
  setActorStatus(slot, actor, actor.status | PRESSED);
}

fn runWalker(walker: u32) {
  var actor = readActor(walker);
  if (actor.status == 0) { return; }
  let contact = rules.humanContact;
  // A walker whose next place is beyond this along an axis is not near the agent there, nor where it is held. (The rest is for
  // what rounding adds to a step.)
  let nearRange = contact + rules.clearanceSocial + actor.speed + 64;
  let runsOnce = rules.dogsRepeat == 0 && walker >= env.pedestrians;
  var segment = routeSegment(actor.link);
  var p = positionOf(actor);
  for (var tick = 1u; tick <= chunk.ticks; tick++) {
    let agent = poses[tick];
    let isPassing = actor.timer < 0;
    var along = actor.along + actor.speed;
    var link = actor.link;
    var next = segment;
    for (var corner = 0; corner < 4 && along >= next.length; corner++) {
      if (runsOnce && i32(next.next) <= link) {
        along = next.length - 1;
        break;
      }
      along -= next.length;
      link = i32(next.next);
      next = routeSegment(link);
    }
    let n = segmentPosition(next, along);
    var moves = isPassing || (actor.status & HELD) == 0;
    // Most walkers are far from the agent. (A loop of at most one turn, as above.)
    let isFar = max(abs(n.x - agent.x), abs(n.y - agent.y)) > nearRange && (actor.status & (TOUCHING | PRESSED)) == 0;
    var isClose = 0;
    for (var look = select(1, 0, isFar); look > 0; look--) {
      let isPressing = !isPassing && approaches(p, n, agent, contact);
      let isPressed = (actor.status & PRESSED) != 0;
      let velocity = select(vec2i(0), n - p, moves || isPressing);
      moves = moves && !isPressing;
      let d = select(p, n, moves) - agent;
      let isTouching = (actor.status & TOUCHING) != 0;
      let isTouched = within(d, contact) && (isTouching || rules.setPoseTouches == 1);
      if (isPressing || isPressed || isTouched) {
        noteTimeToCollision(0u);
        if (!isTouching) {
          actor.status |= TOUCHING;
          actor.mark = 0;
          tallyAdd(TALLY_HUMAN_CONTACTS, 1u);
          tallyAdd(TALLY_HUMAN_INCIDENTS, 1u);
          let relative = velocity - select(agent - poses[tick - 1u], intended, isPressed);
          let impact = integerSquareRoot(u32(squaredLength(relative)));
          tallyMax(TALLY_IMPACT_MAXIMUM, impact);
          tallyAdd(TALLY_IMPACT_SUM, impact);
        } else if (isPressing || isPressed) {
          actor.mark += 1;
          if (rules.contactRepeatTicks > 0 && actor.mark % rules.contactRepeatTicks == 0) {
            tallyAdd(TALLY_HUMAN_CONTACTS, 1u);
          }
        }
      } else if (isTouching && !within(d, contact + rules.releaseMargin)) {
        actor.status &= ~TOUCHING;
        actor.mark = 0;
      }
      if (within(d, contact + rules.clearanceSocial)) {
        let near = select(4u, 6u, within(d, contact + rules.clearancePersonal))
          | select(0u, 1u, within(d, contact + rules.clearanceIntimate));
        tallyOr(TALLY_NEAR, near << (3u * (tick - 1u)));
        isClose = select(1, 0, (actor.status & TOUCHING) != 0);
      }
      actor.status &= ~PRESSED;
    }
    let step = select(vec2i(0), n - p, moves);
    if ((actor.status & TOUCHING) == 0) { actor.mark = select(0, actor.mark + 1, moves && link == actor.link); }
    if (moves) {
      actor.along = along;
      actor.link = link;
      segment = next;
      p = n;
    }
    for (; isClose > 0; isClose--) {
      measureConflict(tick, p, step, actor.mark, contact);
    }
    if (isPassing || !moves) {
      actor.timer += 1;
      if (!isPassing && actor.timer >= rules.patienceTicks) { actor.timer = -rules.passingTicks; }
    } else {
      actor.timer = 0;
    }
  }
  actor.x = p.x;
  actor.y = p.y;
  writeActor(walker, actor);
  writeCache(walker, segment.direction);
}
