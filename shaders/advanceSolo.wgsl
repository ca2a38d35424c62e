// Runs the ticks that environments owe in their present phase, a thread to each environment: for drivers that run on a
// CPU, where a barrier costs more than the work between two. Joined with the files of common/ that
// src/kernels/kernelFiles.ts lists.

/// Ticks one environment may run in one dispatch.
override tickBudget: u32;
override envCount: u32;
/// Threads per workgroup: the lanes of a vector.
override threads: u32;

@compute @workgroup_size(threads)
fn advance(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) lane: u32) {
  current = (group.y * groups.x + group.x) * threads + lane;
  if (current >= envCount || !owesTicks()) { return; }
  route = routes[envs[current].route];
  rules = ruleSets[envs[current].rules];
  readFrame();
  for (var actor = 0u; actor < frame.firstVehicle; actor++) {
    cache[actor] = cacheOf(actor);
  }

  var budget = tickBudget;
  loop {
    planChunk(budget);
    if (chunk.ticks == 0u) { break; }
    budget -= chunk.ticks;

    if (chunk.neighbours == 1u) {
      for (var bucket = 0u; bucket < BUCKETS; bucket++) {
        clearBucket(bucket);
      }
      for (var walker = 0u; walker < frame.walkers; walker++) {
        insertWalker(walker);
      }
      for (var walker = 0u; walker < frame.walkers; walker++) {
        lookAhead(walker);
      }
    }
    if (chunk.settles == 1u) {
      if (chunk.physical == 1u) { refuseStep(0u, 1u); }
      settleStep();
    }
    if (chunk.moving == 1u) { touchSurroundings(0u, 1u); }
    for (var actor = 0u; actor < frame.slots; actor++) {
      runActor(actor);
    }
    finishChunk();
  }
}
