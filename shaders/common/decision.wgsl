// What happens between the ticks of a decision (docs/rules.md, section 4). One thread per
// environment runs these.

/// RT-SAFE protocol §3. Left is minus.
fn turnAngle() -> i32 {
  var table = array(-300, -600, -900, 300, 600, 900);
  return table[env.action - LAST_MOVE - 1u];
}

/// Is `p` within reach of polyline point `point`? Beside a crosswalk the reach is a rectangle in its frame (protocol §2).
fn isReached(point: u32, p: vec2i) -> bool {
  let d = p - routePoint(point);
  var besideCrosswalk = false;
  for (var edge = point - 1u; edge <= min(point, route.edgeCount - 1u); edge++) {
    let shape = readShape(route.edges + edge);
    if (shape.kind != KIND_CROSSWALK) { continue; }
    besideCrosswalk = true;
    let unit = unpackDirection(shape.direction);
    if (abs(dotQ14(d, unit)) <= rules.reachDistance && abs(crossQ14(d, unit)) <= rules.reachHalfWidth) { return true; }
  }
  return !besideCrosswalk && within(d, rules.reachDistance);
}

/// Do both ends of a move lie in the corridor of the active edge or in reach of its joints?
fn isCorridorMove(start: vec2i, target_: vec2i) -> bool {
  let edge = env.subgoal - 1u;
  let shape = readShape(route.edges + edge);
  let length = shape.extentX;
  for (var end = 0; end < 2; end++) {
    let p = select(start, target_, end == 1);
    let frame = stripFrame(shape, p);
    var isInside = 100 * frame.x >= -length && 100 * frame.x <= 101 * length && abs(frame.y) <= shape.extentY;
    for (var point = max(edge, 1u); point <= env.subgoal && !isInside; point++) {
      isInside = isReached(point, p);
    }
    if (!isInside) { return false; }
  }
  return true;
}

fn beginDecision(action: u32, latencyCentiseconds: u32) {
  env.decisions += 1u;
  env.exposureCentiseconds += latencyCentiseconds;
  env.action = select(0u, action, action <= LAST_WAIT);
  env.decisionTrips = 0u;
  env.decisionOil = 0u;
  env.decisionContacts = 0u;
  env.decisionBuilding = 0u;
  env.decisionPassive = 0u;
  env.hazardMask = 0u;
  env.arrived = 0u;
  env.status = PLANNING;
  env.phaseTicksLeft = 0;
  if (env.mode == 1u) {
    env.clockCentiseconds += latencyCentiseconds;
    let owed = env.carryCentiseconds + latencyCentiseconds;
    env.phaseTicksLeft = i32(owed / 10u);
    env.carryCentiseconds = owed % 10u;
  }
}

fn startExecution() {
  env.status = EXECUTING;
  if (env.action == 0u) {
    env.phaseTicksLeft = 0;
  } else if (isMove()) {
    let distance = moveDistanceCm(env.action);
    env.heading = wrapHeading(env.heading + moveTurn(env.action));
    let target_ = agentPosition() + scaleQ14(distance * UNITS_PER_CM, direction(env.heading));
    env.moveStartX = env.x;
    env.moveStartY = env.y;
    env.moveTargetX = target_.x;
    env.moveTargetY = target_.y;
    env.moveTicks = distance / 20;
    if (env.slow != 0u) {
      env.moveTicks *= 2;
      env.slow = 0u;
    }
    env.moveTick = 0;
    env.moveStop = env.moveTicks;
    env.phaseTicksLeft = env.moveTicks;
    env.physical = select(1u, 0u, isCorridorMove(agentPosition(), target_));
  } else if (env.action <= LAST_TURN) {
    env.phaseTicksLeft = 10;
  } else {
    env.phaseTicksLeft = 10 * i32(env.action - LAST_TURN);
  }
}

fn countHazards() {
  if (rules.hazardOncePerDecision == 0 || env.hazardMask == 0u) { return; }
  let class_ = firstTrailingBit(env.hazardMask);
  let anchor = vec2i(env.hazardX, env.hazardY);
  if (env.hazardKind == class_ + 1u && within(agentPosition() - anchor, rules.hazardRearm)) { return; }
  env.hazardKind = class_ + 1u;
  env.hazardX = env.x;
  env.hazardY = env.y;
  switch class_ {
    case 0u: {
      env.hazards[0] += 1u;
      env.decisionTrips += 1u;
    }
    case 1u: {
      env.hazards[1] += 1u;
      env.decisionOil += 1u;
    }
    default: { env.hazards[2] += 1u; }
  }
}

fn restoreCheckpoint() {
  env.x = env.checkpointX;
  env.y = env.checkpointY;
  env.heading = env.checkpointHeading;
  env.subgoal = env.checkpointSubgoal;
  env.jaywalking = env.checkpointJaywalking;
  env.admitted = env.checkpointAdmitted;
  env.illegal = env.checkpointIllegal;
  env.hazardKind = env.checkpointHazardKind;
  env.hazardX = env.checkpointHazardX;
  env.hazardY = env.checkpointHazardY;
  env.arrived = 0u;
}

fn saveCheckpoint() {
  env.checkpointX = env.x;
  env.checkpointY = env.y;
  env.checkpointHeading = env.heading;
  env.checkpointSubgoal = env.subgoal;
  env.checkpointJaywalking = env.jaywalking;
  env.checkpointAdmitted = env.admitted;
  env.checkpointIllegal = env.illegal;
  env.checkpointHazardKind = env.hazardKind;
  env.checkpointHazardX = env.hazardX;
  env.checkpointHazardY = env.hazardY;
}

/// First word of the trail's entry `number` (x, y, heading, subgoal); the last 40 are kept.
fn trailWord(number: u32) -> u32 {
  return current * STATE_WORDS + ENV_WORDS + 4u * (number % 40u);
}

/// Ten moves that lead nowhere put the agent back where it last moved freely (protocol §10).
fn restoreFromTrail() {
  let newest = env.trailCount;
  for (var back = 1u; back <= min(newest, 40u); back++) {
    let entry = trailWord(newest - back);
    let p = vec2i(bitcast<i32>(states[entry]), bitcast<i32>(states[entry + 1u]));
    if (!within(p - agentPosition(), 4799)) {
      env.x = p.x;
      env.y = p.y;
      env.heading = bitcast<i32>(states[entry + 2u]);
      env.subgoal = states[entry + 3u];
      return;
    }
  }
}

fn moveDisplacement() -> vec2i {
  return agentPosition() - vec2i(env.moveStartX, env.moveStartY);
}

/// The action is over: where has it led?
fn arrive() {
  if (isMove()) {
    let displacement = moveDisplacement();
    env.travelled += integerSquareRoot(u32(dot2(displacement, displacement)));
  } else if (env.action > LAST_MOVE && env.action <= LAST_TURN) {
    env.heading = wrapHeading(env.heading + turnAngle());
  }
  if (env.action != 0u) {
    if (isReached(env.subgoal, agentPosition())) {
      if (env.subgoal < route.edgeCount) {
        env.subgoal += 1u;
      } else {
        env.arrived = 1u;
      }
    }
  }
}

/// Penalties, hazards, rollback: how long does the recovery take, and where?
fn startRecovery() {
  let displacement = select(vec2i(0), moveDisplacement(), isMove());
  var recovery = 0;
  if (env.decisionContacts + env.decisionBuilding > 0u) { recovery += rules.contactPenaltyTicks; }
  if (isMove()) { countHazards(); }
  recovery += i32(env.decisionTrips) * rules.tripPenaltyTicks;
  if (env.decisionOil > 0u) { env.slow = 1u; }
  if (isMove() && !within(displacement, 799) && env.decisionContacts + env.decisionBuilding == 0u) {
    let entry = trailWord(env.trailCount);
    states[entry] = bitcast<u32>(env.x);
    states[entry + 1u] = bitcast<u32>(env.y);
    states[entry + 2u] = bitcast<u32>(env.heading);
    states[entry + 3u] = env.subgoal;
    env.trailCount += 1u;
  }
  let isWedged = isMove() && within(displacement, 319);
  if (env.decisionBuilding > 0u) {
    env.buildingStreak += 1u;
    recovery += rules.buildingPenaltyTicks;
    restoreCheckpoint();
    if (env.buildingStreak >= u32(rules.buildingLimit)) { env.outcome = REPEATED_BUILDING_COLLISION; }
  } else {
    env.buildingStreak = 0u;
  }
  if (isMove() && env.decisionBuilding == 0u) {
    env.wedgeStreak = select(0u, env.wedgeStreak + 1u, isWedged);
    if (env.wedgeStreak >= u32(rules.wedgeLimit)) {
      env.wedgeStreak = 0u;
      recovery += rules.wedgePenaltyTicks;
      restoreFromTrail();
    }
  }
  env.status = RECOVERING;
  env.phaseTicksLeft = recovery;
}

fn endRecovery() {
  if (env.decisionContacts + env.decisionBuilding + env.decisionPassive == 0u) { saveCheckpoint(); }
  if (env.outcome == 0u) {
    if (env.arrived != 0u) {
      env.outcome = SUCCESS;
    } else if (env.decisions >= env.maxDecisions) {
      env.outcome = DECISION_BUDGET;
    }
  }
  env.status = select(DONE, AWAITING, env.outcome == 0u);
  env.hashPending = 1u;
}

