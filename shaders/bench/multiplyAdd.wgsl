// Measures the rate of integer arithmetic: eight independent chains of multiply and add a thread. The owner is
// src/kernels/ceilings.ts.

@group(0) @binding(0) var<storage, read_write> results: array<u32>;

/// Steps of every chain.
override steps: u32;

@compute @workgroup_size(64)
fn multiplyAdd(@builtin(global_invocation_id) id: vec3u) {
  // From the thread's number, so that nothing is known beforehand.
  let factor = id.x * 2u + 1u;
  let term = id.x ^ 0x9e3779b9u;
  var a = vec4u(id.x, id.x + 1u, id.x + 2u, id.x + 3u);
  var b = a + 4u;
  for (var step = 0u; step < steps; step++) {
    a = a * factor + term;
    b = b * factor + term;
  }
  let sum = a + b;
  results[id.x] = sum.x ^ sum.y ^ sum.z ^ sum.w;
}
