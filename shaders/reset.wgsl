// Starts episodes: one thread per request places the agent and its actors (docs/rules.md, section 3). Joined with
// the files
// of common/ that src/kernels/kernelFiles.ts lists. STATE_x is the word of member x in EnvState
// (src/kernels/layout.ts).

@group(1) @binding(0) var<storage, read_write> states: array<u32>;      // [env, EnvState word]
@group(1) @binding(3) var<storage, read> requests: array<ResetRequest>;  // [request]

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

/// Actor slots of each class, and how many ground objects can be pushed.
struct Counts {
  pedestrians: u32,
  dogs: u32,
  falling: u32,
  props: u32,
  movable: u32,
}
var<private> counts: Counts;

fn share(percent: u32, count: u32) -> u32 {
  return (percent * count + 50u) / 100u;
}

fn countIf(class_: u32, count: u32) -> u32 {
  return select(0u, count, (request.classes & class_) != 0u);
}

fn readActor(field: u32, actor: u32) -> i32 {
  return actors[actorWord(field, actor)];
}

fn writeActor(field: u32, actor: u32, value: i32) {
  actors[actorWord(field, actor)] = value;
}

fn actorPosition(actor: u32) -> vec2i {
  return vec2i(readActor(X, actor), readActor(Y, actor));
}

fn setActorPosition(actor: u32, p: vec2i) {
  writeActor(X, actor, p.x);
  writeActor(Y, actor, p.y);
}

/// Is `p` too near to the start, to a walker placed earlier, or to an obstacle?
fn isObstructed(p: vec2i, firstWalker: u32, walker: u32, clearance: i32, obstacleClearance: i32) -> bool {
  if (within(p - vec2i(route.startX, route.startY), clearance)) { return true; }
  for (var other = firstWalker; other < walker; other++) {
    if (within(p - actorPosition(other), clearance) && readActor(STATUS, other) != 0) { return true; }
  }
  let low = cellOf(p - vec2i(obstacleClearance));
  let high = cellOf(p + vec2i(obstacleClearance));
  for (var row = low.y; row <= high.y; row++) {
    let items = rowItems(row, low.x, high.x);
    for (var item = items.first; item < items.end; item++) {
      let shape = shapes[tables[item]];
      if (shape.kind < KIND_FURNITURE || shape.kind > KIND_BOX) { continue; }
      if (within(p - shapePosition(shape), obstacleClearance)) { return true; }
    }
  }
  return false;
}

fn clearActor(actor: u32) {
  for (var field = 0u; field < ACTOR_WORDS; field++) {
    writeActor(field, actor, 0);
  }
}

/// Puts a walker on a segment if there is room.
fn place(walker: u32, link: u32, along: i32, firstWalker: u32, clearance: i32, obstacleClearance: i32) -> bool {
  let p = segmentPosition(segments[route.segments + link], along);
  if (isObstructed(p, firstWalker, walker, clearance, obstacleClearance)) { return false; }
  setActorPosition(walker, p);
  writeActor(LINK, walker, i32(link));
  writeActor(ALONG, walker, along);
  writeActor(STATUS, walker, PRESENT);
  return true;
}

/// Tries drawn places in order; the pedestrian stays absent where none has room.
fn placePedestrian(walker: u32) {
  for (var attempt = 0u; attempt < PEDESTRIAN_ATTEMPTS; attempt++) {
    let cycleDraw = randomU32(request.seed, PURPOSE_PLACEMENT, walker, 4u * attempt);
    let pair = route.pedestrianCycles + 2u * uniformBelow(cycleDraw, route.pedestrianCycleCount);
    let segmentDraw = randomU32(request.seed, PURPOSE_PLACEMENT, walker, 4u * attempt + 1u);
    let link = tables[pair] + uniformBelow(segmentDraw, tables[pair + 1u]);
    let lengthCm = segments[route.segments + link].length / UNITS_PER_CM;
    if (lengthCm < 2 * END_CLEARANCE_CM) { continue; }
    let placeDraw = randomU32(request.seed, PURPOSE_PLACEMENT, walker, 4u * attempt + 2u);
    let along = END_CLEARANCE_CM + i32(uniformBelow(placeDraw, u32(lengthCm - 2 * END_CLEARANCE_CM) + 1u));
    if (place(walker, link, along * UNITS_PER_CM, 0u, AGENT_CLEARANCE, OBSTACLE_CLEARANCE)) {
      let speedDraw = randomU32(request.seed, PURPOSE_SPEED, walker, 0u);
      writeActor(SPEED, walker, 160 + 80 * i32(uniformBelow(speedDraw, request.speedChoices)));
      return;
    }
  }
}

/// Tries the nodes of the dog's path in order.
fn placeDog(walker: u32) {
  let key = randomU32(request.seed, PURPOSE_DOG, 0u, 0u);
  let pair = route.dogCycles + 2u * permutedRank(walker - counts.pedestrians, route.dogCycleCount, key);
  for (var attempt = 0u; attempt < tables[pair + 1u]; attempt++) {
    let link = tables[pair] + attempt;
    if (place(walker, link, 0, counts.pedestrians, DOG_CLEARANCE, DOG_OBSTACLE_CLEARANCE)) {
      writeActor(SPEED, walker, rules.dogSpeed);
      return;
    }
  }
}

fn placeFalling(actor: u32, slot: u32) {
  let rank = permutedRank(slot, route.fallingCount, randomU32(request.seed, PURPOSE_FALLING, 0u, 0u));
  setActorPosition(actor, shapePosition(shapes[route.falling + rank]));
  writeActor(LINK, actor, i32(rank));
  writeActor(ALONG, actor, rules.fallingHeight);
  writeActor(STATUS, actor, PRESENT);
}

fn placeProp(actor: u32, prop: u32) {
  let shape = shapes[route.shapes + tables[route.props + prop]];
  let key = randomU32(request.seed, PURPOSE_MOVABLE, 0u, 0u);
  let isMovable = permutedRank(u32(shape.link), route.groundObjectCount, key) < counts.movable;
  setActorPosition(actor, shapePosition(shape));
  writeActor(LINK, actor, i32(prop));
  writeActor(STATUS, actor, PRESENT | select(0, MOVABLE, isMovable));
}

fn setState(word: u32, value: u32) {
  states[request.env * STATE_WORDS + word] = value;
}

fn startEnvironment() {
  setState(STATE_route, request.route);
  setState(STATE_rules, request.rules);
  setState(STATE_mode, request.mode);
  setState(STATE_seed, request.seed);
  setState(STATE_maxDecisions, request.maxDecisions);
  setState(STATE_classes, request.classes);
  setState(STATE_pedestrians, counts.pedestrians);
  setState(STATE_dogs, counts.dogs);
  setState(STATE_falling, counts.falling);
  setState(STATE_props, counts.props);
  setState(STATE_movableCount, counts.movable);
  setState(STATE_status, AWAITING);
  setState(STATE_x, bitcast<u32>(route.startX));
  setState(STATE_y, bitcast<u32>(route.startY));
  setState(STATE_heading, bitcast<u32>(route.startHeading));
  setState(STATE_subgoal, 1u);
  setState(STATE_checkpointX, bitcast<u32>(route.startX));
  setState(STATE_checkpointY, bitcast<u32>(route.startY));
  setState(STATE_checkpointHeading, bitcast<u32>(route.startHeading));
  setState(STATE_checkpointSubgoal, 1u);
  setState(STATE_hashPending, 1u);
}

@compute @workgroup_size(8)
fn reset(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) lane: u32) {
  let index = (group.y * groups.x + group.x) * 8u + lane;
  if (index >= requestCount) { return; }
  request = requests[index];
  current = request.env;
  route = routes[request.route];
  rules = ruleSets[request.rules];
  counts = Counts(
    countIf(CLASS_PEDESTRIANS, share(request.percent, route.pedestrianCount)),
    countIf(CLASS_DOGS, share(request.percent, route.dogCycleCount)),
    countIf(CLASS_FALLING, share(request.percent, route.fallingCount)),
    countIf(CLASS_OBJECTS, route.propCount),
    countIf(CLASS_OBJECTS, share(request.percent, route.groundObjectCount)),
  );
  for (var word = 0u; word < STATE_WORDS; word++) {
    setState(word, 0u);
  }
  startEnvironment();
  for (var actor = 0u; actor < actorStride; actor++) {
    clearActor(actor);
  }
  var actor = 0u;
  for (var pedestrian = 0u; pedestrian < counts.pedestrians; pedestrian++) {
    placePedestrian(actor);
    actor++;
  }
  for (var dog = 0u; dog < counts.dogs; dog++) {
    placeDog(actor);
    actor++;
  }
  for (var slot = 0u; slot < counts.falling; slot++) {
    placeFalling(actor, slot);
    actor++;
  }
  for (var prop = 0u; prop < counts.props; prop++) {
    placeProp(actor, prop);
    actor++;
  }
}
