// The environments' state and actors in storage, and the names of what stands in them (docs/rules.md, sections 3 and 4).

@group(1) @binding(0) var<storage, read_write> envs: array<EnvState>;       // [env]
@group(1) @binding(1) var<storage, read_write> actors: array<i32>;          // [env / laneBlock, field, actorStride, env % laneBlock]

/// Actor slots per environment in `actors`.
override actorStride: u32;
/// Environments whose actors are interleaved word by word: 1, or the lanes of a vector.
override laneBlock: u32;

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

// Fields of an actor.
const X = 0u;
const Y = 1u;
const LINK = 2u;
const ALONG = 3u;
const SPEED = 4u;
const STATUS = 5u;
const TIMER = 6u;
const MARK = 7u;

// Status of an actor.
const PRESENT = 1;
const TOUCHING = 2;
const HELD = 4;          // walker
const MOVABLE = 4;       // prop
const PRESSED = 8;       // walker, within one tick only
const STAGE_SHIFT = 4u;  // falling object
const VEHICLE_STAGED = 1;
const VEHICLE_DRIVING = 2;

/// Place of an actor's field in `actors`; environments are interleaved in blocks of `laneBlock`.
fn actorWord(field: u32, actor: u32) -> u32 {
  let block = current / laneBlock;
  return ((block * ACTOR_WORDS + field) * actorStride + actor) * laneBlock + current % laneBlock;
}

fn agentPosition() -> vec2i {
  return vec2i(envs[current].x, envs[current].y);
}

/// Vehicles come after pedestrians, dogs, falling objects and props.
fn firstVehicle(env: u32) -> u32 {
  return envs[env].pedestrians + envs[env].dogs + envs[env].falling + envs[env].props;
}

fn isMove() -> bool {
  return envs[current].action >= 1u && envs[current].action <= LAST_MOVE;
}

/// Where the agent is after `tick` ticks of its move.
fn poseAt(tick: i32) -> vec2i {
  let start = vec2i(envs[current].moveStartX, envs[current].moveStartY);
  let step = vec2i(envs[current].moveTargetX, envs[current].moveTargetY) - start;
  return start + step * min(tick, envs[current].moveStop) / envs[current].moveTicks;
}

fn segmentPosition(segment: PathSegment, along: i32) -> vec2i {
  return vec2i(segment.x, segment.y) + scaleQ14(along, unpackDirection(segment.direction));
}
