// The environments' state and actors in storage, and the names of what stands in them (docs/rules.md, sections 3 and 4).
// `env` is the environment at hand, all of EnvState but its trail; the kernel declares it.

@group(1) @binding(0) var<storage, read_write> states: array<u32>;    // [env, EnvState word]
@group(1) @binding(1) var<storage, read_write> actors: array<vec4i>;  // [env / laneBlock, half, actorStride, env % laneBlock]

/// Actor slots per environment in `actors`.
override actorStride: u32;
/// Environments whose actors are interleaved: 1, or the lanes of a vector.
override laneBlock: u32;

/// Environments in storage. From its size and not a constant, so that kernels are compiled once for batches of all sizes.
fn environmentCount() -> u32 {
  return arrayLength(&states) / STATE_WORDS;
}

/// The environment this thread works on.
var<private> current: u32;

const AWAITING = 1u;
const PLANNING = 2u;
const EXECUTING = 3u;
const RECOVERING = 4u;
const DONE = 5u;

const SUCCESS = 1u;
const VEHICLE_COLLISION = 2u;
const REPEATED_BUILDING_COLLISION = 3u;
const DECISION_BUDGET = 4u;

const LAST_MOVE = 7u;
const LAST_TURN = 13u;
const LAST_WAIT = 16u;

/// Ticks that surrogate safety measures look ahead and back; one more: nothing found.
const CONFLICT_HORIZON = 50u;

const ACTOR_LIMIT = 255u;
const VEHICLES = 3u;

/// Anything that moves besides the agent. What a field means depends on the class: docs/rules.md, section 3.
struct Actor {
  x: i32,
  y: i32,
  link: i32,
  along: i32,
  speed: i32,
  status: i32,
  timer: i32,
  mark: i32,
}

// Status of an actor.
const PRESENT = 1;
const TOUCHING = 2;
const HELD = 4;          // walker
const MOVABLE = 4;       // prop
const PRESSED = 8;       // walker, within one tick only
const STAGE_SHIFT = 4u;  // falling object
const VEHICLE_STAGED = 1;
const VEHICLE_DRIVING = 2;

/// Where half of an actor (x, y, link, along or speed, status, timer, mark) is stored.
fn actorHalf(half: u32, slot: u32) -> u32 {
  return ((current / laneBlock * 2u + half) * actorStride + slot) * laneBlock + current % laneBlock;
}

fn readStoredActor(slot: u32) -> Actor {
  let a = actors[actorHalf(0u, slot)];
  let b = actors[actorHalf(1u, slot)];
  return Actor(a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w);
}

fn writeStoredActor(slot: u32, actor: Actor) {
  actors[actorHalf(0u, slot)] = vec4i(actor.x, actor.y, actor.link, actor.along);
  actors[actorHalf(1u, slot)] = vec4i(actor.speed, actor.status, actor.timer, actor.mark);
}

fn positionOf(actor: Actor) -> vec2i {
  return vec2i(actor.x, actor.y);
}
