// Starts episodes: one thread per request places the agent and its actors (docs/rules.md, section 3). Joined with the files
// of common/ that src/kernels/kernelFiles.ts lists. STATE_x is the word of member x in EnvState (src/kernels/layout.ts).

@group(1) @binding(3) var<storage, read> requests: array<vec4u>;  // [request, ResetRequest]

/// Requests in this dispatch; the buffer may hold older ones behind them.
@group(1) @binding(4) var<uniform> requestCount: u32;

const PEDESTRIAN_ATTEMPTS = 32u;
const AGENT_CLEARANCE = 5200;        // 325 cm, of a pedestrian from the start and from other pedestrians
const OBSTACLE_CLEARANCE = 4000;     // 250 cm
const DOG_CLEARANCE = 3200;          // 200 cm
const DOG_OBSTACLE_CLEARANCE = 1600; // 100 cm
const END_CLEARANCE_CM = 500;

var<private> route: Route;
var<private> rules: Rules;
var<private> request: ResetRequest;

/// Where walkers were placed, in a thread's own memory: drivers on a CPU read that much faster than storage.
var<private> placed: array<vec2i, ACTOR_LIMIT>;
var<private> coarse: array<u32, ACTOR_LIMIT + 1u>;
var<private> placedCount: u32;

fn share(percent: u32, count: u32) -> u32 {
  return (percent * count + 50u) / 100u;
}

fn countIf(class_: u32, count: u32) -> u32 {
  return select(0u, count, (request.classes & class_) != 0u);
}

/// Is `p` too near to the start, to a walker placed as number `first` or later, or to an obstacle?
fn isObstructed(p: vec2i, first: u32, clearance: i32, obstacleClearance: i32) -> bool {
  if (within(p - vec2i(route.startX, route.startY), clearance)) { return true; }
  let window = windowAround(coarsePlace(p, reachScale(u32(AGENT_CLEARANCE))));
  var isNear = false;
  // Four at a time, and exactly only where a coarse place says so.
  for (var group = first / 4u; group < (placedCount + 3u) / 4u; group++) {
    let other = group * 4u;
    let far = (window - vec4u(coarse[other], coarse[other + 1u], coarse[other + 2u], coarse[other + 3u])) & vec4u(FAR_BITS);
    if (min(min(far.x, far.y), min(far.z, far.w)) == 0u) {
      for (var member = max(other, first); member < min(other + 4u, placedCount); member++) {
        isNear = isNear || within(p - placed[member], clearance);
      }
    }
  }
  if (isNear) { return true; }
  let low = cellOf(p - vec2i(obstacleClearance));
  let high = cellOf(p + vec2i(obstacleClearance));
  for (var row = low.y; row <= high.y; row++) {
    let items = rowItems(row, low.x, high.x);
    for (var item = items.first; item < items.end; item++) {
      let shape = readShape(tables[item]);
      if (shape.kind < KIND_FURNITURE || shape.kind > KIND_BOX) { continue; }
      if (within(p - shapePosition(shape), obstacleClearance)) { return true; }
    }
  }
  return false;
}

/// Puts a walker on a segment if there is room.
fn place(walker: u32, link: u32, along: i32, speed: i32, first: u32, clearance: i32, obstacleClearance: i32) -> bool {
  let p = segmentPosition(readPathSegment(route.segments + link), along);
  if (isObstructed(p, first, clearance, obstacleClearance)) { return false; }
  placed[placedCount] = p;
  coarse[placedCount] = coarsePlace(p, reachScale(u32(AGENT_CLEARANCE)));
  placedCount++;
  writeStoredActor(walker, Actor(p.x, p.y, i32(link), along, speed, PRESENT, 0, 0));
  return true;
}

/// Tries a drawn place.
fn tryPedestrian(walker: u32, attempt: u32) -> bool {
  let cycleDraw = randomU32(request.seed, PURPOSE_PLACEMENT, walker, 4u * attempt);
  let pair = route.pedestrianCycles + 2u * uniformBelow(cycleDraw, route.pedestrianCycleCount);
  let segmentDraw = randomU32(request.seed, PURPOSE_PLACEMENT, walker, 4u * attempt + 1u);
  let link = tables[pair] + uniformBelow(segmentDraw, tables[pair + 1u]);
  let lengthCm = readPathSegment(route.segments + link).length / UNITS_PER_CM;
  if (lengthCm < 2 * END_CLEARANCE_CM) { return false; }
  let placeDraw = randomU32(request.seed, PURPOSE_PLACEMENT, walker, 4u * attempt + 2u);
  let along = END_CLEARANCE_CM + i32(uniformBelow(placeDraw, u32(lengthCm - 2 * END_CLEARANCE_CM) + 1u));
  let speedDraw = randomU32(request.seed, PURPOSE_SPEED, walker, 0u);
  let speed = 160 + 80 * i32(uniformBelow(speedDraw, request.speedChoices));
  return place(walker, link, along * UNITS_PER_CM, speed, 0u, AGENT_CLEARANCE, OBSTACLE_CLEARANCE);
}

/// Each pedestrian tries places in order and stays absent where none has room. One loop for all of them, so that the threads of a
/// vector do not wait for whichever tries longest, pedestrian after pedestrian.
fn placePedestrians() {
  var walker = 0u;
  var attempt = 0u;
  while (walker < env.pedestrians) {
    attempt++;
    if (tryPedestrian(walker, attempt - 1u) || attempt == PEDESTRIAN_ATTEMPTS) {
      walker++;
      attempt = 0u;
    }
  }
}

/// Each dog tries the nodes of its path in order; likewise.
fn placeDogs() {
  let key = randomU32(request.seed, PURPOSE_DOG, 0u, 0u);
  let firstPlaced = placedCount;
  var dog = 0u;
  var attempt = 0u;
  while (dog < env.dogs) {
    let pair = route.dogCycles + 2u * permutedRank(dog, route.dogCycleCount, key);
    let link = tables[pair] + attempt;
    attempt++;
    let isPlaced = attempt <= tables[pair + 1u]
      && place(env.pedestrians + dog, link, 0, rules.dogSpeed, firstPlaced, DOG_CLEARANCE, DOG_OBSTACLE_CLEARANCE);
    if (isPlaced || attempt >= tables[pair + 1u]) {
      dog++;
      attempt = 0u;
    }
  }
}

fn placeFalling(slot: u32, falling: u32) {
  let rank = permutedRank(falling, route.fallingCount, randomU32(request.seed, PURPOSE_FALLING, 0u, 0u));
  let p = shapePosition(readShape(route.falling + rank));
  writeStoredActor(slot, Actor(p.x, p.y, i32(rank), rules.fallingHeight, 0, PRESENT, 0, 0));
}

fn placeProp(slot: u32, prop: u32) {
  let shape = readShape(route.shapes + tables[route.props + prop]);
  let key = randomU32(request.seed, PURPOSE_MOVABLE, 0u, 0u);
  let isMovable = permutedRank(u32(shape.link), route.groundObjectCount, key) < env.movableCount;
  writeStoredActor(slot, Actor(shape.x, shape.y, i32(prop), 0, 0, PRESENT | select(0, MOVABLE, isMovable), 0, 0));
}

fn startEnvironment() {
  env.route = request.route;
  env.rules = request.rules;
  env.mode = request.mode;
  env.seed = request.seed;
  env.maxDecisions = request.maxDecisions;
  env.classes = request.classes;
  env.pedestrians = countIf(CLASS_PEDESTRIANS, share(request.percent, route.pedestrianCount));
  env.dogs = countIf(CLASS_DOGS, share(request.percent, route.dogCycleCount));
  env.falling = countIf(CLASS_FALLING, share(request.percent, route.fallingCount));
  env.props = countIf(CLASS_OBJECTS, route.propCount);
  env.movableCount = countIf(CLASS_OBJECTS, share(request.percent, route.groundObjectCount));
  env.status = AWAITING;
  env.timeToCollision = CONFLICT_HORIZON + 1u;
  env.postEncroachment = CONFLICT_HORIZON + 1u;
  env.x = route.startX;
  env.y = route.startY;
  env.heading = route.startHeading;
  env.subgoal = 1u;
  env.checkpointX = route.startX;
  env.checkpointY = route.startY;
  env.checkpointHeading = route.startHeading;
  env.checkpointSubgoal = 1u;
  env.hashPending = 1u;
}

@compute @workgroup_size(8)
fn reset(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let index = (group.y * groups.x + group.x) * 8u + lane;
  if (index >= requestCount) { return; }
  request = readResetRequest(index);
  current = request.env;
  route = readRoute(request.route);
  rules = readRules(request.rules);
  startEnvironment();
  storeEnvironment();
  for (var word = ENV_WORDS; word < STATE_WORDS; word++) {
    states[current * STATE_WORDS + word] = 0u;
  }
  for (var slot = 0u; slot < actorStride; slot++) {
    writeStoredActor(slot, Actor());
  }
  placePedestrians();
  placeDogs();
  for (var falling = 0u; falling < env.falling; falling++) {
    placeFalling(walkerCount() + falling, falling);
  }
  for (var prop = 0u; prop < env.props; prop++) {
    placeProp(firstProp() + prop, prop);
  }
}
