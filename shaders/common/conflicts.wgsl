// Surrogate safety measures: how near in time the agent and another come to each other (docs/rules.md, section 5.8). Minima
// over the episode, so a search need only beat what was found before the chunk: it gets short after the first encounters.

fn noteTimeToCollision(ticks: u32) {
  tallyMax(TALLY_TIME_TO_COLLISION, CONFLICT_HORIZON + 1u - ticks);
}

/// Can motion by `step` lead from `d` to within `radius` of the origin? Sorts out most of what cannot.
fn mayLeadHere(d: vec2i, step: vec2i, radius: i32) -> bool {
  return dot2(d, step) < 0 && abs(d.x * step.y - d.y * step.x) <= radius * (abs(step.x) + abs(step.y));
}

/// Somebody at `place` has just made the step `step`, the last of a straight run of `run` such steps; `radius`: contact distance.
fn measureConflict(tick: u32, place: vec2i, step: vec2i, run: i32, radius: i32) {
  let agent = poses[tick];
  let d = place - agent;
  let agentStep = agent - poses[tick - 1u];
  if (within(d, radius)) {
    noteTimeToCollision(0u);
    return;
  }
  let approach = step - agentStep;
  let aheadEnd = select(0, i32(env.timeToCollision), mayLeadHere(d, approach, radius));
  if (aheadEnd > 1) {
    for (var ahead = 1; ahead < aheadEnd; ahead++) {
      if (within(d + approach * ahead, radius)) {
        noteTimeToCollision(u32(ahead));
        break;
      }
    }
  }
  // The agent has stood for `stood` ticks, and came by equal steps before.
  let stands = all(agentStep == vec2i(0));
  let stood = select(0, i32(env.worldTick + tick - env.lastStepTick), stands);
  let stride = select(agentStep, vec2i(env.strideX, env.strideY), stands);
  let strides = min(env.moveTick + select(0, i32(tick), chunk.moving == 1u), env.moveStop);
  let agentEnd = select(0, stood + strides, mayLeadHere(d, stride, radius));
  let otherEnd = select(0, run, mayLeadHere(d, -step, radius));
  let agoEnd = min(i32(env.postEncroachment) - 1, max(agentEnd, otherEnd));
  if (agoEnd > 0) {
    for (var ago = 1; ago <= agoEnd; ago++) {
      let otherWasHere = ago <= otherEnd && within(d - step * ago, radius);
      let agentWasThere = ago > stood && ago <= agentEnd && within(d + stride * (ago - stood), radius);
      if (otherWasHere || agentWasThere) {
        tallyMax(TALLY_POST_ENCROACHMENT, CONFLICT_HORIZON + 1u - u32(ago));
        break;
      }
    }
  }
}
