// Falling objects, balls and boxes, conflict vehicles (docs/rules.md, sections 5.4 to 5.6).

fn propShape(link: i32) -> Shape {
  return readShape(route.shapes + tables[route.props + u32(link)]);
}

/// Takes an actor out of storage, and what it needs every tick and storage is slow to give: a walker's segment, a prop's kind.
fn takeActor(slot: u32) {
  let actor = readStoredActor(slot);
  writeActor(slot, actor);
  if (slot < walkerCount()) {
    setWalkerSegment(slot, actor.link, routeSegment(actor.link));
  } else if (slot >= firstProp()) {
    cache[slot] = propShape(actor.link).kind;
  }
}

/// Does a thing at rest count when the agent comes upon it?
fn touchesRest() -> bool {
  return rules.setPoseTouches == 1 || env.physical == 1u;
}

/// The status of a thing at `d` from the agent: contact counts when it begins, if it `begins` at all, and ends beyond a margin.
fn touchObject(status: i32, d: vec2i, radius: i32, begins: bool) -> i32 {
  if (within(d, radius)) {
    if (!begins && (status & TOUCHING) == 0) { return status; }
    if ((status & TOUCHING) == 0) { tallyAdd(TALLY_OBJECT_CONTACTS, 1u); }
    return status | TOUCHING;
  }
  return select(status, status & ~TOUCHING, !within(d, radius + rules.releaseMargin));
}

/// May a falling object or a prop change in the chunk? Most hang or lie out of the agent's reach.
fn mayStir(slot: u32) -> bool {
  let actor = readActor(slot);
  let isFalling = slot < firstProp();
  let stage = actor.status >> STAGE_SHIFT;
  let isMoving = select(actor.speed > 0, stage == 1 || stage == 2, isFalling);
  let own = select(max(rules.boxRadius, rules.ballContact), max(rules.fallingRadius, rules.fallingTrigger), isFalling);
  let reach = rules.agentRadius + own;
  let p = positionOf(actor);
  let isFar = any(p < chunk.low - reach) || any(p > chunk.high + reach);
  return actor.status != 0 && (isMoving || (actor.status & TOUCHING) != 0 || !isFar);
}

fn runFalling(slot: u32) {
  var actor = readActor(slot);
  if (actor.status == 0) { return; }
  var tick = 1u;
  loop {
    let d = positionOf(actor) - poses[tick];
    let stage = actor.status >> STAGE_SHIFT;
    var advances = false;
    if (stage == 0) {
      if (within(d, rules.fallingTrigger)) {
        let draw = uniformBelow(randomU32(env.seed, PURPOSE_FALLING_DELAY, u32(actor.link), 0u), 11u);
        actor.timer = rules.fallingDelayTicks + i32(draw);
        advances = true;
      }
    } else if (stage == 1) {
      actor.timer -= 1;
      advances = actor.timer <= 0;
    } else if (stage == 2) {
      actor.speed += rules.gravity;
      actor.along -= actor.speed;
      if (actor.along <= 0) {
        actor.along = 0;
        actor.speed = 0;
        advances = true;
      }
    }
    if (advances) { actor.status += 1 << STAGE_SHIFT; }
    if ((actor.status >> STAGE_SHIFT) >= 2 && actor.along <= rules.agentHeight) {
      actor.status = touchObject(actor.status, d, rules.agentRadius + rules.fallingRadius, stage == 2 || touchesRest());
    }
    continuing {
      tick++;
      break if tick > chunk.ticks;
    }
  }
  let finalStage = actor.status >> STAGE_SHIFT;
  if (finalStage == 1 || finalStage == 2) { tallyOr(TALLY_AWAKE, 1u); }
  writeActor(slot, actor);
}

fn runProp(slot: u32) {
  var actor = readActor(slot);
  let isBall = readCache(slot) == KIND_BALL;
  let radius = select(rules.agentRadius + rules.boxRadius, rules.ballContact, isBall);
  var tick = 1u;
  loop {
    let rolls = actor.speed > 0;
    if (rolls) {
      let step = scaleQ14(actor.speed, unpackDirection(bitcast<u32>(actor.timer)));
      actor.x += step.x;
      actor.y += step.y;
      actor.speed = max(0, actor.speed - select(rules.frictionBox, rules.frictionBall, isBall));
    }
    let before = actor.status;
    actor.status = touchObject(before, positionOf(actor) - poses[tick], radius, rolls || touchesRest());
    let began = (actor.status & ~before & TOUCHING) != 0;
    if (began && (actor.status & MOVABLE) != 0) {
      actor.speed = select(rules.pushSpeedBox, rules.pushSpeedBall, isBall);
      actor.timer = bitcast<i32>(packDirection(direction(env.heading)));
    }
    continuing {
      tick++;
      break if tick > chunk.ticks;
    }
  }
  if (actor.speed > 0) { tallyOr(TALLY_AWAKE, 1u); }
  writeActor(slot, actor);
}

/// Vehicles are few and mostly absent: they stay in storage. A chunk with a vehicle is one tick long.
fn runVehicle(slot: u32) {
  var actor = readStoredActor(slot);
  if (actor.status == 0) { return; }
  let before = positionOf(actor);
  let driving = unpackDirection(bitcast<u32>(actor.link));
  actor.timer += 1;
  if (actor.status == VEHICLE_STAGED) {
    let target_ = before + scaleQ14(actor.speed, driving);
    if (within(target_ - poses[1], rules.vehicleImpact) || actor.timer >= rules.vehicleWaitTicks) {
      actor.status = VEHICLE_DRIVING;
      actor.timer = 0;
    }
  } else {
    let after = before + scaleQ14(rules.vehicleSpeed, driving);
    actor.x = after.x;
    actor.y = after.y;
    actor.along += rules.vehicleSpeed;
    let hits = sweptWithin(before - poses[0], after - poses[1], rules.vehicleImpact);
    if (hits) {
      tallyAdd(TALLY_VEHICLE_HIT, 1u);
      noteTimeToCollision(0u);
    } else {
      measureConflict(1u, after, after - before, actor.timer, rules.vehicleImpact);
    }
    if (hits || actor.along >= rules.vehicleRange || actor.timer >= rules.vehicleLifeTicks) { actor = Actor(); }
  }
  writeStoredActor(slot, actor);
}
