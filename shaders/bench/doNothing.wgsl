// Measures what a dispatch costs by itself. The owner is src/kernels/ceilings.ts.

@compute @workgroup_size(1)
fn doNothing() {}
