// What the machine can do at most: small kernels that only copy, only calculate, or do nothing, and the driver's own copy. A
// roofline holds the simulator's kernels against these.
import type { GpuContext } from './device.ts';
import { bufferLayout, createKernel } from './kernel.ts';
import type { ShaderLibrary } from './shaderLibrary.ts';

export type Ceiling = 'copy' | 'transfer' | 'integer' | 'dispatch';

const workgroupThreads = 64;
const vectorBytes = 16;
/** Beyond the caches of most machines, and within every storage binding. */
const copiedBytes = 64 * 1024 ** 2;
const copiesOfThread = 16;
const integerThreads = 65_536;
const integerSteps = 128;
/** Two vectors of four numbers, a multiplication and an addition each. */
const operationsOfStep = 2 * 4 * 2;

/** Work of one dispatch. */
export const ceilingWork: Readonly<Record<Ceiling, number>> = {
  /** Bytes read and written, by a kernel. */
  copy: 2 * copiedBytes,
  /** Likewise, by the driver's own copy of a buffer. */
  transfer: 2 * copiedBytes,
  /** Operations. */
  integer: integerThreads * integerSteps * operationsOfStep,
  /** Dispatches. */
  dispatch: 1,
};

type KernelCeiling = Exclude<Ceiling, 'transfer'>;

interface CeilingKernel {
  readonly pipeline: GPUComputePipeline;
  readonly group: GPUBindGroup;
  readonly workgroups: number;
}

/**
 * The kernels and their buffers.
 *
 * @example
 * const ceilings = await CeilingKernels.create(context, shaders);
 * await ceilings.run('copy', 10); // 10 dispatches; 10 * ceilingWork.copy bytes
 */
export class CeilingKernels {
  readonly #context: GpuContext;
  readonly #kernels: Readonly<Record<KernelCeiling, CeilingKernel>>;
  readonly #copied: readonly [GPUBuffer, GPUBuffer];
  readonly #buffers: readonly GPUBuffer[];

  private constructor(
    context: GpuContext,
    kernels: Readonly<Record<KernelCeiling, CeilingKernel>>,
    copied: readonly [GPUBuffer, GPUBuffer],
    buffers: readonly GPUBuffer[],
  ) {
    this.#context = context;
    this.#kernels = kernels;
    this.#copied = copied;
    this.#buffers = buffers;
  }

  /** @throws GpuError when the device refuses (out of memory, say). */
  static async create(context: GpuContext, shaders: ShaderLibrary): Promise<CeilingKernels> {
    const { device } = context;
    const buffers: GPUBuffer[] = [];
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    const create = (label: string, size: number) => {
      const buffer = device.createBuffer({ label, size, usage });
      buffers.push(buffer);
      return buffer;
    };
    const make = async (
      name: string,
      layout: GPUBindGroupLayout,
      bound: readonly GPUBuffer[],
      workgroups: number,
      constants: Record<string, number>,
    ): Promise<CeilingKernel> => ({
      pipeline: await createKernel(context, name, shaders(`bench/${name}.wgsl`), [layout], constants),
      group: device.createBindGroup({
        label: name,
        layout,
        entries: bound.map((buffer, binding) => ({ binding, resource: { buffer } })),
      }),
      workgroups,
    });
    return context.withErrorScope('allocating the ceilings', async () => {
      const copied = [create('copy source', copiedBytes), create('copy target', copiedBytes)] as const;
      const results = create('integer results', integerThreads * 4);
      const copyThreads = copiedBytes / vectorBytes / copiesOfThread;
      const [copy, integer, dispatch] = await Promise.all([
        make(
          'copyVectors',
          bufferLayout(device, 'copyVectors', ['read-only-storage', 'storage']),
          copied,
          copyThreads / workgroupThreads,
          { copies: copiesOfThread },
        ),
        make(
          'multiplyAdd',
          bufferLayout(device, 'multiplyAdd', ['storage']),
          [results],
          integerThreads / workgroupThreads,
          { steps: integerSteps },
        ),
        make('doNothing', bufferLayout(device, 'doNothing', []), [], 1, {}),
      ]);
      return new CeilingKernels(context, { copy, integer, dispatch }, copied, buffers);
    });
  }

  /** Does one of them so many times, in one submission, and waits for the end. */
  async run(ceiling: Ceiling, times: number): Promise<void> {
    const { device } = this.#context;
    const encoder = device.createCommandEncoder({ label: ceiling });
    if (ceiling === 'transfer') this.#encodeTransfers(encoder, times);
    else this.#encodeDispatches(encoder, ceiling, times);
    device.queue.submit([encoder.finish()]);
    await this.#context.track(device.queue.onSubmittedWorkDone());
  }

  #encodeTransfers(encoder: GPUCommandEncoder, times: number): void {
    const [source, target] = this.#copied;
    for (let count = 0; count < times; count++) encoder.copyBufferToBuffer(source, 0, target, 0, copiedBytes);
  }

  #encodeDispatches(encoder: GPUCommandEncoder, ceiling: KernelCeiling, times: number): void {
    const { pipeline, group, workgroups } = this.#kernels[ceiling];
    const pass = encoder.beginComputePass({ label: ceiling });
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    for (let count = 0; count < times; count++) pass.dispatchWorkgroups(workgroups);
    pass.end();
  }

  destroy(): void {
    for (const buffer of this.#buffers) buffer.destroy();
  }
}
