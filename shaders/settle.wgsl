// Settles every environment that stands between two phases of its decision: takes up a pending decision, starts and
// ends execution, ends recovery. One thread per environment. Joined with the files of common/ that
// src/kernels/kernelFiles.ts lists.

@group(1) @binding(2) var<storage, read_write> decisions: array<Decision>;  // [env]

override envCount: u32;

var<private> route: Route;
var<private> rules: Rules;

@compute @workgroup_size(64)
fn settle(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  current = id.y * groups.x * 64u + id.x;
  if (current >= envCount) { return; }
  let status = envs[current].status;
  if (status < AWAITING || status > RECOVERING) { return; }
  if (status == AWAITING && decisions[current].pending == 0u) { return; }
  if (status != AWAITING && envs[current].phaseTicksLeft > 0) { return; }
  route = routes[envs[current].route];
  rules = ruleSets[envs[current].rules];
  if (status == AWAITING) {
    decisions[current].pending = 0u;
    beginDecision(decisions[current].action, decisions[current].latencyCentiseconds);
  }
  // Phases of no ticks follow one another at once.
  if (envs[current].status == PLANNING && envs[current].phaseTicksLeft <= 0) { startExecution(); }
  if (envs[current].status == EXECUTING && envs[current].phaseTicksLeft <= 0) { endExecution(); }
  if (envs[current].status == RECOVERING && envs[current].phaseTicksLeft <= 0) { endRecovery(); }
}
