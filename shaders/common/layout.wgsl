// Every record that the host, the kernels and the reference share. The one source of truth for each layout: the host
// parses these declarations (src/kernels/layout.ts), so no offset is written down twice. All members are 4 bytes wide.
// Records are whole numbers of four words, since kernels read and write them four words at a time (the accessors are
// generated too); members called spare only fill up. Lengths and positions are in units (16 per centimetre), durations in ticks (0.1 s), directions are a Q14 unit vector
// packed as two signed 16-bit halves (x low, y high), indices are relative to the map or route that owns the record
// unless the comment says "absolute", so that a state never depends on which other maps are loaded.

// One profile, compiled to integers. [profile]
struct Rules {
  agentRadius: i32,
  humanContact: i32,           // centre distance at which a walker and the agent touch
  releaseMargin: i32,          // a contact ends this far beyond its contact distance
  ballContact: i32,            // centre distance at which a ball counts as touched
  boxRadius: i32,
  fallingRadius: i32,
  agentHeight: i32,
  contactRepeatTicks: i32,     // a pressing walker is counted again after so many ticks; 0: never
  firstPlanning: i32,          // contacts of the first planning interval: 0 count as active, 1 count as passive
  hazardSwept: i32,            // 1: tested at every tick of a move, 0: at its end pose
  hazardOncePerDecision: i32,  // 1: one class a decision with a 450 cm latch, 0: every entry into a patch
  violationEveryTick: i32,     // 1: crossings and road sampled at every tick of a move, 0: at decision boundaries
  tripHalfWidth: i32,
  oilHalfWidth: i32,
  waterHalfWidth: i32,
  hazardRearm: i32,
  contactPenaltyTicks: i32,
  tripPenaltyTicks: i32,
  buildingPenaltyTicks: i32,
  wedgePenaltyTicks: i32,
  buildingLimit: i32,          // so many building decisions in a row end the episode
  wedgeLimit: i32,
  reachDistance: i32,
  reachHalfWidth: i32,
  followGap: i32,              // a walker holds while another is this far ahead ...
  followHalfWidth: i32,        // ... and this near to its line
  patienceTicks: i32,          // after holding so long a walker passes through
  passingTicks: i32,
  fallingTrigger: i32,
  fallingDelayTicks: i32,
  fallingHeight: i32,
  gravity: i32,                // units per tick per tick
  pushSpeedBall: i32,          // units per tick
  pushSpeedBox: i32,
  frictionBall: i32,           // units per tick per tick
  frictionBox: i32,
  greenTicks: i32,
  yellowTicks: i32,
  allRedTicks: i32,
  walkTicks: i32,
  clearanceTicks: i32,
  vehicleSpeed: i32,           // units per tick
  vehicleImpact: i32,
  vehicleWaitTicks: i32,
  vehicleLifeTicks: i32,
  vehicleRange: i32,
  launchMinimumCm: i32,
  launchSpanCm: i32,
  laneOffset: i32,
  guardHalfWidth: i32,
  clearanceIntimate: i32,      // surface distances
  clearancePersonal: i32,
  clearanceSocial: i32,
  dogSpeed: i32,               // units per tick
  setPoseTouches: i32,         // 1: what the agent's pose is set upon counts as touched, 0: only what moves into the agent
  dogsRepeat: i32,             // 1: dogs run to and fro for ever, 0: once, then they stand at their route's start
}

// One route of one map. [route]
struct Route {
  startX: i32,
  startY: i32,
  endX: i32,
  endY: i32,
  startHeading: i32,           // tenths of a degree
  edges: u32,                  // absolute index of its first edge in shapes
  edgeCount: u32,
  segments: u32,               // absolute index of its first path segment
  pedestrianCycles: u32,       // absolute index in tables of (first segment, count) pairs, two per pedestrian route
  pedestrianCycleCount: u32,
  dogCycles: u32,              // likewise, one per dog route
  dogCycleCount: u32,
  falling: u32,                // absolute index in shapes of its falling objects
  fallingCount: u32,
  props: u32,                  // absolute index in tables of its balls' and boxes' shapes (relative to the map)
  propCount: u32,
  pedestrianCount: u32,        // requested at 100 %
  groundObjectCount: u32,      // of the whole map, for the ranks of movable objects
  shapes: u32,                 // absolute index of the map's first shape
  cells: u32,                  // absolute index in tables of the grid: columns * rows + 1 starts, then the items
  cellItems: u32,              // absolute index in tables of the grid's items (absolute shape indices)
  originX: i32,                // the grid's corner
  originY: i32,
  columns: i32,
  rows: i32,
  maxDecisions: u32,
  spare0: u32,
  spare1: u32,
}

// Anything that does not move. [shape]
struct Shape {
  kind: u32,
  x: i32,                      // strip: start of its axis; building: smallest corner; disc: centre
  y: i32,
  direction: u32,              // strip: packed unit vector of its axis
  extentX: i32,                // strip: length; building: size along x; disc: radius
  extentY: i32,                // strip: half width; building: size along y
  link: i32,                   // crosswalk: vehicle groups of its junction, 0 when uncontrolled;
                               // ground object: its index on the map
  spare0: u32,
}

// One straight piece of a cyclic walking path. [segment]
struct PathSegment {
  x: i32,
  y: i32,
  direction: u32,
  length: i32,
  next: u32,                   // relative to the route's first segment
  spare0: u32,
  spare1: u32,
  spare2: u32,
}

// What an episode starts from. [request]
struct ResetRequest {
  env: u32,
  route: u32,
  rules: u32,
  mode: u32,                   // 0 static, 1 realtime
  seed: u32,                   // the episode seed
  maxDecisions: u32,
  percent: u32,                // share of each actor class: 60, 80, 100
  speedChoices: u32,           // 1: pedestrians at 1 m/s, 3: 1, 1.5 or 2 m/s
  classes: u32,                // bit set of actor classes present
  spare0: u32,
  spare1: u32,
  spare2: u32,
}

// What the policy chose. [env]
struct Decision {
  pending: u32,                // 1: take it up; the kernel clears it
  action: u32,                 // 0 none, 1-7 moves, 8-13 turns L30 L60 L90 R30 R60 R90, 14-16 waits of 1-3 s
  latencyCentiseconds: u32,
  spare0: u32,
}

struct Checkpoint {
  x: i32,
  y: i32,
  heading: i32,
  subgoal: u32,
}

// One environment. Members from `status` on make the state hash, with the actors. [env]
struct EnvState {
  route: u32,
  rules: u32,
  mode: u32,
  seed: u32,
  maxDecisions: u32,
  classes: u32,
  pedestrians: u32,            // actor slots in this order: pedestrians, dogs, falling objects, props, vehicles
  dogs: u32,
  falling: u32,
  props: u32,
  movableCount: u32,           // ground objects with a rank below this can be pushed
  spare0: u32,
  stateHash: u32,
  hashPending: u32,            // 1: the hash must be made when the env next stands still
  spare1: u32,
  spare2: u32,

  status: u32,
  outcome: u32,
  x: i32,
  y: i32,
  heading: i32,
  subgoal: u32,                // index of the polyline point headed for, 1 .. edgeCount
  clockCentiseconds: u32,
  exposureCentiseconds: u32,
  decisions: u32,
  travelled: u32,
  worldTick: u32,
  contacts: array<u32, 8>,     // [type: human, object, building, vehicle][interval: active, passive]
  incidents: array<u32, 8>,
  hazards: array<u32, 3>,      // trip, oil, water
  violations: array<u32, 2>,   // red light, jaywalk
  conflicts: array<u32, 2>,    // launched, hit
  closeTicks: array<u32, 3>,   // ticks with a walker nearer than intimate, personal, social distance
  impactMaximum: u32,          // largest relative speed at the start of a human incident, units per tick
  impactSum: u32,
  timeToCollision: u32,        // least so far, ticks; 51: never within 50
  postEncroachment: u32,       // likewise
  lastStepTick: u32,           // worldTick at the end of the agent's last step ...
  carryCentiseconds: u32,
  action: u32,
  phaseTicksLeft: i32,
  strideX: i32,                // ... and that step
  strideY: i32,
  moveTick: i32,
  moveTicks: i32,
  moveStop: i32,
  moveStartX: i32,
  moveStartY: i32,
  moveTargetX: i32,
  moveTargetY: i32,
  physical: u32,
  slow: u32,
  arrived: u32,
  admitted: u32,               // crosswalk shape + 1, relative to the map; 0 none
  illegal: u32,
  jaywalking: u32,
  pressing: u32,               // bit 0: held by an object, bit 1: by a building
  hazardKind: u32,
  hazardX: i32,
  hazardY: i32,
  hazardMask: u32,
  decisionTrips: u32,
  decisionOil: u32,
  decisionContacts: u32,       // active ones so far in this decision: human and object
  decisionBuilding: u32,
  decisionPassive: u32,
  buildingStreak: u32,
  wedgeStreak: u32,
  checkpointX: i32,
  checkpointY: i32,
  checkpointHeading: i32,
  checkpointSubgoal: u32,
  checkpointJaywalking: u32,
  checkpointAdmitted: u32,
  checkpointIllegal: u32,
  checkpointHazardKind: u32,
  checkpointHazardX: i32,
  checkpointHazardY: i32,
  trailCount: u32,
  spare3: u32,
  trail: array<Checkpoint, 40>,
}

// What one round reads back: the run of EnvState from `status` to `carryCentiseconds`, and the hash. [env]
struct Summary {
  status: u32,
  outcome: u32,
  x: i32,
  y: i32,
  heading: i32,
  subgoal: u32,
  clockCentiseconds: u32,
  exposureCentiseconds: u32,
  decisions: u32,
  travelled: u32,
  worldTick: u32,
  contacts: array<u32, 8>,
  incidents: array<u32, 8>,
  hazards: array<u32, 3>,
  violations: array<u32, 2>,
  conflicts: array<u32, 2>,
  closeTicks: array<u32, 3>,
  impactMaximum: u32,
  impactSum: u32,
  timeToCollision: u32,
  postEncroachment: u32,
  lastStepTick: u32,
  carryCentiseconds: u32,
  stateHash: u32,
}
