// An environment shared out over a workgroup: its actors and counts in workgroup memory.

var<workgroup> route: Route;
var<workgroup> rules: Rules;
var<workgroup> frame: Frame;
var<workgroup> chunk: Chunk;
var<workgroup> poses: array<vec2i, 6>;  // the agent before the first tick of the chunk and after each
var<workgroup> moveStart: vec2i;
var<workgroup> intended: vec2i;         // the step of a refused tick

var<workgroup> fields: array<array<i32, ACTOR_LIMIT>, ACTOR_WORDS>;
var<workgroup> cache: array<u32, ACTOR_LIMIT>;
var<workgroup> tally: array<atomic<u32>, TALLIES>;
var<workgroup> bucketHead: array<atomic<i32>, BUCKETS>;
var<workgroup> bucketNext: array<i32, ACTOR_LIMIT>;

fn readActor(field: u32, actor: u32) -> i32 {
  return fields[field][actor];
}

fn writeActor(field: u32, actor: u32, value: i32) {
  fields[field][actor] = value;
}

fn readCache(actor: u32) -> u32 {
  return cache[actor];
}

fn writeCache(actor: u32, value: u32) {
  cache[actor] = value;
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

fn readTally(index: u32) -> u32 {
  return atomicLoad(&tally[index]);
}

fn takeTally(index: u32) -> u32 {
  return atomicExchange(&tally[index], 0u);
}

fn clearBucket(bucket: u32) {
  atomicStore(&bucketHead[bucket], NOBODY);
}

fn linkWalker(bucket: u32, walker: u32) {
  bucketNext[walker] = atomicExchange(&bucketHead[bucket], i32(walker));
}

fn firstInBucket(bucket: u32) -> i32 {
  return atomicLoad(&bucketHead[bucket]);
}

fn nextInBucket(walker: u32) -> i32 {
  return bucketNext[walker];
}
