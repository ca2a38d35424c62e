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
  noteHeld();

  var budget = stint.ticks;
  // Environments look around in the same turns if those that would look in the first wait until the others come to it.
  var waits = env.worldTick % NEIGHBOUR_PERIOD == 0u;
  loop {
    if (waits) {
      waits = false;
      continue;
    }
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
    // one that has most of them, not as all have. Of these the ones near the agent go first, so that long turns meet.
    var nears = 0u;
    var corners = 0u;
    for (var walker = 0u; walker < walkerCount(); walker++) {
      let rest = strideWalker(walker);
      delayed[select(ACTOR_LIMIT - 1u - corners, nears, rest == ALL_TICKS)] = walker;
      nears += select(0u, 1u, rest == ALL_TICKS);
      corners += select(0u, 1u, rest == ONE_TURN);
    }
    if (nears + corners > 0u) {
      var place = 0u;
      loop {
        runWalker(delayed[select(ACTOR_LIMIT - 1u - (place - nears), place, place < nears)]);
        continuing {
          place++;
          break if place >= nears + corners;
        }
      }
    }
    let objectsEnd = select(walkerCount(), firstVehicle(), chunk.objects == 1u);
    var falling = 0u;
    var stirring = 0u;
    for (var slot = walkerCount(); slot < objectsEnd; slot++) {
      delayed[stirring] = slot;
      stirring += select(0u, 1u, mayStir(slot));
      falling = select(falling, stirring, slot < firstProp());
    }
    if (falling > 0u) {
      var place = 0u;
      loop {
        runFalling(delayed[place]);
        continuing {
          place++;
          break if place >= falling;
        }
      }
    }
    if (stirring > falling) {
      var place = falling;
      loop {
        runProp(delayed[place]);
        continuing {
          place++;
          break if place >= stirring;
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
