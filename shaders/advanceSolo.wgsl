// Runs the ticks that environments owe in their present phase, a thread to each environment: for drivers that run on a
// CPU, where a barrier costs more than the work between two. Joined with the files of common/ that
// src/kernels/kernelFiles.ts lists.

/// Threads per workgroup: the lanes of a vector.
override threads: u32;

@compute @workgroup_size(threads)
fn advance(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  current = (group.y * groups.x + group.x) * threads + lane;
  if (current >= environmentCount()) { return; }
  loadEnvironment();
  if (!owesTicks()) { return; }
  route = readRoute(env.route);
  rules = readRules(env.rules);
  for (var slot = 0u; slot < firstVehicle(); slot++) {
    takeActor(slot);
  }

  var budget = stint.ticks;
  loop {
    planChunk(budget);
    if (chunk.ticks == 0u) { break; }
    budget -= chunk.ticks;

    if (chunk.neighbours == 1u) { lookAround(); }
    // One call for both passes over the surroundings, since drivers inline every call.
    for (var pass_ = 1u - chunk.settles; pass_ <= chunk.moving; pass_++) {
      let refusing = pass_ == 0u;
      if (refusing && chunk.physical == 1u) { refuseStep(0u, 1u); }
      if ((refusing && chunk.physical == 1u) || (!refusing && chunk.moving == 1u)) { meetSurroundings(0u, 1u, refusing); }
      if (refusing) { settleStep(); }
    }
    // Those that take more than a stride come last, together: a vector of environments goes through as many turns as the
    // one that has most of them, not as all have.
    var delays = 0u;
    for (var walker = 0u; walker < walkerCount(); walker++) {
      delayed[delays] = walker;
      delays += select(1u, 0u, strideWalker(walker));
    }
    if (delays > 0u) {
      var place = 0u;
      loop {
        runWalker(delayed[place]);
        continuing {
          place++;
          break if place >= delays;
        }
      }
    }
    let objectsEnd = select(walkerCount(), firstVehicle(), chunk.objects == 1u);
    for (var slot = walkerCount(); slot < min(firstProp(), objectsEnd); slot++) {
      runFalling(slot);
    }
    if (objectsEnd > firstProp()) {
      var slot = firstProp();
      loop {
        runProp(slot);
        continuing {
          slot++;
          break if slot >= objectsEnd;
        }
      }
    }
    if (chunk.vehicles == 1u) {
      for (var vehicle = 0u; vehicle < VEHICLES; vehicle++) {
        runVehicle(firstVehicle() + vehicle);
      }
    }
    finishChunk();
  }
  for (var slot = 0u; slot < firstVehicle(); slot++) {
    writeStoredActor(slot, readActor(slot));
  }
  storeEnvironment();
}
