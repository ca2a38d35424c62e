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

// What is looked at closely is collected first: on a CPU, views of a vector would otherwise take each other's close looks, one
// after the other. Loops test at their end, since one that tests at its top goes there once more through its body, for no view.

/// Collected of a cluster, or of as many slots of actors.
var<private> candidates: array<u32, CLUSTER_THINGS>;
var<private> candidateCount: u32;

fn collect(candidate: u32, isOne: bool) {
  if (!isOne) { return; }
  candidates[candidateCount] = candidate;
  candidateCount++;
}

/// The next cluster of those before `end` of which anything can be seen; a `count` of 0 when there is none. Moves `index` past it.
fn nextCluster(index: ptr<function, u32>, end: u32, leastRadius: f32) -> Cluster {
  var cluster: Cluster;
  loop {
    cluster = readCluster(familyMeshes[31].x / 2u + *index);
    let isSeen = *index < end && cluster.largest >= leastRadius && isClusterSeen(cluster);
    cluster.count = select(0u, cluster.count, isSeen);
    *index += 1u;
    continuing { break if isSeen || *index >= end; }
  }
  return cluster;
}

/// Where a thing's words begin.
fn wordsOf(thing: u32) -> u32 {
  return familyMeshes[31].y + thing * 4u;
}

/// A building's lowest corner from the eye, at the height of its roof.
fn cornerOf(words: u32) -> vec3f {
  return fromEye(view, bitcast<vec2i>(sceneWords[words].zw), bitcast<f32>(sceneWords[words + 1u].w));
}

fn findHiders(first: u32, end: u32) {
  var index = first;
  loop {
    let cluster = nextCluster(&index, end, LARGE_RADIUS);
    candidateCount = 0u;
    var place = 0u;
    loop {
      let words = wordsOf(cluster.first + place);
      let size = bitcast<vec2f>(sceneWords[words + 1u].yz);
      let roof = cornerOf(words);
      let middle = roof + 0.5 * vec3f(size, -(roof.z + rig.eyeHeight));
      let isSeen = seenRadius(view, middle, bitcast<f32>(sceneWords[words + 2u].z)) > 0.0;
      collect(words, place < cluster.count && sceneWords[words].x == FAMILY_building && isSeen);
      continuing {
        place++;
        break if place >= cluster.count;
      }
    }
    var next = 0u;
    loop {
      let words = candidates[next];
      let roof = cornerOf(words);
      if (next < candidateCount) { noteHider(roof.xy, roof.xy + bitcast<vec2f>(sceneWords[words + 1u].yz), roof.z); }
      continuing {
        next++;
        break if next >= candidateCount;
      }
    }
    continuing { break if index >= end; }
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

/// Notes a thing that is large enough and in the view, if it is to be drawn and nothing hides it.
fn seeThing(thing: u32) {
  let words = wordsOf(thing);
  // Radius, and height of its centre.
  let bounds = bitcast<vec2f>(sceneWords[words + 2u].zw);
  let centre = fromEye(view, bitcast<vec2i>(sceneWords[words + 3u].xy), bounds.y);
  let kind = sceneWords[words].xy;
  let isKerbTooSmall = kind.x == FAMILY_kerb && rig.focal < KERB_FOCAL;
  if ((kind.y & ~stateWord(STATE_classes)) != 0u || isKerbTooSmall) { return; }
  let extents = halfExtents(kind.x, bounds.x, sceneWords[words + 1u]);
  if (isHidden(centre, bounds.x, extents[0], extents[1])) { return; }
  var mesh = chooseMesh(kind.x, seenRadius(view, centre, bounds.x));
  if (kind.x == FAMILY_building) { mesh = chooseBuilding(centre, 2.0 * bounds.y); }
  note(mesh, thing);
}

fn seeThings(first: u32, end: u32) {
  var index = first;
  loop {
    let cluster = nextCluster(&index, end, 0.0);
    candidateCount = 0u;
    var place = 0u;
    loop {
      let words = wordsOf(cluster.first + place);
      let bounds = bitcast<vec2f>(sceneWords[words + 2u].zw);
      let centre = fromEye(view, bitcast<vec2i>(sceneWords[words + 3u].xy), bounds.y);
      collect(cluster.first + place, place < cluster.count && seenRadius(view, centre, bounds.x) >= rig.leastRadius);
      continuing {
        place++;
        break if place >= cluster.count;
      }
    }
    var next = 0u;
    loop {
      if (next < candidateCount) { seeThing(candidates[next]); }
      continuing {
        next++;
        break if next >= candidateCount;
      }
    }
    continuing { break if index >= end; }
  }
}

/// An actor from the eye: its bounding sphere, and the ground below it.
struct Standing {
  family: u32,
  radius: f32,
  middle: vec3f,
  ground: vec3f,
}

fn standingOf(slot: u32) -> Standing {
  let actor = readStoredActor(slot);
  let role = castOf(slot, actor);
  let ground = fromEye(view, positionOf(actor), 0.0);
  return Standing(role.family, role.radius, ground + vec3f(0.0, 0.0, role.height + role.middle), ground);
}

fn seeActor(slot: u32) {
  let actor = standingOf(slot);
  let radius = actor.radius;
  let seen = seenRadius(view, actor.middle, radius);
  let isSeen = seen >= rig.leastRadius && !isHidden(actor.middle, radius, vec2f(radius, 0.0), vec2f(0.0, radius));
  if (isSeen) { note(chooseMesh(actor.family, seen), ACTOR_BIT | slot); }
  if (seenRadius(view, actor.ground, radius) > 4.0) { note(familyMeshes[FAMILY_shadow].x, ACTOR_BIT | slot); }
}

fn seeActors() {
  let count = actorCount();
  var slot = 0u;
  loop {
    candidateCount = 0u;
    let end = min(slot + CLUSTER_THINGS, count);
    loop {
      let actor = standingOf(slot);
      let isSeen = seenRadius(view, actor.middle, actor.radius) >= rig.leastRadius || seenRadius(view, actor.ground, actor.radius) > 4.0;
      collect(slot, slot < end && actor.family < FAMILIES && isSeen);
      continuing {
        slot++;
        break if slot >= end;
      }
    }
    var next = 0u;
    loop {
      if (next < candidateCount) { seeActor(candidates[next]); }
      continuing {
        next++;
        break if next >= candidateCount;
      }
    }
    continuing { break if slot >= count; }
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
  if (rig.hiderCount > 0u) { findHiders(clusters.x, clusters.x + clusters.y); }
  seeActors();
  seeThings(clusters.x, clusters.x + clusters.y);
  seeThings(clusters.z, clusters.z + clusters.w);
  sightings[viewIndex] = seenCount;
}
