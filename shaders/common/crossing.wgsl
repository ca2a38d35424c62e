// Signals, crossings, the road and what a violation launches (docs/rules.md, section 7). One thread runs
// these for its environment, between ticks.

/// Do all pedestrian heads of a junction with `groups` vehicle phases show WALK?
fn isWalk(groups: i32) -> bool {
  let vehicles = groups * (rules.greenTicks + rules.yellowTicks + rules.allRedTicks);
  let phase = i32(env.worldTick % u32(vehicles + rules.walkTicks + rules.clearanceTicks));
  return phase >= vehicles && phase < vehicles + rules.walkTicks;
}

fn isOpen(crosswalk: Shape) -> bool {
  return crosswalk.link == 0 || isWalk(crosswalk.link);
}

/// What lies under a point.
struct Ground {
  onSidewalk: bool,
  onRoad: bool,
  crosswalk: u32,       // whose painted band holds the point, as map index + 1; 0 for none
  crosswalkShape: Shape,
  road: Shape,          // of the nearest lane
  lane: i32,            // its offset from the road's axis
}

fn groundAt(p: vec2i) -> Ground {
  var ground = Ground();
  var nearest = 0x7fffffff;
  let items = itemsAt(p);
  for (var item = items.first; item < items.end; item++) {
    let index = tables[item];
    let shape = readShape(index);
    if (shape.kind > KIND_ROAD) { continue; }
    let frame = stripFrame(shape, p);
    let isOn = frame.x >= 0 && frame.x <= shape.extentX && abs(frame.y) <= shape.extentY;
    if (!isOn) { continue; }
    if (shape.kind == KIND_SIDEWALK) {
      ground.onSidewalk = true;
    } else if (shape.kind == KIND_ROAD) {
      ground.onRoad = true;
      let first = abs(frame.y + rules.laneOffset);
      let second = abs(frame.y - rules.laneOffset);
      if (min(first, second) < nearest) {
        nearest = min(first, second);
        ground.road = shape;
        ground.lane = select(-rules.laneOffset, rules.laneOffset, second < first);
      }
    } else if (ground.crosswalk == 0u && isBetweenKerbs(frame.x, shape.extentX)) {
      ground.crosswalk = index - route.shapes + 1u;
      ground.crosswalkShape = shape;
    }
  }
  return ground;
}

fn mapShape(latch: u32) -> Shape {
  return readShape(route.shapes + latch - 1u);
}

/// A latch holds until a kerb of its crosswalk is behind the agent.
fn keptLatch(latch: u32, p: vec2i) -> u32 {
  if (latch == 0u) { return 0u; }
  let shape = mapShape(latch);
  return select(0u, latch, isBetweenKerbs(stripFrame(shape, p).x, shape.extentX));
}

/// Samples the rules of crossing, of the road, or both, at a pose, and launches what a violation calls for.
fn sampleViolations(p: vec2i, crossing: bool, road: bool) {
  let ground = groundAt(p);
  var violates = false;
  var axis = vec2i(0);       // of the agent's crossing: along the crosswalk, or across the road
  var along = 0;             // the agent's place on it
  var middle = 0;            // the road's axis on it
  var origin = vec2i(0);     // of the axis
  var lane = 0;              // offset of the chosen lane from the middle
  if (crossing) {
    env.admitted = keptLatch(env.admitted, p);
    env.illegal = keptLatch(env.illegal, p);
    let latch = select(ground.crosswalk, 0u, ground.onSidewalk);
    if (latch != 0u && latch != env.admitted && latch != env.illegal) {
      let crosswalk = ground.crosswalkShape;
      if (isOpen(crosswalk)) {
        env.admitted = latch;
      } else {
        env.violations[0] += 1u;
        env.illegal = latch;
        violates = true;
        axis = unpackDirection(crosswalk.direction);
        origin = shapePosition(crosswalk);
        along = stripFrame(crosswalk, p).x;
        middle = crosswalk.extentX / 2;
      }
    }
  }
  let isRedLight = violates;
  if (road) {
    let isUnsafe = ground.onRoad && ground.crosswalk == 0u && !ground.onSidewalk;
    if (isUnsafe && env.jaywalking == 0u) {
      env.violations[1] += 1u;
      violates = true;
      let unit = unpackDirection(ground.road.direction);
      axis = vec2i(-unit.y, unit.x);
      let frame = stripFrame(ground.road, p);
      origin = shapePosition(ground.road) + scaleQ14(frame.x, unit);
      along = frame.y;
      lane = ground.lane;
    }
    env.jaywalking = select(0u, 1u, isUnsafe);
  }
  if (!violates) { return; }
  let facing = dotQ14(direction(env.heading), axis);
  var travel = select(-1, 1, along <= middle);
  if (facing > 819) { travel = 1; }
  if (facing < -819) { travel = -1; }
  if (isRedLight) { lane = nextLane(along - middle, travel); }
  let isBehind = (middle + lane - along) * travel < 0;
  let driving = select(vec2i(-axis.y, axis.x), vec2i(axis.y, -axis.x), lane > 0);
  launch(origin + scaleQ14(middle + lane, axis), driving, isBehind, p);
}

/// The next lane ahead on a crosswalk, else the nearest one passed. `place`: the agent's offset from the road's axis.
fn nextLane(place: i32, travel: i32) -> i32 {
  let offset = rules.laneOffset;
  let firstAhead = (-offset - place) * travel >= 0;
  let secondAhead = (offset - place) * travel >= 0;
  var useSecond = abs(offset - place) < abs(-offset - place);
  if (firstAhead != secondAhead) { useSecond = secondAhead; }
  return select(-offset, offset, useSecond);
}

/// Entering a guarded band while it is open admits the agent, whatever the signal shows later.
fn admitMove(origin: vec2i, goal: vec2i) {
  for (var step = 0; step <= 20; step++) {
    let p = origin + (goal - origin) * step / 20;
    let items = itemsAt(p);
    for (var item = items.first; item < items.end; item++) {
      let index = tables[item];
      let shape = readShape(index);
      if (shape.kind != KIND_CROSSWALK) { continue; }
      let frame = stripFrame(shape, p);
      if (isBetweenKerbs(frame.x, shape.extentX) && abs(frame.y) <= rules.guardHalfWidth && isOpen(shape)) {
        env.admitted = index - route.shapes + 1u;
        return;
      }
    }
  }
}

/// Stages a conflict vehicle upstream of its target point, or sets it off at once.
fn launch(target_: vec2i, driving: vec2i, isBehind: bool, p: vec2i) {
  if ((env.classes & CLASS_CONFLICT) == 0u) { return; }
  let first = firstVehicle();
  var slot = first;
  while (slot < first + VEHICLES && readStoredActor(slot).status != 0) {
    slot++;
  }
  if (slot == first + VEHICLES) { return; }
  let number = env.conflicts[0];
  env.conflicts[0] = number + 1u;
  let draw = uniformBelow(randomU32(env.seed, PURPOSE_LAUNCH, number, 0u), u32(rules.launchSpanCm) + 1u);
  let distance = (rules.launchMinimumCm + i32(draw)) * UNITS_PER_CM;
  let start = target_ - scaleQ14(distance, driving);
  let drives = isBehind || within(target_ - p, rules.vehicleImpact);
  let status = select(VEHICLE_STAGED, VEHICLE_DRIVING, drives);
  let link = bitcast<i32>(packDirection(driving));
  writeStoredActor(slot, Actor(start.x, start.y, link, 0, distance, status, 0, 0));
}
