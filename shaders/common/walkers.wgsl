// Pedestrians and robot dogs (docs/rules.md, sections 5.1 and 5.3).

fn routeSegment(link: i32) -> PathSegment {
  return readPathSegment(route.segments + u32(link));
}

/// The agent's step was refused by this walker.
fn pressWalker(slot: u32) {
  setActorStatus(slot, actorStatus(slot) | PRESSED);
}

/// Does a walker do the same in all ticks of the chunk, with the agent out of its reach?
fn isSteady(actor: Actor) -> bool {
  let ticks = i32(chunk.ticks);
  // The last is for what rounding adds to a step.
  let reach = rules.humanContact + rules.clearanceSocial + actor.speed * ticks + 64;
  let p = positionOf(actor);
  let isFar = any(p < chunk.low - reach) || any(p > chunk.high + reach);
  let isWalking = actor.timer >= 0 && (actor.status & HELD) == 0;
  let lastTimer = select(rules.patienceTicks - 1, 0, actor.timer < 0);
  return isFar && (actor.status & (TOUCHING | PRESSED)) == 0 && (isWalking || actor.timer + ticks <= lastTimer);
}

/// floor(along / speed) for what a walker covers in a chunk; drivers on a CPU divide lane by lane.
fn wholeSteps(along: i32, speed: i32) -> i32 {
  var steps = 0;
  for (var step = 1; step < i32(NEIGHBOUR_PERIOD); step++) { steps += select(0, 1, along >= step * speed); }
  return steps;
}

// What a walker has to do in a chunk after `strideWalker`.
const NOTHING_MORE = 0u;
const ONE_TURN = 1u;   // around a corner
const ALL_TICKS = 2u;  // near the agent

/// Takes a walker through the chunk in one stride if it does the same in all ticks on one segment, as most do; the same as
/// `runWalker` in this case. If it does not, it is as it was, and must be run. Slots without a walker have nothing to do.
fn strideWalker(walker: u32) -> u32 {
  let actor = readActor(walker);
  let segment = walkerSegment(walker, actor.link);
  let ticks = i32(chunk.ticks);
  let isPassing = actor.timer < 0;
  let moves = isPassing || (actor.status & HELD) == 0;
  let along = actor.along + select(0, actor.speed * ticks, moves);
  let isPresent = actor.status != 0;
  let steady = isSteady(actor);
  let strides = isPresent && steady && along < segment.length;
  // Written in any case: on a CPU driver a write by all lanes is cheaper than one by some.
  let p = select(positionOf(actor), segmentPosition(segment, along), strides && moves);
  setWalkerPlace(walker, p, select(actor.along, along, strides));
  setWalkerMark(walker, select(actor.mark, select(0, actor.mark + ticks, moves), strides));
  let timer = select(0, actor.timer + ticks, isPassing || !moves);
  setWalkerTimer(walker, select(actor.timer, timer, strides));
  return select(select(ALL_TICKS, ONE_TURN, steady), NOTHING_MORE, strides || !isPresent);
}

/// Runs a walker that is there.
fn runWalker(walker: u32) {
  let before = readActor(walker);
  var actor = before;
  let contact = rules.humanContact;
  let runsOnce = rules.dogsRepeat == 0 && walker >= env.pedestrians;
  let firstLink = actor.link;
  var segment = walkerSegment(walker, firstLink);
  var p = positionOf(actor);
  let stride = select(1, i32(chunk.ticks), isSteady(actor));
  var tick = u32(stride);
  loop {
    let agent = poses[tick];
    let isPassing = actor.timer < 0;
    var along = actor.along + actor.speed * stride;
    var link = actor.link;
    var next = segment;
    var sinceCorner = -1;
    if (along >= next.length) {
      var corners = 0;
      loop {
        let following = i32(routeSegment(link).next);
        let ends = runsOnce && following <= link;
        along = select(along - next.length, next.length - 1, ends);
        if (!ends) {
          link = following;
          next = routeSegment(link);
          sinceCorner = wholeSteps(along, actor.speed);
        }
        corners++;
        continuing {
          break if along < next.length || corners >= 4 * stride;
        }
      }
    }
    let n = segmentPosition(next, along);
    var moves = isPassing || (actor.status & HELD) == 0;
    var isClose = false;
    if (stride == 1) {
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
        isClose = (actor.status & TOUCHING) == 0;
      }
      actor.status &= ~PRESSED;
    }
    let step = select(vec2i(0), n - p, moves);
    if ((actor.status & TOUCHING) == 0) { actor.mark = select(0, select(sinceCorner, actor.mark + stride, sinceCorner < 0), moves); }
    if (moves) {
      actor.along = along;
      actor.link = link;
      segment = next;
      p = n;
    }
    if (isClose) { measureConflict(tick, p, step, actor.mark, contact); }
    if (isPassing || !moves) {
      actor.timer += stride;
      if (!isPassing && actor.timer >= rules.patienceTicks) { actor.timer = -rules.passingTicks; }
    } else {
      actor.timer = 0;
    }
    continuing {
      tick += u32(stride);
      break if tick > chunk.ticks;
    }
  }
  setWalkerPlace(walker, p, actor.along);
  setWalkerMark(walker, actor.mark);
  // The rest changes seldom.
  if (actor.link != firstLink) { setWalkerSegment(walker, actor.link, segment); }
  if (actor.timer != before.timer || actor.status != before.status) {
    setActorStatus(walker, actor.status);
    setWalkerTimer(walker, actor.timer);
  }
}
