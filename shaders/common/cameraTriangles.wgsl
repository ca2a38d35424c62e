// Keeps what a view is filled with as triangles for the hardware's rasteriser: four lists over all views, each with its
// indirect draw.

@group(0) @binding(7) var<storage, read_write> triangles: array<vec4u>;   // [triangle, 2]: three corners, instance; plane, colour
@group(0) @binding(8) var<storage, read_write> draws: array<atomic<u32>>; // [list]: an indirect draw

/// The next triangle of each list and how many are left in the chunk; chunks that the view may still take.
var<private> nexts: array<u32, 4>;
var<private> rooms: array<u32, 4>;
var<private> chunks: array<u32, 4>;

fn beginView() {
  for (var list = 0u; list < 4u; list++) { chunks[list] = LIST_CHUNKS[list] * rig.listUnit; }
}

/// Triangles are taken from their list in chunks, so that threads seldom meet at the counter; a chunk's last ones may stay
/// empty. Room for two triangles in a list: where, or NOWHERE when the view has had its share.
const NOWHERE = 0xffffffffu;

fn reserve(list: u32) -> u32 {
  if (rooms[list] < 2u && chunks[list] > 0u) {
    if (rooms[list] == 1u) { triangles[nexts[list] * 2u] = vec4u(0u); }
    chunks[list]--;
    nexts[list] = atomicAdd(&draws[list * 4u], CHUNK * 3u) / 3u + LIST_STARTS[list] * rig.listUnit * rig.viewCapacity * CHUNK;
    rooms[list] = CHUNK;
  }
  return select(NOWHERE, nexts[list], rooms[list] >= 2u);
}

fn write(triangle: u32, a: vec2i, b: vec2i, c: vec2i, instance: u32, plane: Plane) {
  let packed = vec3u(vec3i(a.x, b.x, c.x) | (vec3i(a.y, b.y, c.y) << vec3u(16u)));
  triangles[triangle * 2u] = vec4u(packed, instance);
  triangles[triangle * 2u + 1u] = vec4u(bitcast<vec3u>(plane.inverse), plane.colour);
}

/// Can a triangle cover the middle of a pixel?
fn isSeen(a: vec2i, b: vec2i, c: vec2i) -> bool {
  return doubleArea(a, b, c) != 0 && coversMiddles(min(a, min(b, c)), max(a, max(b, c)));
}

fn keep(kind: u32, instance: u32, a: vec2i, b: vec2i, c: vec2i, d: vec2i) {
  let hasFirst = isSeen(a, b, c);
  let hasSecond = isSeen(a, c, d);
  if (!hasFirst && !hasSecond) { return; }
  let list = listOf(kind);
  var next = reserve(list);
  if (next == NOWHERE) { return; }
  let plane = planeOf(normalOf(), kind);
  if (hasFirst) {
    write(next, a, b, c, instance, plane);
    next++;
  }
  if (hasSecond) {
    write(next, a, c, d, instance, plane);
    next++;
  }
  rooms[list] -= next - nexts[list];
  nexts[list] = next;
}

fn endView() {
  for (var list = 0u; list < 4u; list++) {
    for (; rooms[list] > 0u; rooms[list]--) {
      triangles[nexts[list] * 2u] = vec4u(0u);
      nexts[list]++;
    }
  }
}
