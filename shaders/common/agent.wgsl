// The agent and the actor slots of `env`.

fn agentPosition() -> vec2i {
  return vec2i(env.x, env.y);
}

// Slots: pedestrians, dogs, falling objects, props, vehicles.
fn walkerCount() -> u32 {
  return env.pedestrians + env.dogs;
}

fn firstProp() -> u32 {
  return walkerCount() + env.falling;
}

fn firstVehicle() -> u32 {
  return firstProp() + env.props;
}

fn isMove() -> bool {
  return env.action >= 1u && env.action <= LAST_MOVE;
}

/// Where the agent is after `tick` ticks of its move.
fn poseAt(tick: i32) -> vec2i {
  let start = vec2i(env.moveStartX, env.moveStartY);
  let step = vec2i(env.moveTargetX, env.moveTargetY) - start;
  return start + step * min(tick, env.moveStop) / env.moveTicks;
}

fn segmentPosition(segment: PathSegment, along: i32) -> vec2i {
  return vec2i(segment.x, segment.y) + scaleQ14(along, unpackDirection(segment.direction));
}
