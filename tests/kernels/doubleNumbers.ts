// The smallest complete use of a GPU: uploads numbers, doubles them in a compute shader, reads them back.
import type { GpuContext } from '../../src/kernels/device.ts';

const shader = `
@group(0) @binding(0) var<storage, read_write> values: array<u32>; // [count]
@compute @workgroup_size(64) fn doubleNumbers(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < arrayLength(&values)) { values[id.x] *= 2u; }
}`;

export async function doubleNumbers(
  context: GpuContext,
  numbers: Uint32Array<ArrayBuffer>,
): Promise<Uint32Array> {
  const { device } = context;
  const size = numbers.byteLength;
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  const values = device.createBuffer({ label: 'values', size, usage });
  const readback = device.createBuffer({
    label: 'readback',
    size,
    usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
  });
  await context.withErrorScope('double numbers', () => {
    device.queue.writeBuffer(values, 0, numbers);
    const pipeline = device.createComputePipeline({
      layout: 'auto',
      compute: { module: device.createShaderModule({ code: shader }) },
    });
    const bindGroup = device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: [{ binding: 0, resource: { buffer: values } }],
    });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, bindGroup);
    pass.dispatchWorkgroups(Math.ceil(numbers.length / 64));
    pass.end();
    encoder.copyBufferToBuffer(values, 0, readback, 0, size);
    device.queue.submit([encoder.finish()]);
  });
  await context.track(readback.mapAsync(GPUMapMode.READ));
  const result = new Uint32Array(readback.getMappedRange()).slice();
  readback.unmap();
  readback.destroy();
  values.destroy();
  return result;
}
