// Places the vertices of meshes: limbs swung, turned, moved, projected into the tile of the instance's view, lit.

struct MeshVertex {
  @builtin(instance_index) instance: u32,
  @location(0) position: vec3f,   // metres: x forward, y right, z up
  @location(1) normal: vec4f,
  @location(2) parts: vec4u,      // paint, mesh, swing (128 is none), height of the joint in cm
}

/// Towards the sun.
const SUN = vec3f(0.42, -0.36, 0.83);

fn turn(direction: u32, place: vec3f) -> vec3f {
  let packed = vec2i(bitcast<i32>(direction << 16u) >> 16u, bitcast<i32>(direction) >> 16u);
  let ahead = vec2f(packed) * (1.0 / 16384.0);
  return vec3f(place.x * ahead.x - place.y * ahead.y, place.x * ahead.y + place.y * ahead.x, place.z);
}

@vertex
fn cameraVertex(vertex: MeshVertex) -> Tiled {
  let words = (bases[drawn.x + vertex.parts.y] + vertex.instance) * 3u;
  let a = bitcast<vec4f>(instances[words]);
  let b = instances[words + 1u];
  let c = bitcast<vec4f>(instances[words + 2u]);

  var place = vertex.position;
  let angle = a.w * (f32(vertex.parts.z) - 128.0) * (1.0 / 127.0);
  let joint = f32(vertex.parts.w) * 0.01;
  // Small angles: the sine and cosine as polynomials.
  let sine = angle * (1.0 - angle * angle * 0.1667);
  let cosine = 1.0 - angle * angle * 0.5;
  let below = place.z - joint;
  place = vec3f(place.x * cosine - below * sine, place.y, joint + place.x * sine + below * cosine);
  let away = turn(b.y, place * c.xyz) + a.xyz;
  let normal = turn(b.y, normalize(vertex.normal.xyz));

  let view = b.x;
  let right = views[view * 4u].xyz;
  let up = views[view * 4u + 1u].xyz;
  let forward = views[view * 4u + 2u].xyz;
  let depth = dot(forward, away);
  let clip = vec4f(dot(right, away) / rig.slopeX, dot(up, away) / rig.slopeY, rig.near, depth);
  var tiled = moveIntoTile(view, clip);

  var paint = vertex.parts.x;
  if (paint >= 124u) { paint = (b.z >> ((paint - 124u) * 8u)) & 255u; }
  let colour = palette[paint & 127u];
  let light = 0.52 + 0.16 * normal.z + 0.42 * max(dot(normal, SUN), 0.0);
  tiled.colour = colour.rgb * mix(light, 1.0, colour.a);
  tiled.surface = select(place.xz * c.xz, place.yz * c.yz, abs(vertex.normal.x) > 0.5);
  if (vertex.normal.z > 0.5) { tiled.surface = place.xy * c.xy; }
  tiled.size = vec3f(c.x, c.w, vertex.normal.z);
  tiled.paint = b.z;
  tiled.id = b.w;
  return tiled;
}
