// One chunk of ticks (docs/rules.md, sections 5 and 6): up to five ticks in which no actor needs to know what another finds.
// Positions of the agent are known beforehand, walkers look at each other only at the chunk's start, and counts add up
// in any order. So the actors may be shared out over a workgroup (team.wgsl) or be run by one thread (solo.wgsl).

const NEIGHBOUR_PERIOD = 5u;
const BUCKETS = 128u;
const BUCKET_SHIFT = 12u;    // cells of 256 cm, at least twice followGap
const NOBODY = -1;

/// What all threads need of the environment, read once.
struct Frame {
  walkers: u32,
  firstProp: u32,
  firstVehicle: u32,
  slots: u32,
  seed: u32,
  classes: u32,
}

/// What the workgroup does next, decided by one thread.
struct Chunk {
  ticks: u32,          // 0: nothing is owed, or the budget is used up
  neighbours: u32,     // walkers look at each other before the first tick
  physical: u32,       // the agent's step of this tick may be refused
  settles: u32,        // one thread settles the step before the actors run
  moving: u32,         // the agent is on a move
  touching: u32,       // furniture and buildings count when entered: on a move that is not physical
  endTick: u32,        // tick of the chunk at which the move ends; 0: not in this chunk
  heading: i32,
}

// Counts of one chunk; every one only ever grows, or is or-ed into.
const TALLY_HUMAN_CONTACTS = 0u;
const TALLY_HUMAN_INCIDENTS = 1u;
const TALLY_OBJECT_CONTACTS = 2u;
const TALLY_IMPACT_SUM = 3u;
const TALLY_IMPACT_MAXIMUM = 4u;
const TALLY_NEAR = 5u;               // bit 3 * tick + distance class
const TALLY_HAZARD_MASK = 6u;
const TALLY_HAZARDS = 7u;            // 7, 8, 9: trip, oil, water
const TALLY_BUILDING_TICKS = 10u;    // bit per tick
const TALLY_REFUSING_OBJECTS = 11u;
const TALLY_REFUSING_BUILDING = 12u;
const TALLY_REFUSING_WALKER = 13u;
const TALLY_VEHICLE_HIT = 14u;
const TALLIES = 15u;

fn actorPosition(actor: u32) -> vec2i {
  return vec2i(readActor(X, actor), readActor(Y, actor));
}

fn setActorPosition(actor: u32, p: vec2i) {
  writeActor(X, actor, p.x);
  writeActor(Y, actor, p.y);
}

fn agentAt(tick: u32) -> vec2i {
  return poses[tick];
}

fn squaredLength(d: vec2i) -> i32 {
  return dot2(d, d);
}

/// Is `goal` within `radius` of `q` and nearer to it than `origin`?
fn approaches(origin: vec2i, goal: vec2i, q: vec2i, radius: i32) -> bool {
  return within(goal - q, radius) && squaredLength(goal - q) < squaredLength(origin - q);
}

fn routeSegment(link: i32) -> PathSegment {
  return segments[route.segments + u32(link)];
}

fn propShape(link: i32) -> Shape {
  return shapes[route.shapes + tables[route.props + u32(link)]];
}

fn propRadius(kind: u32) -> i32 {
  return select(rules.agentRadius + rules.boxRadius, rules.ballContact, kind == KIND_BALL);
}

fn stage(actor: u32) -> i32 {
  return readActor(STATUS, actor) >> STAGE_SHIFT;
}

fn readFrame() {
  let walkers = envs[current].pedestrians + envs[current].dogs;
  let vehicles = firstVehicle(current);
  frame = Frame(
    walkers,
    walkers + envs[current].falling,
    vehicles,
    vehicles + VEHICLES,
    envs[current].seed,
    envs[current].classes,
  );
}

/// What an actor needs every tick and storage is slow to give. Walker: the packed direction of its segment. Prop: its kind.
fn cacheOf(actor: u32) -> u32 {
  if (actor < frame.walkers) { return routeSegment(readActor(LINK, actor)).direction; }
  if (actor >= frame.firstProp) { return propShape(readActor(LINK, actor)).kind; }
  return 0u;
}

// ---- broadphase: hashed cells with a linked list each

fn bucketOf(cell: vec2i) -> u32 {
  return ((bitcast<u32>(cell.x) * 73856093u) ^ (bitcast<u32>(cell.y) * 19349663u)) % BUCKETS;
}

fn bucketCell(p: vec2i) -> vec2i {
  return vec2i(p.x >> BUCKET_SHIFT, p.y >> BUCKET_SHIFT);
}

fn insertWalker(walker: u32) {
  if (readActor(STATUS, walker) == 0) { return; }
  linkWalker(bucketOf(bucketCell(actorPosition(walker))), walker);
}

/// Is the offset `d` in front of a walker facing `unit`, within its gap?
fn isAhead(d: vec2i, unit: vec2i) -> bool {
  let along = dotQ14(d, unit);
  return along > 0 && along <= rules.followGap && abs(crossQ14(d, unit)) <= rules.followHalfWidth;
}

/// Does another walker stand in this one's way? Any order of the lists gives the same answer.
fn isHeld(walker: u32) -> bool {
  let p = actorPosition(walker);
  let unit = unpackDirection(readCache(walker));
  let reach = rules.followGap + rules.followHalfWidth;
  let low = bucketCell(p - vec2i(reach));
  let high = bucketCell(p + vec2i(reach));
  for (var row = low.y; row <= high.y; row++) {
    for (var column = low.x; column <= high.x; column++) {
      var other = firstInBucket(bucketOf(vec2i(column, row)));
      for (var guard = 0u; other != NOBODY && guard < ACTOR_LIMIT; guard++) {
        let slot = u32(other);
        let d = actorPosition(slot) - p;
        if (max(abs(d.x), abs(d.y)) <= reach && slot != walker && isAhead(d, unit)) {
          let goesFirst = walker < slot && isAhead(-d, unpackDirection(readCache(slot)));
          if (!goesFirst) { return true; }
        }
        other = nextInBucket(slot);
      }
    }
  }
  return false;
}

fn lookAhead(walker: u32) {
  let status = readActor(STATUS, walker);
  if (status == 0) { return; }
  writeActor(STATUS, walker, (status & ~HELD) | select(0, HELD, isHeld(walker)));
}

// ---- the agent's surroundings

fn buildingDistance(shape: Shape, p: vec2i) -> i32 {
  let centre = shapePosition(shape) * 2 + vec2i(shape.extentX, shape.extentY);
  let d = abs(p * 2 - centre);
  return d.x + d.y;
}

fn isInBuilding(shape: Shape, p: vec2i) -> bool {
  let d = p - shapePosition(shape);
  let r = rules.agentRadius;
  return d.x >= -r && d.y >= -r && d.x <= shape.extentX + r && d.y <= shape.extentY + r;
}

/// Half width of a hazard patch; -1 for other shapes, and where hazards are off.
fn patchHalfWidth(kind: u32) -> i32 {
  if ((frame.classes & CLASS_HAZARDS) == 0u || kind < KIND_TRIP || kind > KIND_WATER) { return -1; }
  switch kind {
    case KIND_TRIP: { return rules.tripHalfWidth; }
    case KIND_WATER: { return rules.waterHalfWidth; }
    default: { return rules.oilHalfWidth; }
  }
}

/// Does something solid refuse the agent's step? One thread's share.
fn refuseStep(lane: u32, stride: u32) {
  let origin = agentAt(0u);
  let goal = agentAt(1u);
  for (var actor = lane; actor < frame.firstVehicle; actor += stride) {
    let status = readActor(STATUS, actor);
    if ((status & PRESENT) == 0) { continue; }
    let q = actorPosition(actor);
    if (actor < frame.walkers) {
      if (readActor(TIMER, actor) >= 0 && approaches(origin, goal, q, rules.humanContact)) {
        writeActor(STATUS, actor, status | PRESSED);
        tallyOr(TALLY_REFUSING_WALKER, 1u);
      }
    } else if (actor < frame.firstProp) {
      if (stage(actor) == 3 && approaches(origin, goal, q, rules.agentRadius + rules.fallingRadius)) {
        tallyAdd(TALLY_REFUSING_OBJECTS, 1u);
      }
    } else if (readCache(actor) == KIND_BOX && (status & MOVABLE) == 0) {
      if (approaches(origin, goal, q, rules.agentRadius + rules.boxRadius)) {
        tallyAdd(TALLY_REFUSING_OBJECTS, 1u);
      }
    }
  }
  let low = cellOf(min(origin, goal) - vec2i(NEAR_SHAPES));
  let high = cellOf(max(origin, goal) + vec2i(NEAR_SHAPES));
  for (var row = low.y; row <= high.y; row++) {
    let items = rowItems(row, low.x, high.x);
    for (var item = items.first + lane; item < items.end; item += stride) {
      let shape = shapes[tables[item]];
      if (shape.kind == KIND_FURNITURE) {
        if (approaches(origin, goal, shapePosition(shape), rules.agentRadius + shape.extentX)) {
          tallyAdd(TALLY_REFUSING_OBJECTS, 1u);
        }
      } else if (shape.kind == KIND_BUILDING && isInBuilding(shape, goal)) {
        if (!isInBuilding(shape, origin) || buildingDistance(shape, goal) < buildingDistance(shape, origin)) {
          tallyOr(TALLY_REFUSING_BUILDING, 1u);
        }
      }
    }
  }
}

/// Contacts of a moving agent with what stands still, and hazard patches under it. One thread's share.
fn touchSurroundings(lane: u32, stride: u32) {
  let ticks = chunk.ticks;
  var lowest = agentAt(0u);
  var highest = lowest;
  for (var tick = 1u; tick <= ticks; tick++) {
    lowest = min(lowest, agentAt(tick));
    highest = max(highest, agentAt(tick));
  }
  let low = cellOf(lowest - vec2i(NEAR_SHAPES));
  let high = cellOf(highest + vec2i(NEAR_SHAPES));
  for (var row = low.y; row <= high.y; row++) {
    let items = rowItems(row, low.x, high.x);
    for (var item = items.first + lane; item < items.end; item += stride) {
      let shape = shapes[tables[item]];
      let q = shapePosition(shape);
      let halfWidth = patchHalfWidth(shape.kind);
      if (halfWidth >= 0) {
        for (var tick = 1u; tick <= ticks; tick++) {
          if ((rules.hazardSwept == 0 && tick != chunk.endTick) || !within(agentAt(tick) - q, halfWidth)) { continue; }
          let class_ = shape.kind - KIND_TRIP;
          var before = agentAt(tick - 1u);
          if (rules.hazardSwept == 0) { before = moveStart; }
          tallyOr(TALLY_HAZARD_MASK, 1u << class_);
          if (!within(before - q, halfWidth)) { tallyAdd(TALLY_HAZARDS + class_, 1u); }
        }
      } else if (shape.kind == KIND_FURNITURE && chunk.touching == 1u) {
        let radius = rules.agentRadius + shape.extentX;
        for (var tick = 1u; tick <= ticks; tick++) {
          if (within(agentAt(tick) - q, radius) && !within(agentAt(tick - 1u) - q, radius)) {
            tallyAdd(TALLY_OBJECT_CONTACTS, 1u);
          }
        }
      } else if (shape.kind == KIND_BUILDING && chunk.touching == 1u) {
        for (var tick = 1u; tick <= ticks; tick++) {
          if (isInBuilding(shape, agentAt(tick)) && !isInBuilding(shape, agentAt(tick - 1u))) {
            tallyOr(TALLY_BUILDING_TICKS, 1u << tick);
          }
        }
      }
    }
  }
}

// ---- actors, each over all ticks of the chunk

fn runWalker(walker: u32) {
  if (readActor(STATUS, walker) == 0) { return; }
  var status = readActor(STATUS, walker);
  var link = readActor(LINK, walker);
  var segment = routeSegment(link);
  var along = readActor(ALONG, walker);
  var timer = readActor(TIMER, walker);
  var p = actorPosition(walker);
  let speed = readActor(SPEED, walker);
  for (var tick = 1u; tick <= chunk.ticks; tick++) {
    let agent = agentAt(tick);
    let isPassing = timer < 0;
    var nextAlong = along + speed;
    var nextLink = link;
    var next = segment;
    for (var corner = 0; corner < 4 && nextAlong >= next.length; corner++) {
      nextAlong -= next.length;
      nextLink = i32(next.next);
      next = routeSegment(nextLink);
    }
    let n = segmentPosition(next, nextAlong);
    let isPressing = !isPassing && approaches(p, n, agent, rules.humanContact);
    let isPressed = (status & PRESSED) != 0;
    let moves = !isPressing && (isPassing || (status & HELD) == 0);
    var velocity = vec2i(0);
    if (moves || isPressing) { velocity = n - p; }
    if (moves) {
      along = nextAlong;
      link = nextLink;
      segment = next;
      p = n;
    }
    if (isPassing) {
      timer += 1;
    } else if (moves) {
      timer = 0;
    } else {
      timer += 1;
      if (timer >= rules.patienceTicks) { timer = -rules.passingTicks; }
    }
    let d = p - agent;
    if (isPressing || isPressed || within(d, rules.humanContact)) {
      if ((status & TOUCHING) == 0) {
        status |= TOUCHING;
        writeActor(MARK, walker, 0);
        tallyAdd(TALLY_HUMAN_CONTACTS, 1u);
        tallyAdd(TALLY_HUMAN_INCIDENTS, 1u);
        let relative = velocity - select(agent - agentAt(tick - 1u), intended, isPressed);
        let impact = integerSquareRoot(u32(squaredLength(relative)));
        tallyMax(TALLY_IMPACT_MAXIMUM, impact);
        tallyAdd(TALLY_IMPACT_SUM, impact);
      } else if (isPressing || isPressed) {
        let mark = readActor(MARK, walker) + 1;
        writeActor(MARK, walker, mark);
        if (rules.contactRepeatTicks > 0 && mark % rules.contactRepeatTicks == 0) {
          tallyAdd(TALLY_HUMAN_CONTACTS, 1u);
        }
      }
    } else if ((status & TOUCHING) != 0 && !within(d, rules.humanContact + rules.releaseMargin)) {
      status &= ~TOUCHING;
    }
    if (within(d, rules.humanContact + rules.clearanceSocial)) {
      var near = 4u;
      if (within(d, rules.humanContact + rules.clearancePersonal)) { near |= 2u; }
      if (within(d, rules.humanContact + rules.clearanceIntimate)) { near |= 1u; }
      tallyOr(TALLY_NEAR, near << (3u * (tick - 1u)));
    }
    status &= ~PRESSED;
  }
  writeActor(STATUS, walker, status);
  writeActor(LINK, walker, link);
  writeActor(ALONG, walker, along);
  writeActor(TIMER, walker, timer);
  setActorPosition(walker, p);
  writeCache(walker, segment.direction);
}

/// Contact of a thing with the agent: counts when it begins, ends beyond a margin.
fn touchObject(actor: u32, d: vec2i, radius: i32) -> bool {
  let isTouching = (readActor(STATUS, actor) & TOUCHING) != 0;
  if (within(d, radius)) {
    if (isTouching) { return false; }
    writeActor(STATUS, actor, readActor(STATUS, actor) | TOUCHING);
    tallyAdd(TALLY_OBJECT_CONTACTS, 1u);
    return true;
  }
  if (isTouching && !within(d, radius + rules.releaseMargin)) { writeActor(STATUS, actor, readActor(STATUS, actor) & ~TOUCHING); }
  return false;
}

fn runFalling(actor: u32) {
  if (readActor(STATUS, actor) == 0) { return; }
  let p = actorPosition(actor);
  for (var tick = 1u; tick <= chunk.ticks; tick++) {
    let d = p - agentAt(tick);
    switch stage(actor) {
      case 0: {
        if (within(d, rules.fallingTrigger)) {
          let draw = uniformBelow(randomU32(frame.seed, PURPOSE_FALLING_DELAY, u32(readActor(LINK, actor)), 0u), 11u);
          writeActor(TIMER, actor, rules.fallingDelayTicks + i32(draw));
          writeActor(STATUS, actor, readActor(STATUS, actor) + (1 << STAGE_SHIFT));
        }
      }
      case 1: {
        writeActor(TIMER, actor, readActor(TIMER, actor) - 1);
        if (readActor(TIMER, actor) <= 0) {
          writeActor(SPEED, actor, 0);
          writeActor(STATUS, actor, readActor(STATUS, actor) + (1 << STAGE_SHIFT));
        }
      }
      case 2: {
        writeActor(SPEED, actor, readActor(SPEED, actor) + rules.gravity);
        writeActor(ALONG, actor, readActor(ALONG, actor) - readActor(SPEED, actor));
        if (readActor(ALONG, actor) <= 0) {
          writeActor(ALONG, actor, 0);
          writeActor(SPEED, actor, 0);
          writeActor(STATUS, actor, readActor(STATUS, actor) + (1 << STAGE_SHIFT));
        }
      }
      default: {}
    }
    if (stage(actor) >= 2 && readActor(ALONG, actor) <= rules.agentHeight) {
      touchObject(actor, d, rules.agentRadius + rules.fallingRadius);
    }
  }
}

fn runProp(actor: u32) {
  let isBall = readCache(actor) == KIND_BALL;
  let radius = propRadius(readCache(actor));
  for (var tick = 1u; tick <= chunk.ticks; tick++) {
    if (readActor(SPEED, actor) > 0) {
      let rolling = unpackDirection(bitcast<u32>(readActor(TIMER, actor)));
      setActorPosition(actor, actorPosition(actor) + scaleQ14(readActor(SPEED, actor), rolling));
      writeActor(SPEED, actor, max(0, readActor(SPEED, actor) - select(rules.frictionBox, rules.frictionBall, isBall)));
    }
    let began = touchObject(actor, actorPosition(actor) - agentAt(tick), radius);
    if (began && (readActor(STATUS, actor) & MOVABLE) != 0) {
      writeActor(SPEED, actor, select(rules.pushSpeedBox, rules.pushSpeedBall, isBall));
      writeActor(TIMER, actor, bitcast<i32>(packDirection(direction(chunk.heading))));
    }
  }
}

fn clearVehicle(slot: u32) {
  for (var field = 0u; field < ACTOR_WORDS; field++) {
    actors[actorWord(field, slot)] = 0;
  }
}

/// Vehicles are few and mostly absent: they stay in storage.
fn runVehicle(slot: u32) {
  let status = actors[actorWord(STATUS, slot)];
  if (status == 0) { return; }
  // A chunk with a vehicle is one tick long.
  let before = vec2i(actors[actorWord(X, slot)], actors[actorWord(Y, slot)]);
  let driving = unpackDirection(bitcast<u32>(actors[actorWord(LINK, slot)]));
  let timer = actors[actorWord(TIMER, slot)] + 1;
  actors[actorWord(TIMER, slot)] = timer;
  if (status == VEHICLE_STAGED) {
    let target_ = before + scaleQ14(actors[actorWord(SPEED, slot)], driving);
    if (within(target_ - agentAt(1u), rules.vehicleImpact) || timer >= rules.vehicleWaitTicks) {
      actors[actorWord(STATUS, slot)] = VEHICLE_DRIVING;
      actors[actorWord(TIMER, slot)] = 0;
    }
    return;
  }
  let after = before + scaleQ14(rules.vehicleSpeed, driving);
  let travelled = actors[actorWord(ALONG, slot)] + rules.vehicleSpeed;
  actors[actorWord(X, slot)] = after.x;
  actors[actorWord(Y, slot)] = after.y;
  actors[actorWord(ALONG, slot)] = travelled;
  if (sweptWithin(before - agentAt(0u), after - agentAt(1u), rules.vehicleImpact)) {
    tallyAdd(TALLY_VEHICLE_HIT, 1u);
    clearVehicle(slot);
  } else if (travelled >= rules.vehicleRange || timer >= rules.vehicleLifeTicks) {
    clearVehicle(slot);
  }
}

fn runActor(actor: u32) {
  if (actor < frame.walkers) {
    runWalker(actor);
  } else if (actor < frame.firstProp) {
    runFalling(actor);
  } else if (actor < frame.firstVehicle) {
    runProp(actor);
  } else {
    runVehicle(actor);
  }
}

// ---- one thread, before and after

fn hasVehicle() -> bool {
  for (var slot = frame.firstVehicle; slot < frame.slots; slot++) {
    if (actors[actorWord(STATUS, slot)] != 0) { return true; }
  }
  return false;
}

fn owesTicks() -> bool {
  let status = envs[current].status;
  return status >= PLANNING && status <= RECOVERING && envs[current].phaseTicksLeft > 0;
}

/// Decides the next chunk, and the agent's poses over it as far as they are known before it.
fn planChunk(budget: u32) {
  chunk = Chunk();
  if (!owesTicks() || budget == 0u) { return; }
  let owed = envs[current].phaseTicksLeft;
  let untilNeighbours = NEIGHBOUR_PERIOD - envs[current].worldTick % NEIGHBOUR_PERIOD;
  chunk.neighbours = select(0u, 1u, untilNeighbours == NEIGHBOUR_PERIOD);
  let moving = envs[current].status == EXECUTING && isMove();
  let moveTick = envs[current].moveTick;
  if (moving) {
    chunk.moving = 1u;
    chunk.physical = select(0u, 1u, envs[current].physical == 1u && moveTick < envs[current].moveStop);
    chunk.settles = select(0u, 1u, chunk.physical == 1u || rules.violationEveryTick == 1);
    chunk.touching = 1u - envs[current].physical;
    moveStart = vec2i(envs[current].moveStartX, envs[current].moveStartY);
  }
  chunk.heading = envs[current].heading;
  var ticks = min(min(untilNeighbours, u32(owed)), budget);
  if (chunk.settles == 1u || hasVehicle()) { ticks = 1u; }
  chunk.ticks = ticks;
  if (moving && moveTick + i32(ticks) == envs[current].moveTicks) { chunk.endTick = ticks; }
  intended = vec2i(0);
  poses[0u] = agentPosition();
  for (var tick = 1u; tick <= ticks; tick++) {
    var pose = agentPosition();
    if (moving) { pose = poseAt(moveTick + i32(tick)); }
    poses[tick] = pose;
  }
}

fn countContacts(kind: u32, contacts: u32, incidents: u32) {
  let interval = select(0u, 1u, envs[current].status == PLANNING && !(envs[current].decisions == 1u && rules.firstPlanning == 0));
  envs[current].contacts[kind * 2u + interval] += contacts;
  envs[current].incidents[kind * 2u + interval] += incidents;
  if (interval == 1u) {
    envs[current].decisionPassive += contacts;
  } else if (kind == HUMAN || kind == OBJECT) {
    envs[current].decisionContacts += contacts;
  } else if (kind == BUILDING) {
    envs[current].decisionBuilding += contacts;
  }
}

/// Settles a step before the actors run: refused, the agent stays for the rest of the move.
fn settleStep() {
  let objects = readTally(TALLY_REFUSING_OBJECTS);
  let building = readTally(TALLY_REFUSING_BUILDING);
  if (objects + building + readTally(TALLY_REFUSING_WALKER) > 0u) {
    intended = agentAt(1u) - agentAt(0u);
    poses[1u] = agentAt(0u);
    envs[current].moveStop = envs[current].moveTick;
    if (objects > 0u) {
      countContacts(OBJECT, objects, select(objects, 0u, (envs[current].pressing & 1u) != 0u));
      envs[current].pressing |= 1u;
    }
    if (building > 0u) {
      countContacts(BUILDING, 1u, select(1u, 0u, (envs[current].pressing & 2u) != 0u));
      envs[current].pressing |= 2u;
    }
  }
  if (rules.violationEveryTick == 1 && any(agentAt(1u) != agentAt(0u))) {
    sampleCrossing(agentAt(1u));
    sampleJaywalk(agentAt(1u));
  }
}

fn finishChunk() {
  let ticks = chunk.ticks;
  if (chunk.moving == 1u && any(agentAt(ticks) != agentAt(0u))) { envs[current].pressing = 0u; }
  envs[current].x = poses[ticks].x;
  envs[current].y = poses[ticks].y;
  countContacts(HUMAN, takeTally(TALLY_HUMAN_CONTACTS), takeTally(TALLY_HUMAN_INCIDENTS));
  let objects = takeTally(TALLY_OBJECT_CONTACTS);
  countContacts(OBJECT, objects, objects);
  let buildings = countOneBits(takeTally(TALLY_BUILDING_TICKS));
  countContacts(BUILDING, buildings, buildings);
  envs[current].impactSum += takeTally(TALLY_IMPACT_SUM);
  envs[current].impactMaximum = max(envs[current].impactMaximum, takeTally(TALLY_IMPACT_MAXIMUM));
  let near = takeTally(TALLY_NEAR);
  envs[current].closeTicks[0] += countOneBits(near & 0x1249u);
  envs[current].closeTicks[1] += countOneBits(near & 0x2492u);
  envs[current].closeTicks[2] += countOneBits(near & 0x4924u);
  let mask = takeTally(TALLY_HAZARD_MASK);
  let trips = takeTally(TALLY_HAZARDS);
  let oil = takeTally(TALLY_HAZARDS + 1u);
  let water = takeTally(TALLY_HAZARDS + 2u);
  if (rules.hazardOncePerDecision == 1) {
    envs[current].hazardMask |= mask;
  } else {
    envs[current].hazards[0] += trips;
    envs[current].hazards[1] += oil;
    envs[current].hazards[2] += water;
    envs[current].decisionTrips += trips;
    envs[current].decisionOil += oil;
  }
  takeTally(TALLY_REFUSING_OBJECTS);
  takeTally(TALLY_REFUSING_BUILDING);
  takeTally(TALLY_REFUSING_WALKER);
  let hits = takeTally(TALLY_VEHICLE_HIT);
  countContacts(VEHICLE, hits, hits);
  envs[current].conflicts[1] += hits;
  envs[current].worldTick += ticks;
  envs[current].phaseTicksLeft -= i32(ticks);
  if (envs[current].status != PLANNING) { envs[current].clockCentiseconds += 10u * ticks; }
  if (chunk.moving == 1u) { envs[current].moveTick += i32(ticks); }
  if (hits > 0u) {
    envs[current].outcome = VEHICLE_COLLISION;
    envs[current].status = DONE;
    envs[current].hashPending = 1u;
  }
}
