// Measures the bandwidth of memory: copies a buffer. The owner is src/kernels/ceilings.ts.

@group(0) @binding(0) var<storage, read> sources: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> targets: array<vec4u>;

/// Vectors that one thread copies, a grid of threads apart.
override copies: u32;

@compute @workgroup_size(64)
fn copyVectors(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var copy = 0u; copy < copies; copy++) {
    let place = copy * groups.x * 64u + id.x;
    targets[place] = sources[place];
  }
}
