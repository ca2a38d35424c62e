// An environment shared out over a workgroup: its state, actors and counts in workgroup memory.

var<workgroup> route: Route;
var<workgroup> rules: Rules;
/// A member of `env` is in truth a word of one of these (src/kernels/layout.ts, addressByWord).
var<workgroup> envU: array<u32, ENV_WORDS>;
var<workgroup> envI: array<i32, ENV_WORDS>;
var<workgroup> chunk: Chunk;
var<workgroup> poses: array<vec2i, 6>;  // the agent before the first tick of the chunk and after each
var<workgroup> objectsAwake: bool;
var<workgroup> intended: vec2i;         // the step of a refused tick

var<workgroup> actorMemory: array<Actor, ACTOR_LIMIT>;
var<workgroup> cache: array<u32, ACTOR_LIMIT>;
var<workgroup> tally: array<atomic<u32>, TALLIES>;
var<workgroup> coarse: array<u32, ACTOR_LIMIT>;

fn readActor(slot: u32) -> Actor {
  return actorMemory[slot];
}

fn writeActor(slot: u32, actor: Actor) {
  actorMemory[slot] = actor;
}

fn actorStatus(slot: u32) -> i32 {
  return actorMemory[slot].status;
}

fn setActorStatus(slot: u32, status: i32) {
  actorMemory[slot].status = status;
}

fn actorPosition(slot: u32) -> vec2i {
  return vec2i(actorMemory[slot].x, actorMemory[slot].y);
}

fn setWalkerPlace(walker: u32, p: vec2i, along: i32) {
  actorMemory[walker].x = p.x;
  actorMemory[walker].y = p.y;
  actorMemory[walker].along = along;
}

fn setWalkerTimer(walker: u32, timer: i32) {
  actorMemory[walker].timer = timer;
}

fn setWalkerMark(walker: u32, mark: i32) {
  actorMemory[walker].mark = mark;
}

fn readCache(slot: u32) -> u32 {
  return cache[slot];
}

fn walkerSegment(walker: u32, link: i32) -> PathSegment {
  return routeSegment(link);
}

fn setWalkerSegment(walker: u32, link: i32, segment: PathSegment) {
  actorMemory[walker].link = link;
  cache[walker] = segment.direction;
}

fn tallyAdd(index: u32, value: u32) {
  atomicAdd(&tally[index], value);
}

fn tallyOr(index: u32, value: u32) {
  atomicOr(&tally[index], value);
}

fn tallyMax(index: u32, value: u32) {
  atomicMax(&tally[index], value);
}

fn takeTally(index: u32) -> u32 {
  return atomicExchange(&tally[index], 0u);
}
