// Turns the counts of each mesh in each view into places of instances and into indirect draws: one thread per mesh.

@group(0) @binding(0) var<uniform> rig: CameraRig;
@group(0) @binding(1) var<storage, read_write> sightings: array<u32>;  // as in cameraScene.wgsl
@group(0) @binding(2) var<storage, read_write> draws: array<u32>;      // five words a draw: [mesh], or [view, mesh] one by one
@group(0) @binding(3) var<storage, read> meshes: array<vec4u>;         // [mesh]: index count, first index, base vertex
@group(0) @binding(4) var<storage, read_write> bases: array<u32>;      // [mesh]: its first instance

var<workgroup> totals: array<u32, 64>;
var<workgroup> firsts: array<u32, 64>;

@compute @workgroup_size(64)
fn cameraOffsets(@builtin(local_invocation_index) mesh: u32) {
  var total = 0u;
  if (mesh < MESHES) {
    for (var view = 0u; view < rig.viewCount; view++) { total += sightings[mesh * rig.viewCapacity + view]; }
  }
  totals[mesh] = total;
  workgroupBarrier();
  if (mesh == 0u) {
    var sum = 0u;
    for (var other = 0u; other < MESHES; other++) {
      firsts[other] = sum;
      sum += totals[other];
    }
  }
  workgroupBarrier();
  if (mesh >= MESHES) { return; }
  var start = firsts[mesh];
  bases[mesh] = start;
  let shape = meshes[mesh];
  if (rig.flatCount == 0u) {
    let draw = mesh * 5u;
    draws[draw] = shape.x;
    draws[draw + 1u] = total;
    draws[draw + 2u] = shape.y;
    draws[draw + 3u] = shape.z;
    draws[draw + 4u] = 0u;
  }
  for (var view = 0u; view < rig.viewCount; view++) {
    let count = sightings[mesh * rig.viewCapacity + view];
    sightings[(MESHES + mesh) * rig.viewCapacity + view] = start;
    if (rig.flatCount != 0u) {
      let draw = (view * MESHES + mesh) * 5u;
      draws[draw] = shape.x;
      draws[draw + 1u] = count;
      draws[draw + 2u] = shape.y;
      draws[draw + 3u] = shape.z;
      draws[draw + 4u] = 0u;
      bases[(view + 1u) * 64u + mesh] = start;
    }
    start += count;
  }
}
