// Settles every environment that stands between two phases of its decision: takes up a pending decision, starts and
// ends execution, ends recovery. One thread per environment. Joined with the files of common/ that
// src/kernels/kernelFiles.ts lists.

@group(1) @binding(2) var<storage, read_write> decisions: array<vec4u>;  // [env, Decision]

var<private> route: Route;
var<private> rules: Rules;

/// Takes the next step that needs no time: begins a decision, starts or ends its execution, ends its recovery.
fn settleStep(decision: Decision) {
  let isBeginning = env.status == AWAITING;
  let isStarting = env.status == PLANNING;
  let isEnding = env.status == EXECUTING;
  if (isBeginning) { beginDecision(decision.action, decision.latencyCentiseconds); }
  if (isStarting) { startExecution(); }
  if (isEnding) { arrive(); }
  // One call for all samples, since drivers inline every call.
  let samplesCrossing = isBeginning || (isStarting && isMove());
  let samplesRoad = isEnding && env.action != 0u && rules.violationEveryTick == 0;
  if (samplesCrossing || samplesRoad) { sampleViolations(agentPosition(), samplesCrossing, samplesRoad); }
  if (isStarting && isMove()) { admitMove(agentPosition(), vec2i(env.moveTargetX, env.moveTargetY)); }
  if (isEnding) { startRecovery(); }
  if (!isBeginning && !isStarting && !isEnding) { endRecovery(); }
}

@compute @workgroup_size(64)
fn settle(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  current = id.y * groups.x * 64u + id.x;
  if (current >= environmentCount()) { return; }
  loadEnvironment();
  let decision = readDecision(current);
  if (env.status < AWAITING || env.status > RECOVERING) { return; }
  if (env.status == AWAITING && decision.pending == 0u) { return; }
  if (env.status != AWAITING && env.phaseTicksLeft > 0) { return; }
  route = readRoute(env.route);
  rules = readRules(env.rules);
  decisions[current] = vec4u(0u);
  // Phases of no ticks follow one another at once.
  for (var step = 0; step < 4; step++) {
    settleStep(decision);
    if (env.status == AWAITING || env.status == DONE || env.phaseTicksLeft > 0) { break; }
  }
  storeEnvironment();
}
