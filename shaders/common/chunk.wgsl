// A chunk: up to five ticks in which no actor needs to know what another finds (docs/rules.md, section 5). Positions of the
// agent are known beforehand, walkers look at each other only at the chunk's start, and counts add up in any order. So
// the actors may be shared out over a workgroup (team.wgsl) or be run by one thread (solo.wgsl).

const NEIGHBOUR_PERIOD = 5u;

/// How far one dispatch may carry an environment.
struct Stint {
  ticks: u32,
  lastStatus: u32,  // the last phase that it may run in
}

@group(2) @binding(0) var<uniform> stint: Stint;

struct Chunk {
  ticks: u32,       // 0: nothing is owed, or the budget is used up
  neighbours: u32,  // walkers look at each other before the first tick
  physical: u32,    // the agent's step of this tick may be refused
  settles: u32,     // one thread settles the step before the actors run
  moving: u32,      // the agent is on a move
  endTick: u32,     // tick of the chunk at which the move ends; 0: not in this chunk
  objects: u32,     // falling objects and props may change: the agent moves, or one of them does
  vehicles: u32,    // a conflict vehicle is there
  low: vec2i,       // box around the agent's poses
  high: vec2i,
}

// Counts of one chunk; every one only ever grows, or is or-ed into.
const TALLY_HUMAN_CONTACTS = 0u;
const TALLY_HUMAN_INCIDENTS = 1u;
const TALLY_OBJECT_CONTACTS = 2u;
const TALLY_IMPACT_SUM = 3u;
const TALLY_IMPACT_MAXIMUM = 4u;
const TALLY_NEAR = 5u;             // bit 3 * (tick - 1) + distance class
const TALLY_HAZARD_MASK = 6u;
const TALLY_TRIPS = 7u;
const TALLY_OIL = 8u;
const TALLY_WATER = 9u;
const TALLY_BUILDING_TICKS = 10u;  // bit per tick
const TALLY_REFUSING_OBJECTS = 11u;
const TALLY_REFUSING_BUILDING = 12u;
const TALLY_REFUSING_WALKER = 13u;
const TALLY_VEHICLE_HIT = 14u;
const TALLY_AWAKE = 15u;           // an object is still in motion
const TALLY_TIME_TO_COLLISION = 16u;   // CONFLICT_HORIZON + 1 less the ticks
const TALLY_POST_ENCROACHMENT = 17u;   // likewise
const TALLIES = 18u;

fn squaredLength(d: vec2i) -> i32 {
  return dot2(d, d);
}

/// Is `goal` within `radius` of `q` and nearer to it than `origin`?
fn approaches(origin: vec2i, goal: vec2i, q: vec2i, radius: i32) -> bool {
  return within(goal - q, radius) && squaredLength(goal - q) < squaredLength(origin - q);
}

fn owesTicks() -> bool {
  return env.status >= PLANNING && env.status <= stint.lastStatus && env.phaseTicksLeft > 0;
}

fn hasVehicle() -> bool {
  for (var slot = firstVehicle(); slot < firstVehicle() + VEHICLES; slot++) {
    if (readStoredActor(slot).status != 0) { return true; }
  }
  return false;
}

/// Decides the next chunk, and the agent's poses over it as far as they are known before it.
fn planChunk(budget: u32) {
  chunk = Chunk();
  if (!owesTicks() || budget == 0u) { return; }
  let untilNeighbours = NEIGHBOUR_PERIOD - env.worldTick % NEIGHBOUR_PERIOD;
  chunk.neighbours = select(0u, 1u, untilNeighbours == NEIGHBOUR_PERIOD);
  let moving = env.status == EXECUTING && isMove();
  if (moving) {
    chunk.moving = 1u;
    chunk.physical = select(0u, 1u, env.physical == 1u && env.moveTick < env.moveStop);
    chunk.settles = select(0u, 1u, chunk.physical == 1u || rules.violationEveryTick == 1);
  }
  chunk.objects = select(0u, 1u, moving || objectsAwake);
  chunk.vehicles = select(0u, 1u, hasVehicle());
  var ticks = min(min(untilNeighbours, u32(env.phaseTicksLeft)), budget);
  if (chunk.settles + chunk.vehicles > 0u) { ticks = 1u; }
  chunk.ticks = ticks;
  if (moving && env.moveTick + i32(ticks) == env.moveTicks) { chunk.endTick = ticks; }
  intended = vec2i(0);
  poses[0] = agentPosition();
  for (var tick = 1u; tick <= ticks; tick++) {
    var pose = agentPosition();
    if (moving) { pose = poseAt(env.moveTick + i32(tick)); }
    poses[tick] = pose;
  }
  chunk.low = min(poses[0], poses[ticks]);
  chunk.high = max(poses[0], poses[ticks]);
}

fn countContacts(kind: u32, contacts: u32, incidents: u32) {
  let isPassive = env.status == PLANNING && !(env.decisions == 1u && rules.firstPlanning == 0);
  if (isPassive) {
    env.contacts[kind * 2u + 1u] += contacts;
    env.incidents[kind * 2u + 1u] += incidents;
    env.decisionPassive += contacts;
    return;
  }
  env.contacts[kind * 2u] += contacts;
  env.incidents[kind * 2u] += incidents;
  if (kind == HUMAN || kind == OBJECT) { env.decisionContacts += contacts; }
  if (kind == BUILDING) { env.decisionBuilding += contacts; }
}

/// Settles a step before the actors run: refused, the agent stays for the rest of the move.
fn settleStep() {
  let objects = takeTally(TALLY_REFUSING_OBJECTS);
  let building = takeTally(TALLY_REFUSING_BUILDING);
  if (objects + building + takeTally(TALLY_REFUSING_WALKER) > 0u) {
    intended = poses[1] - poses[0];
    poses[1] = poses[0];
    env.moveStop = env.moveTick;
    if (objects > 0u) {
      countContacts(OBJECT, objects, select(1u, 0u, (env.pressing & 1u) != 0u));
      env.pressing |= 1u;
    }
    if (building > 0u) {
      countContacts(BUILDING, 1u, select(1u, 0u, (env.pressing & 2u) != 0u));
      env.pressing |= 2u;
    }
  }
  if (rules.violationEveryTick == 1 && any(poses[1] != poses[0])) {
    sampleViolations(poses[1], true, true);
    chunk.vehicles = 1u;
  }
}

fn finishChunk() {
  let ticks = chunk.ticks;
  objectsAwake = takeTally(TALLY_AWAKE) != 0u;
  if (chunk.moving == 1u && any(poses[ticks] != poses[0])) {
    env.pressing = 0u;
    env.lastStepTick = env.worldTick + ticks;
    env.strideX = poses[ticks].x - poses[ticks - 1u].x;
    env.strideY = poses[ticks].y - poses[ticks - 1u].y;
  }
  env.x = poses[ticks].x;
  env.y = poses[ticks].y;
  countContacts(HUMAN, takeTally(TALLY_HUMAN_CONTACTS), takeTally(TALLY_HUMAN_INCIDENTS));
  let objects = takeTally(TALLY_OBJECT_CONTACTS);
  countContacts(OBJECT, objects, objects);
  let buildings = countOneBits(takeTally(TALLY_BUILDING_TICKS));
  countContacts(BUILDING, buildings, buildings);
  env.impactSum += takeTally(TALLY_IMPACT_SUM);
  env.impactMaximum = max(env.impactMaximum, takeTally(TALLY_IMPACT_MAXIMUM));
  env.timeToCollision = min(env.timeToCollision, CONFLICT_HORIZON + 1u - takeTally(TALLY_TIME_TO_COLLISION));
  env.postEncroachment = min(env.postEncroachment, CONFLICT_HORIZON + 1u - takeTally(TALLY_POST_ENCROACHMENT));
  let near = takeTally(TALLY_NEAR);
  env.closeTicks[0] += countOneBits(near & 0x1249u);
  env.closeTicks[1] += countOneBits(near & 0x2492u);
  env.closeTicks[2] += countOneBits(near & 0x4924u);
  let mask = takeTally(TALLY_HAZARD_MASK);
  let trips = takeTally(TALLY_TRIPS);
  let oil = takeTally(TALLY_OIL);
  let water = takeTally(TALLY_WATER);
  if (rules.hazardOncePerDecision == 1) {
    env.hazardMask |= mask;
  } else {
    env.hazards[0] += trips;
    env.hazards[1] += oil;
    env.hazards[2] += water;
    env.decisionTrips += trips;
    env.decisionOil += oil;
  }
  let hits = takeTally(TALLY_VEHICLE_HIT);
  countContacts(VEHICLE, hits, hits);
  env.conflicts[1] += hits;
  env.worldTick += ticks;
  env.phaseTicksLeft -= i32(ticks);
  if (env.status != PLANNING) { env.clockCentiseconds += 10u * ticks; }
  if (chunk.moving == 1u) { env.moveTick += i32(ticks); }
  if (hits > 0u) {
    env.outcome = VEHICLE_COLLISION;
    env.status = DONE;
    env.hashPending = 1u;
  }
}
