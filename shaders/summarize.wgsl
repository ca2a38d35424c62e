// Makes the state hash of environments that have come to stand (docs/rules.md, section 9) and what the host reads back.
// One thread per environment.

@group(1) @binding(2) var<storage, read_write> summaries: array<u32>;  // [env, Summary word]


/// Share of one word in the hash.
fn hashWord(word: u32, key: u32) -> u32 {
  return pcg(word + pcg(key));
}

fn hashState() -> u32 {
  var sum = 0u;
  let first = current * STATE_WORDS;
  for (var word = HASHED_WORD; word < STATE_WORDS; word++) {
    sum += hashWord(states[first + word], word);
  }
  let slots = env.pedestrians + env.dogs + env.falling + env.props + VEHICLES;
  for (var half = 0u; half < 2u; half++) {
    for (var slot = 0u; slot < slots; slot++) {
      let words = bitcast<vec4u>(actors[actorHalf(half, slot)]);
      let key = 65536u + 8u * slot + 4u * half;
      sum += hashWord(words.x, key) + hashWord(words.y, key + 1u) + hashWord(words.z, key + 2u) + hashWord(words.w, key + 3u);
    }
  }
  return sum;
}

@compute @workgroup_size(8)
fn summarize(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  current = (group.y * groups.x + group.x) * 8u + lane;
  if (current >= environmentCount()) { return; }
  loadEnvironment();
  if (env.hashPending == 1u) {
    env.stateHash = hashState();
    env.hashPending = 0u;
    states[current * STATE_WORDS + HASH_WORD] = env.stateHash;
    states[current * STATE_WORDS + HASH_WORD + 1u] = 0u;
  }
  let summary = current * SUMMARY_WORDS;
  for (var word = 0u; word < SUMMARY_WORDS - 1u; word++) {
    summaries[summary + word] = states[current * STATE_WORDS + SUMMARY_WORD + word];
  }
  summaries[summary + SUMMARY_WORDS - 1u] = env.stateHash;
}
