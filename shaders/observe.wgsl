// Writes the state vector of chosen environments in whole numbers, field by field as src/kernels/environment/stateFields.ts
// lists them (it generates the FIELD_ and GROUP_ constants), and which moves can be carried out. One thread per
// environment. Nothing here decides anything.

@group(1) @binding(2) var<storage, read> wanted: array<u32>;      // [row]: slot in the shard
@group(1) @binding(3) var<storage, read_write> rows: array<i32>;  // [row, field, then the mask of actions]
@group(1) @binding(4) var<uniform> wantedCount: vec4u;

var<private> route: Route;
var<private> rules: Rules;

/// First word of this thread's row.
var<private> row: u32;
/// The agent's pose.
var<private> eye: vec2i;
var<private> facing: vec2i;

fn put(field: u32, value: i32) {
  rows[row + field] = value;
}

fn putFlag(field: u32, isSet: bool) {
  rows[row + field] = select(0, 1, isSet);
}

/// (forward, right) of a vector of the world.
fn inFrame(d: vec2i) -> vec2i {
  return vec2i(dotQ14(d, facing), crossQ14(d, facing));
}

/// forward, right, distance, from the field `first` on.
fn putPlace(first: u32, d: vec2i, distance: i32) {
  let frame = inFrame(d);
  put(first, frame.x);
  put(first + 1u, frame.y);
  put(first + 2u, distance);
}

fn putVelocity(first: u32, velocity: vec2i) {
  let frame = inFrame(velocity);
  put(first, frame.x);
  put(first + 1u, frame.y);
}

/// A vector shortened until its parts are below 2^14, and by how many bits.
struct Shortened {
  d: vec2i,
  shift: u32,
}

fn shorten(d: vec2i) -> Shortened {
  let size = u32(max(abs(d.x), abs(d.y)));
  let shift = 18u - min(18u, countLeadingZeros(size));
  return Shortened(vec2i(d.x >> shift, d.y >> shift), shift);
}

/// Length of any vector, to 1 in 8192.
fn lengthOf(d: vec2i) -> i32 {
  let short = shorten(d);
  return i32(integerSquareRoot(u32(dot2(short.d, short.d))) << short.shift);
}

/// Cosine and sine of the angle to `d`, from the axis x; (1, 0) where there is none.
fn angleTo(d: vec2i) -> vec2i {
  let short = shorten(d).d;
  let length = i32(integerSquareRoot(u32(dot2(short, short))));
  if (length == 0) { return vec2i(16384, 0); }
  return vec2i(short.x * 16384, short.y * 16384) / length;
}

fn putAgent() {
  let first = GROUP_AGENT;
  put(first + FIELD_AGENT_CLOCK, i32(env.clockCentiseconds));
  put(first + FIELD_AGENT_EXPOSURE, i32(env.exposureCentiseconds));
  put(first + FIELD_AGENT_DECISIONS_LEFT, i32(env.maxDecisions - env.decisions));
  put(first + FIELD_AGENT_LAST_ACTION, i32(env.action));
  put(first + FIELD_AGENT_ACTIVE_CONTACTS, i32(env.decisionContacts));
  put(first + FIELD_AGENT_PASSIVE_CONTACTS, i32(env.decisionPassive));
  put(first + FIELD_AGENT_BUILDING_CONTACTS, i32(env.decisionBuilding));
  put(first + FIELD_AGENT_TRIPS, i32(env.decisionTrips));
  put(first + FIELD_AGENT_BUILDING_STREAK, i32(env.buildingStreak));
  put(first + FIELD_AGENT_WEDGE_STREAK, i32(env.wedgeStreak));
  putFlag(first + FIELD_AGENT_SLOW, env.slow != 0u);
  putFlag(first + FIELD_AGENT_JAYWALKING, env.jaywalking != 0u);
  putFlag(first + FIELD_AGENT_ADMITTED, env.admitted != 0u);
  putFlag(first + FIELD_AGENT_ILLEGAL, env.illegal != 0u);
}

fn putRoute() {
  let first = GROUP_ROUTE;
  let edge = readShape(route.edges + env.subgoal - 1u);
  let frame = stripFrame(edge, eye);
  let unit = unpackDirection(edge.direction);
  var toGo = lengthOf(routePoint(env.subgoal) - eye);
  for (var later = env.subgoal; later < route.edgeCount; later++) {
    toGo += readShape(route.edges + later).extentX;
  }
  put(first + FIELD_ROUTE_TO_GO, toGo);
  put(first + FIELD_ROUTE_LATERAL, frame.y);
  put(first + FIELD_ROUTE_LEFT, edge.extentX - frame.x);
  put(first + FIELD_ROUTE_HALF_WIDTH, edge.extentY);
  put(first + FIELD_ROUTE_HEADING_COS, dotQ14(facing, unit));
  put(first + FIELD_ROUTE_HEADING_SIN, crossQ14(facing, unit));
  putFlag(first + FIELD_ROUTE_CROSSWALK, edge.kind == KIND_CROSSWALK);
  put(first + FIELD_ROUTE_SUBGOALS_LEFT, i32(route.edgeCount - env.subgoal) + 1);
}

fn putSubgoals() {
  for (var place = 0u; place < GROUP_SUBGOAL_COUNT; place++) {
    let point = env.subgoal + place;
    if (point > route.edgeCount) { return; }
    let first = GROUP_SUBGOAL + place * GROUP_SUBGOAL_FIELDS;
    let d = routePoint(point) - eye;
    let angle = angleTo(inFrame(d));
    putFlag(first + FIELD_SUBGOAL_PRESENT, true);
    putPlace(first + FIELD_SUBGOAL_FORWARD, d, lengthOf(d));
    put(first + FIELD_SUBGOAL_COS, angle.x);
    put(first + FIELD_SUBGOAL_SIN, angle.y);
    putFlag(first + FIELD_SUBGOAL_CROSSWALK, readShape(route.edges + point - 1u).kind == KIND_CROSSWALK);
    putFlag(first + FIELD_SUBGOAL_FINAL, point == route.edgeCount);
  }
}

/// Vehicle phases of the junction that a crosswalk of the route belongs to; 0 where it has no signals.
fn groupsOf(edge: Shape) -> i32 {
  let middle = shapePosition(edge) + scaleQ14(edge.extentX / 2, unpackDirection(edge.direction));
  let items = itemsAt(middle);
  for (var item = items.first; item < items.end; item++) {
    let shape = readShape(tables[item]);
    if (shape.kind == KIND_CROSSWALK && isInPaintedBand(shape, middle)) { return shape.link; }
  }
  return 0;
}

fn putCrossing() {
  let first = GROUP_CROSSING;
  var ahead = 0;
  for (var edge = env.subgoal - 1u; edge < route.edgeCount; edge++) {
    let shape = readShape(route.edges + edge);
    if (shape.kind != KIND_CROSSWALK) {
      ahead += select(shape.extentX, shape.extentX - stripFrame(shape, eye).x, edge == env.subgoal - 1u);
      continue;
    }
    let groups = groupsOf(shape);
    let vehicles = groups * (rules.greenTicks + rules.yellowTicks + rules.allRedTicks);
    let cycle = vehicles + rules.walkTicks + rules.clearanceTicks;
    let phase = i32(env.worldTick % u32(max(1, cycle)));
    let walkLeft = vehicles + rules.walkTicks - phase;
    let isOn = isOpenFor(groups);
    putFlag(first + FIELD_CROSSING_PRESENT, true);
    put(first + FIELD_CROSSING_AHEAD, max(0, ahead));
    put(first + FIELD_CROSSING_LENGTH, shape.extentX);
    putFlag(first + FIELD_CROSSING_SIGNALISED, groups != 0);
    putFlag(first + FIELD_CROSSING_WALK, isOn);
    if (groups == 0) { return; }
    put(first + FIELD_CROSSING_WALK_LEFT, select(0, walkLeft, isOn));
    put(first + FIELD_CROSSING_UNTIL_WALK, select(select(cycle, 0, phase < vehicles) + vehicles - phase, 0, isOn));
    return;
  }
}

fn isOpenFor(groups: i32) -> bool {
  if (groups == 0) { return true; }
  return isWalk(groups);
}

fn walkerVelocity(walker: u32, actor: Actor, segment: PathSegment) -> vec2i {
  let isDog = walker >= env.pedestrians;
  let isAtEnd = isDog && rules.dogsRepeat == 0 && i32(segment.next) <= actor.link && actor.along >= segment.length - 1;
  let stands = isAtEnd || ((actor.status & HELD) != 0 && actor.timer >= 0);
  return scaleQ14(select(actor.speed, 0, stands), unpackDirection(segment.direction));
}

fn putWalkers() {
  nearestCount = 0u;
  for (var walker = 0u; walker < walkerCount(); walker++) {
    let actor = readStoredActor(walker);
    let d = positionOf(actor) - eye;
    if (actor.status != 0 && within(d, ACTOR_SIGHT)) { offerNearest(walker, d, GROUP_WALKER_COUNT); }
  }
  for (var place = 0u; place < nearestCount; place++) {
    let first = GROUP_WALKER + place * GROUP_WALKER_FIELDS;
    let walker = nearestThings[place];
    let actor = readStoredActor(walker);
    let segment = readPathSegment(route.segments + u32(actor.link));
    putFlag(first + FIELD_WALKER_PRESENT, true);
    putFlag(first + FIELD_WALKER_DOG, walker >= env.pedestrians);
    putPlace(first + FIELD_WALKER_FORWARD, positionOf(actor) - eye, rootOf(nearestDistances[place]));
    putVelocity(first + FIELD_WALKER_VELOCITY_FORWARD, walkerVelocity(walker, actor, segment));
    putFlag(first + FIELD_WALKER_TOUCHING, (actor.status & TOUCHING) != 0);
    putFlag(first + FIELD_WALKER_HELD, (actor.status & HELD) != 0);
  }
}

fn rootOf(squared: i32) -> i32 {
  return i32(integerSquareRoot(u32(squared)));
}

fn putVehicles() {
  for (var place = 0u; place < GROUP_VEHICLE_COUNT; place++) {
    let actor = readStoredActor(firstVehicle() + place);
    if (actor.status == 0) { continue; }
    let first = GROUP_VEHICLE + place * GROUP_VEHICLE_FIELDS;
    let drives = actor.status == VEHICLE_DRIVING;
    let d = positionOf(actor) - eye;
    putFlag(first + FIELD_VEHICLE_PRESENT, true);
    putFlag(first + FIELD_VEHICLE_DRIVING, drives);
    putPlace(first + FIELD_VEHICLE_FORWARD, d, lengthOf(d));
    let driving = unpackDirection(bitcast<u32>(actor.link));
    putVelocity(first + FIELD_VEHICLE_VELOCITY_FORWARD, scaleQ14(select(0, rules.vehicleSpeed, drives), driving));
  }
}

fn putObjects() {
  nearestCount = 0u;
  for (var slot = walkerCount(); slot < firstVehicle(); slot++) {
    let actor = readStoredActor(slot);
    let d = positionOf(actor) - eye;
    if (actor.status != 0 && within(d, ACTOR_SIGHT)) { offerNearest(slot, d, GROUP_OBJECT_COUNT); }
  }
  for (var place = 0u; place < nearestCount; place++) {
    let first = GROUP_OBJECT + place * GROUP_OBJECT_FIELDS;
    let slot = nearestThings[place];
    let actor = readStoredActor(slot);
    let isFalling = slot < firstProp();
    var kind = 0u;
    if (!isFalling) { kind = readShape(route.shapes + tables[route.props + u32(actor.link)]).kind; }
    putFlag(first + FIELD_OBJECT_PRESENT, true);
    putFlag(first + FIELD_OBJECT_FALLING, isFalling);
    putFlag(first + FIELD_OBJECT_BALL, kind == KIND_BALL);
    putFlag(first + FIELD_OBJECT_BOX, kind == KIND_BOX);
    putFlag(first + FIELD_OBJECT_MOVABLE, !isFalling && (actor.status & MOVABLE) != 0);
    putPlace(first + FIELD_OBJECT_FORWARD, positionOf(actor) - eye, rootOf(nearestDistances[place]));
    put(first + FIELD_OBJECT_HEIGHT, select(0, actor.along, isFalling));
    let rolling = scaleQ14(select(actor.speed, 0, isFalling), unpackDirection(bitcast<u32>(actor.timer)));
    putVelocity(first + FIELD_OBJECT_VELOCITY_FORWARD, rolling);
  }
}

fn putHazards() {
  if ((env.classes & CLASS_HAZARDS) == 0u) { return; }
  nearestCount = 0u;
  let low = cellOf(eye - vec2i(HAZARD_SIGHT));
  let high = cellOf(eye + vec2i(HAZARD_SIGHT));
  for (var line = low.y; line <= high.y; line++) {
    let items = rowItems(line, low.x, high.x);
    for (var item = items.first; item < items.end; item++) {
      let shape = readShape(tables[item]);
      let d = shapePosition(shape) - eye;
      if (shape.kind >= KIND_TRIP && shape.kind <= KIND_WATER && within(d, HAZARD_SIGHT)) {
        offerNearest(tables[item], d, GROUP_HAZARD_COUNT);
      }
    }
  }
  for (var place = 0u; place < nearestCount; place++) {
    let first = GROUP_HAZARD + place * GROUP_HAZARD_FIELDS;
    let shape = readShape(nearestThings[place]);
    putFlag(first + FIELD_HAZARD_PRESENT, true);
    putFlag(first + FIELD_HAZARD_TRIP, shape.kind == KIND_TRIP);
    putFlag(first + FIELD_HAZARD_OIL, shape.kind != KIND_TRIP && shape.kind != KIND_WATER);
    putFlag(first + FIELD_HAZARD_WATER, shape.kind == KIND_WATER);
    putPlace(first + FIELD_HAZARD_FORWARD, shapePosition(shape) - eye, rootOf(nearestDistances[place]));
  }
}

/// Does a place lie inside a building, the agent's radius included?
fn isBuiltUpon(p: vec2i) -> bool {
  let items = itemsAt(p);
  for (var item = items.first; item < items.end; item++) {
    let shape = readShape(tables[item]);
    let d = p - shapePosition(shape);
    let r = rules.agentRadius;
    if (shape.kind == KIND_BUILDING && all(d >= vec2i(-r)) && d.x <= shape.extentX + r && d.y <= shape.extentY + r) {
      return true;
    }
  }
  return false;
}

/// Bit action - 1: set but for moves that end inside a building.
fn actionMask() -> i32 {
  var mask = (1 << LAST_WAIT) - 1;
  for (var action = 1u; action <= LAST_MOVE; action++) {
    let heading = wrapHeading(env.heading + moveTurn(action));
    let target_ = eye + scaleQ14(moveDistanceCm(action) * UNITS_PER_CM, direction(heading));
    if (isBuiltUpon(target_)) { mask &= ~(1 << (action - 1u)); }
  }
  return mask;
}

@compute @workgroup_size(8)
fn observe(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let index = (group.y * groups.x + group.x) * 8u + lane;
  if (index >= wantedCount.x) { return; }
  current = wanted[index];
  row = index * (STATE_FIELDS + 1u);
  loadEnvironment();
  route = readRoute(env.route);
  rules = readRules(env.rules);
  eye = agentPosition();
  facing = direction(env.heading);
  for (var field = 0u; field < STATE_FIELDS; field++) {
    put(field, 0);
  }
  putAgent();
  putRoute();
  putSubgoals();
  putCrossing();
  putWalkers();
  putVehicles();
  putObjects();
  putHazards();
  put(STATE_FIELDS, actionMask());
}
