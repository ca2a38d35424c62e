// Finds what each view sees: one thread per view. The order of what it finds is fixed, so that images never depend on how
// threads run. Joined with the files that src/kernels/camera/kernels.ts lists.

var<private> view: View;
var<private> viewIndex: u32;
var<private> seenCount: u32;

fn note(mesh: u32, source: u32) {
  if (mesh >= MESHES || seenCount >= SIGHT_LIMIT) { return; }
  sightings[seenPlace(viewIndex) + seenCount] = (mesh << MESH_SHIFT) | source;
  seenCount++;
}

fn chooseMesh(family: u32, radius: f32) -> u32 {
  let meshes = familyMeshes[family];
  // A tree is large for the detail it has.
  let size = radius * rig.detail * select(1.0, 0.6, family == FAMILY_tree);
  if (size > 30.0) { return meshes.x; }
  if (size > 7.0) { return meshes.y; }
  return select(meshes.w, meshes.z, size > 2.5);
}

/// Which walls of a building can be seen: `middle` is its centre from the eye, `height` that of its roof.
fn chooseBuilding(middle: vec3f, height: f32) -> u32 {
  if (height <= rig.eyeHeight) { return familyMeshes[FAMILY_building].x; }
  let meshes = familyMeshes[select(FAMILY_cornerLow, FAMILY_cornerHigh, middle.x < 0.0)];
  return select(meshes.x, meshes.y, middle.y < 0.0);
}

/// Kerbs are left out where a picture is too small to show one at the agent's feet.
const KERB_FOCAL = 32.0;

/// Can anything of a cluster be seen?
fn isClusterSeen(cluster: Cluster) -> bool {
  let middle = fromEye(view, vec2i(cluster.x, cluster.y), cluster.middle);
  let nearest = max(dot(view.forward, middle) - cluster.radius, rig.near);
  return seenRadius(view, middle, cluster.radius) > 0.0 && rig.focal * cluster.largest >= rig.leastRadius * nearest;
}

fn findHiders(first: u32, count: u32) {
  for (var index = first; index < first + count; index++) {
    let cluster = readCluster(familyMeshes[31].x / 2u + index);
    if (cluster.largest < LARGE_RADIUS || !isClusterSeen(cluster)) { continue; }
    for (var place = 0u; place < cluster.count; place++) {
      let words = familyMeshes[31].y + (cluster.first + place) * 4u;
      let a = sceneWords[words];
      if (a.x != FAMILY_building) { continue; }
      let size = bitcast<vec3f>(vec3u(sceneWords[words + 1u].yzw));
      let low = fromEye(view, bitcast<vec2i>(a.zw), size.z);
      let middle = low + 0.5 * vec3f(size.xy, -size.z);
      if (seenRadius(view, middle, bitcast<f32>(sceneWords[words + 2u].z)) == 0.0) { continue; }
      noteHider(low.xy, low.xy + size.xy, low.z);
    }
  }
}

/// Half the extents of a thing in the plane: those of its bounding sphere, but for long ones.
fn halfExtents(family: u32, radius: f32, pose: vec4u) -> mat2x2f {
  let ahead = unitOf(pose.x);
  let across = vec2f(-ahead.y, ahead.x);
  let scale = bitcast<vec2f>(pose.yz);
  let isStrip = family == FAMILY_road || family == FAMILY_sidewalk || family == FAMILY_zebra || family == FAMILY_kerb;
  if (isStrip) { return mat2x2f(ahead * (0.5 * scale.x), across * scale.y); }
  if (family == FAMILY_building) { return mat2x2f(ahead * (0.5 * scale.x), across * (0.5 * scale.y)); }
  return mat2x2f(vec2f(radius, 0.0), vec2f(0.0, radius));
}

/// Notes a thing that is large enough and in the view, if it is to be drawn and nothing hides it. `bounds`: radius, and height of
/// its centre.
fn seeThing(thing: u32, words: u32, centre: vec3f, bounds: vec2f, seen: f32) {
  let kind = sceneWords[words].xy;
  let isKerbTooSmall = kind.x == FAMILY_kerb && rig.focal < KERB_FOCAL;
  if ((kind.y & ~stateWord(STATE_classes)) != 0u || isKerbTooSmall) { return; }
  let extents = halfExtents(kind.x, bounds.x, sceneWords[words + 1u]);
  if (isHidden(centre, bounds.x, extents[0], extents[1])) { return; }
  var mesh = chooseMesh(kind.x, seen);
  if (kind.x == FAMILY_building) { mesh = chooseBuilding(centre, 2.0 * bounds.y); }
  note(mesh, thing);
}

fn seeThings(first: u32, count: u32) {
  for (var index = first; index < first + count; index++) {
    let cluster = readCluster(familyMeshes[31].x / 2u + index);
    if (!isClusterSeen(cluster)) { continue; }
    for (var place = 0u; place < cluster.count; place++) {
      let words = familyMeshes[31].y + (cluster.first + place) * 4u;
      let bounds = bitcast<vec2f>(sceneWords[words + 2u].zw);
      let centre = fromEye(view, bitcast<vec2i>(sceneWords[words + 3u].xy), bounds.y);
      let seen = seenRadius(view, centre, bounds.x);
      // A loop of at most one turn: drivers on a CPU jump over it where they would only mask out an if.
      for (var look = select(0u, 1u, seen >= rig.leastRadius); look > 0u; look--) {
        seeThing(cluster.first + place, words, centre, bounds, seen);
      }
    }
  }
}

fn seeActors() {
  let count = actorCount();
  for (var slot = 0u; slot < count; slot++) {
    let actor = readStoredActor(slot);
    let role = castOf(slot, actor);
    if (role.family >= FAMILIES) { continue; }
    let ground = fromEye(view, positionOf(actor), 0.0);
    let middle = ground + vec3f(0.0, 0.0, role.height + role.middle);
    let seen = seenRadius(view, middle, role.radius);
    let isSeen = seen >= rig.leastRadius && !isHidden(middle, role.radius, vec2f(role.radius, 0.0), vec2f(0.0, role.radius));
    if (isSeen) { note(chooseMesh(role.family, seen), ACTOR_BIT | slot); }
    if (seenRadius(view, ground, role.radius) > 4.0) { note(familyMeshes[FAMILY_shadow].x, ACTOR_BIT | slot); }
  }
}

@compute @workgroup_size(8)
fn cameraSee(@builtin(global_invocation_id) thread: vec3u) {
  if (thread.x >= shardViews.y) { return; }
  viewIndex = shardViews.x + thread.x;
  let request = requests[viewIndex];
  current = request.x;
  route = readRoute(stateWord(STATE_route));
  let heading = (bitcast<i32>(stateWord(STATE_heading)) + bitcast<i32>(request.z) + 7200) % 3600;
  view = viewAlong(heading, vec2i(bitcast<i32>(stateWord(STATE_x)), bitcast<i32>(stateWord(STATE_y))));
  let tile = vec2f(vec2u(request.y % rig.columns, request.y / rig.columns));
  let half = vec2f(rig.halfWidth, rig.halfHeight);
  views[viewIndex * 4u] = vec4f(view.right, 0.0);
  views[viewIndex * 4u + 1u] = vec4f(view.up, 0.0);
  views[viewIndex * 4u + 2u] = vec4f(view.forward, 0.0);
  // The eye's place within 64 m is for patterns on the ground.
  views[viewIndex * 4u + 3u] = vec4f(vec2f(view.eye & vec2i(102399)) * (1.0 / 1600.0), (2.0 * tile + 1.0) * half);
  seenCount = 0u;
  let clusters = sceneWords[stateWord(STATE_route)];
  if (rig.hiderCount > 0u) { findHiders(clusters.x, clusters.y); }
  seeActors();
  seeThings(clusters.x, clusters.y);
  seeThings(clusters.z, clusters.w);
  sightings[viewIndex] = seenCount;
}
