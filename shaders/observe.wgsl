// Writes the state vector of chosen environments in whole numbers, field by field as src/kernels/environment/stateFields.ts
// lists them (it generates the FIELD_ and GROUP_ constants), and which moves can be carried out. One thread per environment.
// Nothing here decides anything. Every kind of work is done in one place for all kinds of things, since drivers inline
// every call and compile in time that grows with the square of what comes of that.

@group(1) @binding(2) var<storage, read> wanted: array<u32>;      // [row]: slot in the shard
@group(1) @binding(3) var<storage, read_write> rows: array<i32>;  // [row, field, then the mask of actions]
@group(1) @binding(4) var<uniform> wantedCount: vec4u;

var<private> route: Route;
var<private> rules: Rules;

/// The row, until it is whole: a store is a loop over threads in drivers that run on a CPU, and there is but one here.
var<private> cells: array<i32, STATE_FIELDS + 1u>;
/// The agent's pose.
var<private> eye: vec2i;
var<private> facing: vec2i;

// Lists of things seen.
const WALKERS = 0u;
const CARS = 1u;
const OBJECTS = 2u;
const HAZARDS = 3u;

/// Vectors still to be written in the agent's frame.
struct Place {
  field: u32,     // of the forward part; the right part follows
  d: vec2i,
  extent: u32,    // 2: no more than these, 3: distance follows, 5: cosine and sine too
}

const PLACE_LIMIT = 64u;
var<private> places: array<Place, PLACE_LIMIT>;
var<private> placeCount: u32;

/// Where the seven moves lead, and which of them can be carried out.
var<private> targets: array<vec2i, LAST_MOVE>;
var<private> mask: i32;

fn put(field: u32, value: i32) {
  cells[field] = value;
}

fn putFlag(field: u32, isSet: bool) {
  cells[field] = select(0, 1, isSet);
}

fn notePlace(field: u32, d: vec2i, extent: u32) {
  places[placeCount] = Place(field, d, extent);
  placeCount++;
}

/// Writes what was noted. Vectors are shortened until their squares fit: lengths are good to 1 in 8192.
fn putPlaces() {
  for (var place = 0u; place < placeCount; place++) {
    let noted = places[place];
    let frame = vec2i(dotQ14(noted.d, facing), crossQ14(noted.d, facing));
    let size = u32(max(abs(frame.x), abs(frame.y)));
    let shift = vec2u(18u - min(18u, countLeadingZeros(size)));
    let short = frame >> shift;
    let length = i32(integerSquareRoot(u32(dot2(short, short))));
    let angle = select(vec2i(16384, 0), short * 16384 / max(1, length), length > 0);
    put(noted.field, frame.x);
    put(noted.field + 1u, frame.y);
    if (noted.extent > 2u) { put(noted.field + 2u, length << shift.x); }
    if (noted.extent > 3u) {
      put(noted.field + 3u, angle.x);
      put(noted.field + 4u, angle.y);
    }
  }
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

/// The active edge.
fn putEdge(edge: Shape) {
  let first = GROUP_ROUTE;
  let frame = stripFrame(edge, eye);
  let unit = unpackDirection(edge.direction);
  put(first + FIELD_ROUTE_LATERAL, frame.y);
  put(first + FIELD_ROUTE_LEFT, edge.extentX - frame.x);
  put(first + FIELD_ROUTE_HALF_WIDTH, edge.extentY);
  put(first + FIELD_ROUTE_HEADING_COS, dotQ14(facing, unit));
  put(first + FIELD_ROUTE_HEADING_SIN, crossQ14(facing, unit));
  putFlag(first + FIELD_ROUTE_CROSSWALK, edge.kind == KIND_CROSSWALK);
  put(first + FIELD_ROUTE_SUBGOALS_LEFT, i32(route.edgeCount - env.subgoal) + 1);
}

/// The edges from the active one on, the points at their ends, and the first crosswalk among them.
fn putRoute() {
  var beyond = 0;        // length of the edges after the active one
  var ahead = 0;         // from the agent to the edge at hand
  var crosswalk = Shape();
  var isFound = false;
  for (var point = env.subgoal; point <= route.edgeCount; point++) {
    let edge = readShape(route.edges + point - 1u);
    let isCrosswalk = edge.kind == KIND_CROSSWALK;
    let isActive = point == env.subgoal;
    if (isActive) { putEdge(edge); }
    if (isCrosswalk && !isFound) {
      crosswalk = edge;
      isFound = true;
      put(GROUP_CROSSING + FIELD_CROSSING_AHEAD, ahead);
    }
    ahead += select(edge.extentX, max(0, edge.extentX - stripFrame(edge, eye).x), isActive);
    beyond += select(edge.extentX, 0, isActive);
    let place = point - env.subgoal;
    if (place < GROUP_SUBGOAL_COUNT) {
      let first = GROUP_SUBGOAL + place * GROUP_SUBGOAL_FIELDS;
      putFlag(first + FIELD_SUBGOAL_PRESENT, true);
      notePlace(first + FIELD_SUBGOAL_FORWARD, routePoint(point) - eye, 5u);
      putFlag(first + FIELD_SUBGOAL_CROSSWALK, isCrosswalk);
      putFlag(first + FIELD_SUBGOAL_FINAL, point == route.edgeCount);
    }
  }
  put(GROUP_ROUTE + FIELD_ROUTE_TO_GO, beyond);
  if (isFound) { putCrossing(crosswalk); }
}

/// A crosswalk of the route and its signals: those of the map's crosswalk whose painted band its middle lies in.
fn putCrossing(crosswalk: Shape) {
  let first = GROUP_CROSSING;
  let middle = shapePosition(crosswalk) + scaleQ14(crosswalk.extentX / 2, unpackDirection(crosswalk.direction));
  var groups = 0;
  let items = itemsAt(middle);
  for (var item = items.first; item < items.end; item++) {
    let shape = readShape(tables[item]);
    if (shape.kind == KIND_CROSSWALK && isInPaintedBand(shape, middle)) { groups = shape.link; }
  }
  // As isWalk of crossing.wgsl has it.
  let vehicles = groups * (rules.greenTicks + rules.yellowTicks + rules.allRedTicks);
  let cycle = vehicles + rules.walkTicks + rules.clearanceTicks;
  let phase = i32(env.worldTick % u32(max(1, cycle)));
  let walkEnd = vehicles + rules.walkTicks;
  let isSignalised = groups != 0;
  let isWalking = isSignalised && phase >= vehicles && phase < walkEnd;
  let next = vehicles + select(cycle, 0, phase < vehicles);
  putFlag(first + FIELD_CROSSING_PRESENT, true);
  put(first + FIELD_CROSSING_LENGTH, crosswalk.extentX);
  putFlag(first + FIELD_CROSSING_SIGNALISED, isSignalised);
  putFlag(first + FIELD_CROSSING_WALK, isWalking || !isSignalised);
  put(first + FIELD_CROSSING_WALK_LEFT, select(0, walkEnd - phase, isWalking));
  put(first + FIELD_CROSSING_UNTIL_WALK, select(0, next - phase, isSignalised && !isWalking));
}

fn aimMoves() {
  for (var move_ = 0u; move_ < LAST_MOVE; move_++) {
    let heading = wrapHeading(env.heading + moveTurn(move_ + 1u));
    targets[move_] = eye + scaleQ14(moveDistanceCm(move_ + 1u) * UNITS_PER_CM, direction(heading));
  }
  mask = (1 << LAST_WAIT) - 1;
}

/// Takes the moves that end inside a building, the agent's radius included, out of the mask.
fn maskMoves(building: Shape) {
  let low = shapePosition(building) - rules.agentRadius;
  let high = shapePosition(building) + vec2i(building.extentX, building.extentY) + rules.agentRadius;
  for (var move_ = 0u; move_ < LAST_MOVE; move_++) {
    let target_ = targets[move_];
    mask &= ~select(0, 1 << move_, all(target_ >= low) && all(target_ <= high));
  }
}

/// Goes over all actors, and over the shapes of the grid that are near.
fn lookAround() {
  let low = cellOf(eye - vec2i(HAZARD_SIGHT));
  let high = cellOf(eye + vec2i(HAZARD_SIGHT));
  let seesHazards = (env.classes & CLASS_HAZARDS) != 0u;
  for (var line = low.y - 1; line <= high.y; line++) {
    let isActors = line < low.y;
    var items = Items(0u, firstVehicle() + VEHICLES);
    if (!isActors) { items = rowItems(line, low.x, high.x); }
    for (var item = items.first; item < items.end; item++) {
      var list = HAZARDS;
      var capacity = GROUP_HAZARD_COUNT;
      var sight = HAZARD_SIGHT;
      var thing = item;
      var p = vec2i(0);
      var isThere = false;
      if (isActors) {
        let actor = readStoredActor(item);
        p = positionOf(actor);
        isThere = actor.status != 0;
        sight = ACTOR_SIGHT;
        let isWalker = item < walkerCount();
        let isCar = item >= firstVehicle();
        list = select(select(OBJECTS, CARS, isCar), WALKERS, isWalker);
        capacity = select(select(GROUP_OBJECT_COUNT, GROUP_VEHICLE_COUNT, isCar), GROUP_WALKER_COUNT, isWalker);
      } else {
        thing = tables[item];
        let shape = readShape(thing);
        p = shapePosition(shape);
        isThere = seesHazards && shape.kind >= KIND_TRIP && shape.kind <= KIND_WATER;
        if (shape.kind == KIND_BUILDING) { maskMoves(shape); }
      }
      if (isThere && within(p - eye, sight)) { offerNearest(list, capacity, thing, p - eye); }
    }
  }
}

/// Does a dog stand at the end of its only run?
fn hasRunOut(walker: u32, actor: Actor, segment: PathSegment) -> bool {
  let runsOnce = rules.dogsRepeat == 0 && walker >= env.pedestrians;
  return runsOnce && i32(segment.next) <= actor.link && actor.along >= segment.length - 1;
}

fn putWalker(first: u32, walker: u32, actor: Actor) -> vec2i {
  let segment = readPathSegment(route.segments + u32(actor.link));
  let isHeld = (actor.status & HELD) != 0 && actor.timer >= 0;
  putFlag(first + FIELD_WALKER_DOG, walker >= env.pedestrians);
  putFlag(first + FIELD_WALKER_TOUCHING, (actor.status & TOUCHING) != 0);
  putFlag(first + FIELD_WALKER_HELD, isHeld);
  let speed = select(actor.speed, 0, isHeld || hasRunOut(walker, actor, segment));
  return scaleQ14(speed, unpackDirection(segment.direction));
}

fn putCar(first: u32, actor: Actor) -> vec2i {
  let drives = actor.status == VEHICLE_DRIVING;
  putFlag(first + FIELD_VEHICLE_DRIVING, drives);
  return scaleQ14(select(0, rules.vehicleSpeed, drives), unpackDirection(bitcast<u32>(actor.link)));
}

fn putObject(first: u32, slot: u32, actor: Actor) {
  let isFalling = slot < firstProp();
  var kind = 0u;
  if (!isFalling) { kind = readShape(route.shapes + tables[route.props + u32(actor.link)]).kind; }
  putFlag(first + FIELD_OBJECT_FALLING, isFalling);
  putFlag(first + FIELD_OBJECT_BALL, kind == KIND_BALL);
  putFlag(first + FIELD_OBJECT_BOX, kind == KIND_BOX);
  putFlag(first + FIELD_OBJECT_MOVABLE, !isFalling && (actor.status & MOVABLE) != 0);
  put(first + FIELD_OBJECT_HEIGHT, select(0, actor.along, isFalling));
  let stage = select(0, actor.status >> STAGE_SHIFT, isFalling);
  putFlag(first + FIELD_OBJECT_ARMED, stage == 1 || stage == 2);
  putFlag(first + FIELD_OBJECT_LANDED, stage == 3);
}

fn putHazard(first: u32, kind: u32) {
  putFlag(first + FIELD_HAZARD_TRIP, kind == KIND_TRIP);
  putFlag(first + FIELD_HAZARD_OIL, kind != KIND_TRIP && kind != KIND_WATER);
  putFlag(first + FIELD_HAZARD_WATER, kind == KIND_WATER);
}

/// Where the fields of a list's things are: of the first thing, of each, and within one where it is and how it moves, if it does.
struct ListFields {
  first: u32,
  stride: u32,
  place: u32,
  velocity: u32,
}

fn fieldsOf(list: u32) -> ListFields {
  var table = array(
    ListFields(GROUP_WALKER, GROUP_WALKER_FIELDS, FIELD_WALKER_FORWARD, FIELD_WALKER_VELOCITY_FORWARD),
    ListFields(GROUP_VEHICLE, GROUP_VEHICLE_FIELDS, FIELD_VEHICLE_FORWARD, FIELD_VEHICLE_VELOCITY_FORWARD),
    ListFields(GROUP_OBJECT, GROUP_OBJECT_FIELDS, FIELD_OBJECT_FORWARD, 0u),
    ListFields(GROUP_HAZARD, GROUP_HAZARD_FIELDS, FIELD_HAZARD_FORWARD, 0u),
  );
  return table[list];
}

fn putSeen() {
  var list = 0u;
  var place = 0u;
  loop {
    while (list < NEAREST_LISTS && place >= nearestCounts[list]) {
      list++;
      place = 0u;
    }
    if (list == NEAREST_LISTS) { break; }
    let fields = fieldsOf(list);
    let first = fields.first + place * fields.stride;
    let near = nearest[list * NEAREST_LIMIT + place];
    put(first, 1);
    notePlace(first + fields.place, near.d, 3u);
    if (list == HAZARDS) {
      putHazard(first, readShape(near.thing).kind);
    } else {
      let actor = readStoredActor(near.thing);
      if (list == OBJECTS) {
        putObject(first, near.thing, actor);
      } else {
        var velocity = vec2i(0);
        if (list == WALKERS) {
          velocity = putWalker(first, near.thing, actor);
        } else {
          velocity = putCar(first, actor);
        }
        notePlace(first + fields.velocity, velocity, 2u);
      }
    }
    place++;
  }
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
  loadEnvironment();
  route = readRoute(env.route);
  rules = readRules(env.rules);
  eye = agentPosition();
  facing = direction(env.heading);
  putAgent();
  putRoute();
  aimMoves();
  lookAround();
  putSeen();
  putPlaces();
  cells[GROUP_ROUTE + FIELD_ROUTE_TO_GO] += cells[GROUP_SUBGOAL + FIELD_SUBGOAL_DISTANCE];
  put(STATE_FIELDS, mask);
  for (var cell = 0u; cell <= STATE_FIELDS; cell++) {
    rows[index * (STATE_FIELDS + 1u) + cell] = cells[cell];
  }
}
