// One compute kernel: its pipeline with explicit bind group layouts, and how to dispatch it over any number of
// workgroups.
import type { GpuContext } from './device.ts';

export type BindingKind = 'storage' | 'read-only-storage' | 'uniform';

/** A bind group layout of buffers for compute; `undefined` leaves a binding number out. */
export function bufferLayout(
  device: GPUDevice,
  label: string,
  kinds: readonly (BindingKind | undefined)[],
): GPUBindGroupLayout {
  const entries = kinds.flatMap((type, binding) =>
    type === undefined ? [] : [{ binding, visibility: GPUShaderStage.COMPUTE, buffer: { type } }],
  );
  return device.createBindGroupLayout({ label, entries });
}

/** Compiles a kernel. Throws GpuError naming the kernel when its text does not compile. */
export function createKernel(
  context: GpuContext,
  name: string,
  code: string,
  layouts: readonly GPUBindGroupLayout[],
  constants: Record<string, number>,
): Promise<GPUComputePipeline> {
  const { device } = context;
  return context.withErrorScope(`kernel ${name}`, () =>
    device.createComputePipelineAsync({
      label: name,
      layout: device.createPipelineLayout({ label: name, bindGroupLayouts: [...layouts] }),
      compute: { module: device.createShaderModule({ label: name, code }), entryPoint: name, constants },
    }),
  );
}

/** Dispatches `count` workgroups; kernels find their number as `group.y * groups.x + group.x`. */
export function dispatchGroups(pass: GPUComputePassEncoder, count: number, limit: number): void {
  const columns = Math.min(count, limit);
  pass.dispatchWorkgroups(columns, Math.ceil(count / columns));
}
