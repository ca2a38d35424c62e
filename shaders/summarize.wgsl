// Makes the state hash of environments that have come to stand (docs/rules.md, section 9) and what the host reads back.
// Words are addressed by the generated constants of src/kernels/summarize.ts: STATE_x is the word of member x in
// EnvState, SUMMARY_x in Summary. One thread per environment.

@group(0) @binding(0) var<storage, read_write> states: array<u32>;     // [env, EnvState word]
@group(0) @binding(1) var<storage, read> actors: array<u32>;           // [env / laneBlock, field, actorStride, env % laneBlock]
@group(0) @binding(2) var<storage, read_write> summaries: array<u32>;  // [env, Summary word]

override actorStride: u32;
override laneBlock: u32;
override envCount: u32;

const ACTOR_WORDS = 8u;
const VEHICLES = 3u;

fn copyWords(stateBase: u32, summaryBase: u32, count: u32) {
  for (var word = 0u; word < count; word++) {
    summaries[summaryBase + word] = states[stateBase + word];
  }
}

fn hashState(index: u32, state: u32) -> u32 {
  var sum = 0u;
  for (var word = STATE_status; word < STATE_WORDS; word++) {
    sum += pcg(states[state + word] + pcg(word));
  }
  let slots = states[state + STATE_pedestrians] + states[state + STATE_dogs] + states[state + STATE_falling]
    + states[state + STATE_props] + VEHICLES;
  for (var field = 0u; field < ACTOR_WORDS; field++) {
    let row = (index / laneBlock * ACTOR_WORDS + field) * actorStride;
    for (var actor = 0u; actor < slots; actor++) {
      let value = actors[(row + actor) * laneBlock + index % laneBlock];
      sum += pcg(value + pcg(65536u + 8u * actor + field));
    }
  }
  return sum;
}

@compute @workgroup_size(8)
fn summarize(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) lane: u32) {
  let index = (group.y * groups.x + group.x) * 8u + lane;
  if (index >= envCount) { return; }
  let state = index * STATE_WORDS;
  if (states[state + STATE_hashPending] == 1u) {
    states[state + STATE_stateHash] = hashState(index, state);
    states[state + STATE_hashPending] = 0u;
  }
  let summary = index * SUMMARY_WORDS;
  // COPY
}
