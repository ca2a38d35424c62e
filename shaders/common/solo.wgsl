// An environment run by one thread: no barrier, no atomic. Actors stay in storage, interleaved over the lanes of a vector
// (`laneBlock`), which is what a CPU's caches and vector units want. Same rules, same bits as team.wgsl.

var<private> route: Route;
var<private> rules: Rules;
var<private> chunk: Chunk;
var<private> poses: array<vec2i, 6>;  // the agent before the first tick of the chunk and after each
var<private> objectsAwake: bool = true;
var<private> intended: vec2i;         // the step of a refused tick

var<private> cache: array<u32, ACTOR_LIMIT>;
var<private> tally: array<u32, TALLIES>;
var<private> bucketHead: array<u32, BUCKETS>;  // (worldTick + 1) << 8 | walker
var<private> bucketNext: array<u32, ACTOR_LIMIT>;

fn readActor(slot: u32) -> Actor {
  return readStoredActor(slot);
}

fn writeActor(slot: u32, actor: Actor) {
  writeStoredActor(slot, actor);
}

fn setActorStatus(slot: u32, actor: Actor, status: i32) {
  actors[actorHalf(1u, slot)] = vec4i(actor.speed, status, actor.timer, actor.mark);
}

fn actorPosition(slot: u32) -> vec2i {
  return actors[actorHalf(0u, slot)].xy;
}

fn readCache(slot: u32) -> u32 {
  return cache[slot];
}

fn writeCache(slot: u32, value: u32) {
  cache[slot] = value;
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

fn linkWalker(bucket: u32, walker: u32) {
  let stamp = (env.worldTick + 1u) << 8u;
  let head = bucketHead[bucket];
  bucketHead[bucket] = stamp | walker;
  bucketNext[walker] = select(NOBODY, head & 255u, (head ^ stamp) < 256u);
}

fn firstInBucket(bucket: u32) -> u32 {
  let head = bucketHead[bucket];
  return select(NOBODY, head & 255u, (head ^ ((env.worldTick + 1u) << 8u)) < 256u);
}

fn nextInBucket(walker: u32) -> u32 {
  return bucketNext[walker];
}
