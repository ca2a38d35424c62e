// Signals, crossings, the road and what a violation launches (docs/rules.md, section 7). One thread runs
// these for its environment, between ticks.

/// Do all pedestrian heads of a junction with `groups` vehicle phases show WALK?
fn isWalk(groups: i32) -> bool {
  let vehicles = groups * (rules.greenTicks + rules.yellowTicks + rules.allRedTicks);
  let phase = i32(envs[current].worldTick % u32(vehicles + rules.walkTicks + rules.clearanceTicks));
  return phase >= vehicles && phase < vehicles + rules.walkTicks;
}

fn isOpen(crosswalk: Shape) -> bool {
  return crosswalk.link == 0 || isWalk(crosswalk.link);
}

fn isOnSidewalk(p: vec2i) -> bool {
  let items = itemsAt(p);
  for (var item = items.first; item < items.end; item++) {
    let shape = shapes[tables[item]];
    if (shape.kind == KIND_SIDEWALK && isOnStrip(shape, p)) { return true; }
  }
  return false;
}

/// The crosswalk whose painted band holds `p`, as map index + 1; 0 for none.
fn crosswalkAt(p: vec2i) -> u32 {
  let items = itemsAt(p);
  for (var item = items.first; item < items.end; item++) {
    let index = tables[item];
    let shape = shapes[index];
    if (shape.kind == KIND_CROSSWALK && isInPaintedBand(shape, p)) { return index - route.shapes + 1u; }
  }
  return 0u;
}

fn mapShape(latch: u32) -> Shape {
  return shapes[route.shapes + latch - 1u];
}

/// A latch holds until a kerb of its crosswalk is behind the agent.
fn keptLatch(latch: u32, p: vec2i) -> u32 {
  if (latch == 0u) { return 0u; }
  let shape = mapShape(latch);
  return select(0u, latch, isBetweenKerbs(stripFrame(shape, p).x, shape.extentX));
}

fn sampleCrossing(p: vec2i) {
  envs[current].admitted = keptLatch(envs[current].admitted, p);
  envs[current].illegal = keptLatch(envs[current].illegal, p);
  let latch = crosswalkAt(p);
  if (latch == 0u || latch == envs[current].admitted || latch == envs[current].illegal || isOnSidewalk(p)) { return; }
  let crosswalk = mapShape(latch);
  if (isOpen(crosswalk)) {
    envs[current].admitted = latch;
  } else {
    envs[current].violations[0] += 1u;
    envs[current].illegal = latch;
    launchAtCrosswalk(crosswalk, p);
  }
}

/// Entering a guarded band while it is open admits the agent, whatever the signal shows later.
fn admitMove(origin: vec2i, goal: vec2i) {
  for (var step = 0; step <= 20; step++) {
    let p = origin + (goal - origin) * step / 20;
    let items = itemsAt(p);
    for (var item = items.first; item < items.end; item++) {
      let index = tables[item];
      let shape = shapes[index];
      if (shape.kind != KIND_CROSSWALK) { continue; }
      let frame = stripFrame(shape, p);
      if (isBetweenKerbs(frame.x, shape.extentX) && abs(frame.y) <= rules.guardHalfWidth && isOpen(shape)) {
        envs[current].admitted = index - route.shapes + 1u;
        return;
      }
    }
  }
}

fn sampleJaywalk(p: vec2i) {
  let items = itemsAt(p);
  var onRoad = false;
  for (var item = items.first; item < items.end; item++) {
    let shape = shapes[tables[item]];
    if (shape.kind == KIND_ROAD && isOnStrip(shape, p)) { onRoad = true; }
  }
  if (!onRoad || crosswalkAt(p) != 0u || isOnSidewalk(p)) {
    envs[current].jaywalking = 0u;
    return;
  }
  if (envs[current].jaywalking == 0u) {
    envs[current].violations[1] += 1u;
    envs[current].jaywalking = 1u;
    launchOnRoad(p);
  }
}

/// Which way along `axis` the agent faces: +1, -1, or `fallback` within 0.05 of neither.
fn travelAlong(axis: vec2i, fallback: i32) -> i32 {
  let facing = dotQ14(direction(envs[current].heading), axis);
  if (facing > 819) { return 1; }
  if (facing < -819) { return -1; }
  return fallback;
}

fn launchAtCrosswalk(crosswalk: Shape, p: vec2i) {
  let unit = unpackDirection(crosswalk.direction);
  let along = stripFrame(crosswalk, p).x;
  let travel = travelAlong(unit, select(-1, 1, 2 * along <= crosswalk.extentX));
  let first = crosswalk.extentX / 2 - rules.laneOffset;
  let second = crosswalk.extentX / 2 + rules.laneOffset;
  let firstAhead = (first - along) * travel >= 0;
  let secondAhead = (second - along) * travel >= 0;
  var useSecond = abs(second - along) < abs(first - along);
  if (firstAhead != secondAhead) { useSecond = secondAhead; }
  let target_ = shapePosition(crosswalk) + scaleQ14(select(first, second, useSecond), unit);
  let driving = select(vec2i(-unit.y, unit.x), vec2i(unit.y, -unit.x), useSecond);
  launch(target_, driving, !(firstAhead || secondAhead), p);
}

fn launchOnRoad(p: vec2i) {
  let items = itemsAt(p);
  var best = 0x7fffffff;
  var road: Shape;
  var lane = 0;
  for (var item = items.first; item < items.end; item++) {
    let shape = shapes[tables[item]];
    if (shape.kind != KIND_ROAD || !isOnStrip(shape, p)) { continue; }
    let lateral = stripFrame(shape, p).y;
    for (var side = -1; side <= 1; side += 2) {
      let offset = abs(lateral - side * rules.laneOffset);
      if (offset < best) {
        best = offset;
        road = shape;
        lane = side * rules.laneOffset;
      }
    }
  }
  let unit = unpackDirection(road.direction);
  let across = vec2i(-unit.y, unit.x);
  let frame = stripFrame(road, p);
  let travel = travelAlong(across, select(-1, 1, frame.y <= 0));
  let target_ = shapePosition(road) + scaleQ14(frame.x, unit) + scaleQ14(lane, across);
  launch(target_, select(-unit, unit, lane > 0), (lane - frame.y) * travel < 0, p);
}

/// Stages a conflict vehicle upstream of its target point, or sets it off at once.
fn launch(target_: vec2i, driving: vec2i, isBehind: bool, p: vec2i) {
  if ((envs[current].classes & CLASS_CONFLICT) == 0u) { return; }
  let first = firstVehicle(current);
  var slot = first;
  while (slot < first + VEHICLES && actors[actorWord(STATUS, slot)] != 0) {
    slot++;
  }
  if (slot == first + VEHICLES) { return; }
  let number = envs[current].conflicts[0];
  envs[current].conflicts[0] = number + 1u;
  let draw = uniformBelow(randomU32(envs[current].seed, PURPOSE_LAUNCH, number, 0u), u32(rules.launchSpanCm) + 1u);
  let distance = (rules.launchMinimumCm + i32(draw)) * UNITS_PER_CM;
  let start = target_ - scaleQ14(distance, driving);
  actors[actorWord(X, slot)] = start.x;
  actors[actorWord(Y, slot)] = start.y;
  actors[actorWord(LINK, slot)] = bitcast<i32>(packDirection(driving));
  actors[actorWord(ALONG, slot)] = 0;
  actors[actorWord(SPEED, slot)] = distance;
  actors[actorWord(STATUS, slot)] =
    select(VEHICLE_STAGED, VEHICLE_DRIVING, isBehind || within(target_ - p, rules.vehicleImpact));
  actors[actorWord(TIMER, slot)] = 0;
  actors[actorWord(MARK, slot)] = 0;
}
