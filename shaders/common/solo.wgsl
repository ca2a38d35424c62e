// An environment run by one thread: no barrier, no atomic. Its actors are in the thread's own memory while it runs: drivers on
// a CPU read that without the checks of bounds that storage costs them. In storage they lie interleaved over the lanes of a
// vector (`laneBlock`), which is what such a driver's caches want. Same rules, same bits as team.wgsl.

var<private> route: Route;
var<private> rules: Rules;
var<private> chunk: Chunk;
var<private> poses: array<vec2i, 6>;  // the agent before the first tick of the chunk and after each
var<private> objectsAwake: bool = true;
var<private> intended: vec2i;         // the step of a refused tick

// An actor's fields, each by itself: a write touches only what changes.
var<private> places: array<vec2i, ACTOR_LIMIT>;
var<private> links: array<i32, ACTOR_LIMIT>;
var<private> alongs: array<i32, ACTOR_LIMIT>;
var<private> speeds: array<i32, ACTOR_LIMIT>;
var<private> statuses: array<i32, ACTOR_LIMIT>;
var<private> timers: array<i32, ACTOR_LIMIT>;
var<private> marks: array<i32, ACTOR_LIMIT>;
var<private> cache: array<u32, ACTOR_LIMIT>;
var<private> segmentCache: array<vec4i, ACTOR_LIMIT>; // x, y, length of a walker's segment
var<private> tally: array<u32, TALLIES>;
var<private> delayed: array<u32, ACTOR_LIMIT>;        // walkers that take more than one stride through the chunk

fn readActor(slot: u32) -> Actor {
  let p = places[slot];
  return Actor(p.x, p.y, links[slot], alongs[slot], speeds[slot], statuses[slot], timers[slot], marks[slot]);
}

fn writeActor(slot: u32, actor: Actor) {
  places[slot] = vec2i(actor.x, actor.y);
  links[slot] = actor.link;
  alongs[slot] = actor.along;
  speeds[slot] = actor.speed;
  statuses[slot] = actor.status;
  timers[slot] = actor.timer;
  marks[slot] = actor.mark;
}

fn actorStatus(slot: u32) -> i32 {
  return statuses[slot];
}

fn setActorStatus(slot: u32, status: i32) {
  statuses[slot] = status;
}

fn actorPosition(slot: u32) -> vec2i {
  return places[slot];
}

fn setWalkerPlace(walker: u32, p: vec2i, along: i32) {
  places[walker] = p;
  alongs[walker] = along;
}

fn setWalkerTimer(walker: u32, timer: i32) {
  timers[walker] = timer;
}

fn setWalkerMark(walker: u32, mark: i32) {
  marks[walker] = mark;
}

fn readCache(slot: u32) -> u32 {
  return cache[slot];
}

/// The segment a walker is on; `next` is not known.
fn walkerSegment(walker: u32, link: i32) -> PathSegment {
  let known = segmentCache[walker];
  return PathSegment(known.x, known.y, cache[walker], known.z, 0u, 0u, 0u, 0u);
}

fn setWalkerSegment(walker: u32, link: i32, segment: PathSegment) {
  links[walker] = link;
  cache[walker] = segment.direction;
  segmentCache[walker] = vec4i(segment.x, segment.y, segment.length, 0);
}

fn tallyAdd(index: u32, value: u32) {
  tally[index] += value;
}

fn tallyOr(index: u32, value: u32) {
  tally[index] |= value;
}

fn tallyMax(index: u32, value: u32) {
  tally[index] = max(tally[index], value);
}

fn takeTally(index: u32) -> u32 {
  let value = tally[index];
  tally[index] = 0u;
  return value;
}
