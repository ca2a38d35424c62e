// Runs the ticks that environments owe in their present phase, a workgroup to each environment: for GPUs. Joined with the
// files of common/ that src/kernels/kernelFiles.ts lists.

/// Ticks one environment may run in one dispatch, so that no dispatch runs long.
override tickBudget: u32;
override envCount: u32;
/// Threads per workgroup. Any number gives the same bits.
override threads: u32;

var<workgroup> isIdle: u32;

@compute @workgroup_size(threads)
fn advance(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  current = group.y * groups.x + group.x;
  if (lane == 0u) {
    isIdle = 1u;
    if (current < envCount) { isIdle = select(1u, 0u, owesTicks()); }
  }
  if (workgroupUniformLoad(&isIdle) == 1u) { return; }

  if (lane == 0u) {
    route = routes[envs[current].route];
    rules = ruleSets[envs[current].rules];
    readFrame();
  }
  workgroupBarrier();
  for (var actor = lane; actor < frame.firstVehicle; actor += threads) {
    for (var field = 0u; field < ACTOR_WORDS; field++) {
      fields[field][actor] = actors[actorWord(field, actor)];
    }
    cache[actor] = cacheOf(actor);
  }

  var budget = tickBudget;
  loop {
    if (lane == 0u) { planChunk(budget); }
    let work = workgroupUniformLoad(&chunk);
    if (work.ticks == 0u) { break; }
    budget -= work.ticks;

    if (work.neighbours == 1u) {
      for (var bucket = lane; bucket < BUCKETS; bucket += threads) {
        clearBucket(bucket);
      }
      workgroupBarrier();
      for (var walker = lane; walker < frame.walkers; walker += threads) {
        insertWalker(walker);
      }
      workgroupBarrier();
      for (var walker = lane; walker < frame.walkers; walker += threads) {
        lookAhead(walker);
      }
      workgroupBarrier();
    }
    if (work.settles == 1u) {
      if (work.physical == 1u) { refuseStep(lane, threads); }
      workgroupBarrier();
      if (lane == 0u) { settleStep(); }
      workgroupBarrier();
      storageBarrier();
    }
    if (work.moving == 1u) { touchSurroundings(lane, threads); }
    for (var actor = lane; actor < frame.slots; actor += threads) {
      runActor(actor);
    }
    workgroupBarrier();
    // The same thread plans the next chunk; the load after that is the barrier for the others.
    if (lane == 0u) { finishChunk(); }
  }

  for (var actor = lane; actor < frame.firstVehicle; actor += threads) {
    for (var field = 0u; field < ACTOR_WORDS; field++) {
      actors[actorWord(field, actor)] = fields[field][actor];
    }
  }
}
