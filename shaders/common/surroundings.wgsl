// What the moving agent meets that stands still: what refuses its step, what it touches, the patches under it
// (docs/rules.md, sections 5.2 and 6). Each function does the share of one thread out of `stride`.

fn buildingDistance(shape: Shape, p: vec2i) -> i32 {
  let centre = shapePosition(shape) * 2 + vec2i(shape.extentX, shape.extentY);
  let d = abs(p * 2 - centre);
  return d.x + d.y;
}

fn isInBuilding(shape: Shape, p: vec2i) -> bool {
  let d = p - shapePosition(shape);
  let r = rules.agentRadius;
  return d.x >= -r && d.y >= -r && d.x <= shape.extentX + r && d.y <= shape.extentY + r;
}

/// Half width of a hazard patch; -1 for other shapes, and where hazards are off.
fn patchHalfWidth(kind: u32) -> i32 {
  if ((env.classes & CLASS_HAZARDS) == 0u || kind < KIND_TRIP || kind > KIND_WATER) { return -1; }
  if (kind == KIND_TRIP) { return rules.tripHalfWidth; }
  return select(rules.oilHalfWidth, rules.waterHalfWidth, kind == KIND_WATER);
}

/// Does an actor refuse the agent's step?
fn refuseByActor(slot: u32) {
  let actor = readActor(slot);
  if ((actor.status & PRESENT) == 0) { return; }
  var radius = rules.agentRadius + rules.boxRadius;
  let isWalker = slot < walkerCount();
  if (isWalker) {
    if (actor.timer < 0) { return; }
    radius = rules.humanContact;
  } else if (slot < firstProp() || readCache(slot) != KIND_BOX || (actor.status & MOVABLE) != 0) {
    return;
  }
  if (!approaches(poses[0], poses[1], positionOf(actor), radius)) { return; }
  if (isWalker) {
    pressWalker(slot);
    tallyOr(TALLY_REFUSING_WALKER, 1u);
  } else {
    tallyAdd(TALLY_REFUSING_OBJECTS, 1u);
  }
}

fn refuseStep(lane: u32, stride: u32) {
  for (var slot = lane; slot < firstVehicle(); slot += stride) {
    refuseByActor(slot);
  }
}

fn meetShape(shape: Shape) {
  let q = shapePosition(shape);
  let halfWidth = patchHalfWidth(shape.kind);
  let radius = rules.agentRadius + shape.extentX;
  // A building begins at its position, the others are around theirs.
  let reach = max(halfWidth, radius);
  if (any(chunk.high < q - reach) || any(chunk.low > q + max(reach, rules.agentRadius + shape.extentY))) { return; }
  for (var tick = 1u; tick <= chunk.ticks; tick++) {
    let before = poses[tick - 1u];
    let after = poses[tick];
    if (halfWidth >= 0) {
      var start = before;
      if (rules.hazardSwept == 0) {
        if (tick != chunk.endTick) { continue; }
        start = vec2i(env.moveStartX, env.moveStartY);
      }
      if (!within(after - q, halfWidth)) { continue; }
      let class_ = shape.kind - KIND_TRIP;
      tallyOr(TALLY_HAZARD_MASK, 1u << class_);
      if (!within(start - q, halfWidth)) { tallyAdd(TALLY_TRIPS + class_, 1u); }
    } else if (touchesRest()) {
      if (shape.kind == KIND_FURNITURE) {
        if (within(after - q, radius) && !within(before - q, radius)) { tallyAdd(TALLY_OBJECT_CONTACTS, 1u); }
      } else if (shape.kind == KIND_BUILDING && env.physical == 0u) {
        if (isInBuilding(shape, after) && !isInBuilding(shape, before)) { tallyOr(TALLY_BUILDING_TICKS, 1u << tick); }
      }
    }
  }
}

fn refuseByShape(shape: Shape) {
  if (shape.kind == KIND_BUILDING && isInBuilding(shape, poses[1])) {
    if (!isInBuilding(shape, poses[0]) || buildingDistance(shape, poses[1]) < buildingDistance(shape, poses[0])) {
      tallyOr(TALLY_REFUSING_BUILDING, 1u);
    }
  }
}

/// Goes over the shapes near the chunk's poses, before the step is settled (`refusing`) or after.
fn meetSurroundings(lane: u32, stride: u32, refusing: bool) {
  let last = poses[chunk.ticks];
  let low = cellOf(min(poses[0], last) - vec2i(NEAR_SHAPES));
  let high = cellOf(max(poses[0], last) + vec2i(NEAR_SHAPES));
  for (var row = low.y; row <= high.y; row++) {
    let items = rowItems(row, low.x, high.x);
    for (var item = items.first + lane; item < items.end; item += stride) {
      let shape = readShape(tables[item]);
      if (refusing) {
        refuseByShape(shape);
      } else {
        meetShape(shape);
      }
    }
  }
}
