// Runs the ticks that environments owe in their present phase, a workgroup to each environment: for GPUs. Joined with the
// files of common/ that src/kernels/kernelFiles.ts lists.

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
  if (current < environmentCount()) {
    for (var word = lane; word < ENV_WORDS; word += threads) {
      let value = states[current * STATE_WORDS + word];
      envU[word] = value;
      envI[word] = bitcast<i32>(value);
    }
  }
  workgroupBarrier();
  if (lane == 0u) {
    isIdle = 1u;
    if (owesTicks()) {
      isIdle = 0u;
      objectsAwake = true;
      route = readRoute(env.route);
      rules = readRules(env.rules);
    }
  }
  if (workgroupUniformLoad(&isIdle) == 1u) { return; }
  for (var slot = lane; slot < firstVehicle(); slot += threads) {
    takeActor(slot);
  }

  var budget = stint.ticks;
  loop {
    if (lane == 0u) { planChunk(budget); }
    let work = workgroupUniformLoad(&chunk);
    if (work.ticks == 0u) { break; }
    budget -= work.ticks;

    if (work.neighbours == 1u) {
      let scale = coarseScale();
      for (var walker = lane; walker < walkerCount(); walker += threads) {
        noteCoarsePlace(walker, scale);
      }
      workgroupBarrier();
      for (var walker = lane; walker < walkerCount(); walker += threads) {
        lookAhead(walker);
      }
      workgroupBarrier();
    }
    if (work.settles == 1u) {
      if (work.physical == 1u) {
        refuseStep(lane, threads);
        meetSurroundings(lane, threads, true);
      }
      workgroupBarrier();
      if (lane == 0u) { settleStep(); }
      workgroupBarrier();
      storageBarrier();
    }
    if (work.moving == 1u) { meetSurroundings(lane, threads, false); }
    let slots = select(walkerCount(), firstVehicle(), work.objects == 1u);
    for (var slot = lane; slot < slots; slot += threads) {
      if (slot < walkerCount()) {
        if (actorStatus(slot) != 0) { runWalker(slot); }
      } else if (slot < firstProp()) {
        runFalling(slot);
      } else {
        runProp(slot);
      }
    }
    for (var vehicle = lane; vehicle < VEHICLES * chunk.vehicles; vehicle += threads) {
      runVehicle(firstVehicle() + vehicle);
    }
    storageBarrier();
    workgroupBarrier();
    // The same thread plans the next chunk; the load after that is the barrier for the others.
    if (lane == 0u) { finishChunk(); }
  }

  for (var slot = lane; slot < firstVehicle(); slot += threads) {
    writeStoredActor(slot, readActor(slot));
  }
  var isSigned = SIGNED_WORDS;
  for (var word = lane; word < ENV_WORDS; word += threads) {
    let signedHere = (isSigned[word >> 5u] >> (word & 31u)) & 1u;
    states[current * STATE_WORDS + word] = select(envU[word], bitcast<u32>(envI[word]), signedHere == 1u);
  }
}
