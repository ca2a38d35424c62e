// What happens between the ticks of a decision (docs/rules.md, section 4). One thread per
// environment runs these.


fn wrapHeading(heading: i32) -> i32 {
  return (heading + 3600) % 3600;
}

// Tables of the 16 actions (RT-SAFE protocol §3). Left is minus.
fn moveDistanceCm() -> i32 {
  var table = array(100, 200, 200, 200, 400, 400, 400);
  return table[envs[current].action - 1u];
}

fn moveTurn() -> i32 {
  var table = array(0, 0, -450, 450, 0, -450, 450);
  return table[envs[current].action - 1u];
}

fn turnAngle() -> i32 {
  var table = array(-300, -600, -900, 300, 600, 900);
  return table[envs[current].action - LAST_MOVE - 1u];
}

/// End point of route edge `edge`.
fn routePoint(point: u32) -> vec2i {
  if (point == route.edgeCount) { return vec2i(route.endX, route.endY); }
  return shapePosition(shapes[route.edges + point]);
}

/// Is `p` within reach of polyline point `point`? Beside a crosswalk the reach is a rectangle in its frame (protocol §2).
fn isReached(point: u32, p: vec2i) -> bool {
  let d = p - routePoint(point);
  var besideCrosswalk = false;
  for (var edge = point - 1u; edge <= min(point, route.edgeCount - 1u); edge++) {
    let shape = shapes[route.edges + edge];
    if (shape.kind != KIND_CROSSWALK) { continue; }
    besideCrosswalk = true;
    let unit = unpackDirection(shape.direction);
    if (abs(dotQ14(d, unit)) <= rules.reachDistance && abs(crossQ14(d, unit)) <= rules.reachHalfWidth) { return true; }
  }
  return !besideCrosswalk && within(d, rules.reachDistance);
}

fn isInCorridor(p: vec2i) -> bool {
  let edge = envs[current].subgoal - 1u;
  let shape = shapes[route.edges + edge];
  let frame = stripFrame(shape, p);
  let length = shape.extentX;
  if (100 * frame.x >= -length && 100 * frame.x <= 101 * length && abs(frame.y) <= shape.extentY) { return true; }
  return isReached(envs[current].subgoal, p) || (edge > 0u && isReached(edge, p));
}

fn beginDecision(action: u32, latencyCentiseconds: u32) {
  envs[current].decisions += 1u;
  envs[current].exposureCentiseconds += latencyCentiseconds;
  envs[current].action = select(0u, action, action <= LAST_WAIT);
  envs[current].decisionTrips = 0u;
  envs[current].decisionOil = 0u;
  envs[current].decisionContacts = 0u;
  envs[current].decisionBuilding = 0u;
  envs[current].decisionPassive = 0u;
  envs[current].hazardMask = 0u;
  envs[current].arrived = 0u;
  sampleCrossing(agentPosition());
  envs[current].status = PLANNING;
  envs[current].phaseTicksLeft = 0;
  if (envs[current].mode == 1u) {
    envs[current].clockCentiseconds += latencyCentiseconds;
    let owed = envs[current].carryCentiseconds + latencyCentiseconds;
    envs[current].phaseTicksLeft = i32(owed / 10u);
    envs[current].carryCentiseconds = owed % 10u;
  }
}

fn startExecution() {
  envs[current].status = EXECUTING;
  if (envs[current].action == 0u) {
    envs[current].phaseTicksLeft = 0;
  } else if (isMove()) {
    let distance = moveDistanceCm();
    envs[current].heading = wrapHeading(envs[current].heading + moveTurn());
    let target_ = agentPosition() + scaleQ14(distance * UNITS_PER_CM, direction(envs[current].heading));
    envs[current].moveStartX = envs[current].x;
    envs[current].moveStartY = envs[current].y;
    envs[current].moveTargetX = target_.x;
    envs[current].moveTargetY = target_.y;
    envs[current].moveTicks = distance / 20;
    if (envs[current].slow != 0u) {
      envs[current].moveTicks *= 2;
      envs[current].slow = 0u;
    }
    envs[current].moveTick = 0;
    envs[current].moveStop = envs[current].moveTicks;
    envs[current].phaseTicksLeft = envs[current].moveTicks;
    envs[current].physical = select(1u, 0u, isInCorridor(agentPosition()) && isInCorridor(target_));
    sampleCrossing(agentPosition());
    admitMove(agentPosition(), target_);
  } else if (envs[current].action <= LAST_TURN) {
    envs[current].phaseTicksLeft = 10;
  } else {
    envs[current].phaseTicksLeft = 10 * i32(envs[current].action - LAST_TURN);
  }
}

fn countHazards() {
  if (rules.hazardOncePerDecision == 0 || envs[current].hazardMask == 0u) { return; }
  let class_ = firstTrailingBit(envs[current].hazardMask);
  let anchor = vec2i(envs[current].hazardX, envs[current].hazardY);
  if (envs[current].hazardKind == class_ + 1u && within(agentPosition() - anchor, rules.hazardRearm)) { return; }
  envs[current].hazards[class_] += 1u;
  envs[current].hazardKind = class_ + 1u;
  envs[current].hazardX = envs[current].x;
  envs[current].hazardY = envs[current].y;
  if (class_ == 0u) { envs[current].decisionTrips += 1u; }
  if (class_ == 1u) { envs[current].decisionOil += 1u; }
}

fn restoreCheckpoint() {
  envs[current].x = envs[current].checkpointX;
  envs[current].y = envs[current].checkpointY;
  envs[current].heading = envs[current].checkpointHeading;
  envs[current].subgoal = envs[current].checkpointSubgoal;
  envs[current].jaywalking = envs[current].checkpointJaywalking;
  envs[current].admitted = envs[current].checkpointAdmitted;
  envs[current].illegal = envs[current].checkpointIllegal;
  envs[current].hazardKind = envs[current].checkpointHazardKind;
  envs[current].hazardX = envs[current].checkpointHazardX;
  envs[current].hazardY = envs[current].checkpointHazardY;
  envs[current].arrived = 0u;
}

fn saveCheckpoint() {
  envs[current].checkpointX = envs[current].x;
  envs[current].checkpointY = envs[current].y;
  envs[current].checkpointHeading = envs[current].heading;
  envs[current].checkpointSubgoal = envs[current].subgoal;
  envs[current].checkpointJaywalking = envs[current].jaywalking;
  envs[current].checkpointAdmitted = envs[current].admitted;
  envs[current].checkpointIllegal = envs[current].illegal;
  envs[current].checkpointHazardKind = envs[current].hazardKind;
  envs[current].checkpointHazardX = envs[current].hazardX;
  envs[current].checkpointHazardY = envs[current].hazardY;
}

/// Ten moves that lead nowhere put the agent back where it last moved freely (protocol §10).
fn restoreFromTrail() {
  let newest = envs[current].trailCount;
  for (var back = 1u; back <= min(newest, 40u); back++) {
    let entry = envs[current].trail[(newest - back) % 40u];
    if (!within(vec2i(entry.x, entry.y) - agentPosition(), 4799)) {
      envs[current].x = entry.x;
      envs[current].y = entry.y;
      envs[current].heading = entry.heading;
      envs[current].subgoal = entry.subgoal;
      return;
    }
  }
}

fn endExecution() {
  var displacement = vec2i(0);
  if (isMove()) {
    displacement = agentPosition() - vec2i(envs[current].moveStartX, envs[current].moveStartY);
    envs[current].travelled += integerSquareRoot(u32(dot2(displacement, displacement)));
  } else if (envs[current].action > LAST_MOVE && envs[current].action <= LAST_TURN) {
    envs[current].heading = wrapHeading(envs[current].heading + turnAngle());
  }
  if (envs[current].action != 0u) {
    if (isReached(envs[current].subgoal, agentPosition())) {
      if (envs[current].subgoal < route.edgeCount) {
        envs[current].subgoal += 1u;
      } else {
        envs[current].arrived = 1u;
      }
    }
    if (rules.violationEveryTick == 0) { sampleJaywalk(agentPosition()); }
  }
  var recovery = 0;
  if (envs[current].decisionContacts + envs[current].decisionBuilding > 0u) { recovery += rules.contactPenaltyTicks; }
  if (isMove()) { countHazards(); }
  recovery += i32(envs[current].decisionTrips) * rules.tripPenaltyTicks;
  if (envs[current].decisionOil > 0u) { envs[current].slow = 1u; }
  if (isMove() && !within(displacement, 799) && envs[current].decisionContacts + envs[current].decisionBuilding == 0u) {
    envs[current].trail[envs[current].trailCount % 40u] = Checkpoint(envs[current].x, envs[current].y, envs[current].heading, envs[current].subgoal);
    envs[current].trailCount += 1u;
  }
  let isWedged = isMove() && within(displacement, 319);
  if (envs[current].decisionBuilding > 0u) {
    envs[current].buildingStreak += 1u;
    recovery += rules.buildingPenaltyTicks;
    restoreCheckpoint();
    if (envs[current].buildingStreak >= u32(rules.buildingLimit)) { envs[current].outcome = REPEATED_BUILDING_COLLISION; }
  } else {
    envs[current].buildingStreak = 0u;
  }
  if (isMove() && envs[current].decisionBuilding == 0u) {
    envs[current].wedgeStreak = select(0u, envs[current].wedgeStreak + 1u, isWedged);
    if (envs[current].wedgeStreak >= u32(rules.wedgeLimit)) {
      envs[current].wedgeStreak = 0u;
      recovery += rules.wedgePenaltyTicks;
      restoreFromTrail();
    }
  }
  envs[current].status = RECOVERING;
  envs[current].phaseTicksLeft = recovery;
}

fn endRecovery() {
  if (envs[current].decisionContacts + envs[current].decisionBuilding + envs[current].decisionPassive == 0u) { saveCheckpoint(); }
  if (envs[current].outcome == 0u) {
    if (envs[current].arrived != 0u) {
      envs[current].outcome = SUCCESS;
    } else if (envs[current].decisions >= envs[current].maxDecisions) {
      envs[current].outcome = DECISION_BUDGET;
    }
  }
  envs[current].status = select(DONE, AWAITING, envs[current].outcome == 0u);
  envs[current].hashPending = 1u;
}

