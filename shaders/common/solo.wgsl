// An environment run by one thread: no barrier, no atomic. Its actors are in the thread's own memory while it runs: drivers on
// a CPU read that without the checks of bounds that storage costs them. In storage they lie interleaved over the lanes of a
// vector (`laneBlock`), which is what such a driver's caches want. Same rules, same bits as team.wgsl.

var<private> route: Route;
var<private> rules: Rules;
var<private> chunk: Chunk;
var<private> poses: array<vec2i, 6>;  // the agent before the first tick of the chunk and after each
var<private> objectsAwake: bool = true;
var<private> intended: vec2i;         // the step of a refused tick

// An actor's fields, each by itself and of one word: a write touches only what changes, and an actor's words are at the same
// place of all arrays, which a CPU driver works out only once.
var<private> xs: array<i32, ACTOR_LIMIT>;
var<private> ys: array<i32, ACTOR_LIMIT>;
var<private> links: array<i32, ACTOR_LIMIT>;
var<private> alongs: array<i32, ACTOR_LIMIT>;
var<private> speeds: array<i32, ACTOR_LIMIT>;
var<private> statuses: array<i32, ACTOR_LIMIT>;
var<private> timers: array<i32, ACTOR_LIMIT>;
var<private> marks: array<i32, ACTOR_LIMIT>;
var<private> cache: array<u32, ACTOR_LIMIT>;
var<private> segmentXs: array<i32, ACTOR_LIMIT>;      // of a walker's segment
var<private> segmentYs: array<i32, ACTOR_LIMIT>;
var<private> segmentLengths: array<i32, ACTOR_LIMIT>;
var<private> tally: array<u32, TALLIES>;
var<private> delayed: array<u32, ACTOR_LIMIT>;        // walkers that take more than one stride through the chunk

fn readActor(slot: u32) -> Actor {
  return Actor(xs[slot], ys[slot], links[slot], alongs[slot], speeds[slot], statuses[slot], timers[slot], marks[slot]);
}

fn writeActor(slot: u32, actor: Actor) {
  xs[slot] = actor.x;
  ys[slot] = actor.y;
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
  return vec2i(xs[slot], ys[slot]);
}

fn setWalkerPlace(walker: u32, p: vec2i, along: i32) {
  xs[walker] = p.x;
  ys[walker] = p.y;
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
  return PathSegment(segmentXs[walker], segmentYs[walker], cache[walker], segmentLengths[walker], 0u, 0u, 0u, 0u);
}

fn setWalkerSegment(walker: u32, link: i32, segment: PathSegment) {
  links[walker] = link;
  cache[walker] = segment.direction;
  segmentXs[walker] = segment.x;
  segmentYs[walker] = segment.y;
  segmentLengths[walker] = segment.length;
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
