// Reads the state vector and the action masks of chosen environments: one kernel (shaders/observe.wgsl) that writes whole
// numbers, and one exact division by a scale here, so that a vector is the same bits on every adapter.
import type { BatchSimulator, GpuState } from '../batchSimulator.ts';
import type { GpuContext } from '../device.ts';
import { bufferLayout, createKernel, dispatchGroups } from '../kernel.ts';
import { observeSource } from '../kernelFiles.ts';
import type { ShaderLibrary } from '../shaderLibrary.ts';
import type { Box } from './spaces.ts';
import { stateFields } from './stateFields.ts';

/** Actions a policy can choose from: 7 moves, 6 turns, 3 waits (RT-SAFE protocol §3). */
export const actionCount = 16;

/** A row of the kernel: the fields, and the mask as bits. */
const rowWords = stateFields.length + 1;
const threads = 8;

/** Buffers of one shard. */
interface ShardRows {
  /** [row]: slot in the shard */
  readonly wanted: GPUBuffer;
  readonly wantedCount: GPUBuffer;
  /** [row, field] */
  readonly rows: GPUBuffer;
  readonly readback: GPUBuffer;
  readonly group: GPUBindGroup;
}

export class StateObserver {
  static readonly fieldCount = stateFields.length;
  /** Of one environment's vector. */
  static readonly space: Box = {
    type: 'Box',
    dtype: 'float32',
    shape: [stateFields.length],
    low: Float32Array.from(stateFields, ({ minimum }) => minimum),
    high: Float32Array.from(stateFields, ({ maximum }) => maximum),
  };
  readonly #context: GpuContext;
  readonly #state: GpuState;
  readonly #pipeline: GPUComputePipeline;
  readonly #shards: readonly ShardRows[];
  readonly #scales = Float64Array.from(stateFields, ({ scale }) => scale);
  readonly #minima = Float64Array.from(stateFields, ({ minimum }) => minimum);
  readonly #maxima = Float64Array.from(stateFields, ({ maximum }) => maximum);

  private constructor(
    context: GpuContext,
    state: GpuState,
    pipeline: GPUComputePipeline,
    shards: readonly ShardRows[],
  ) {
    this.#context = context;
    this.#state = state;
    this.#pipeline = pipeline;
    this.#shards = shards;
  }

  /** Compiles the kernel and allocates a row for every environment. @throws GpuError when the device refuses. */
  static async create(
    context: GpuContext,
    shaders: ShaderLibrary,
    batch: BatchSimulator,
  ): Promise<StateObserver> {
    const { device } = context;
    const { gpuState: state } = batch;
    const { actorStride, laneBlock, shardSize } = state;
    const layout = bufferLayout(device, 'observe', [
      'storage',
      'storage',
      'read-only-storage',
      'storage',
      'uniform',
    ]);
    const pipeline = await createKernel(
      context,
      'observe',
      observeSource(shaders),
      [state.worldLayout, layout],
      { actorStride, laneBlock },
    );
    const rowCount = Math.min(shardSize, batch.envCount);
    const { COPY_DST, COPY_SRC, MAP_READ, STORAGE, UNIFORM } = GPUBufferUsage;
    const shards = await context.withErrorScope('allocating observations', () =>
      state.shards.map(({ envs, actors }, index) => {
        const create = (what: string, words: number, usage: GPUBufferUsageFlags) =>
          device.createBuffer({ label: `${what} of shard ${index}`, size: words * 4, usage });
        const wanted = create('observed environments', rowCount, STORAGE | COPY_DST);
        const wantedCount = create('observed count', 4, UNIFORM | COPY_DST);
        const rows = create('observations', rowCount * rowWords, STORAGE | COPY_SRC);
        const readback = create('observation readback', rowCount * rowWords, MAP_READ | COPY_DST);
        const group = device.createBindGroup({
          label: `observe of shard ${index}`,
          layout,
          entries: [envs, actors, wanted, rows, wantedCount].map((buffer, binding) => ({
            binding,
            resource: { buffer },
          })),
        });
        return { wanted, wantedCount, rows, readback, group };
      }),
    );
    return new StateObserver(context, state, pipeline, shards);
  }

  /**
   * Writes the rows of the given environments, each named once.
   *
   * @param target [env, field], absent where only the masks are wanted
   * @param masks [env, action - 1]
   */
  async observe(envs: readonly number[], target: Float32Array | undefined, masks: Uint8Array): Promise<void> {
    const { shardSize } = this.#state;
    const wanted = this.#shards.map((_, index) =>
      envs.filter((env) => Math.floor(env / shardSize) === index),
    );
    await this.#context.withErrorScope('observe', () => this.#submit(wanted));
    await Promise.all(
      this.#shards.map(async ({ readback }, index) => {
        const asked = wanted[index]!;
        if (asked.length === 0) return;
        const bytes = asked.length * rowWords * 4;
        await this.#context.track(readback.mapAsync(GPUMapMode.READ, 0, bytes));
        const rows = new Int32Array(readback.getMappedRange(0, bytes));
        for (const [row, env] of asked.entries()) this.#take(rows, row * rowWords, env, target, masks);
        readback.unmap();
      }),
    );
  }

  #submit(wanted: readonly (readonly number[])[]): void {
    const { device } = this.#context;
    const encoder = device.createCommandEncoder({ label: 'observe' });
    for (const [index, shard] of this.#shards.entries()) {
      const asked = wanted[index]!;
      if (asked.length === 0) continue;
      const first = index * this.#state.shardSize;
      device.queue.writeBuffer(
        shard.wanted,
        0,
        Uint32Array.from(asked, (env) => env - first),
      );
      device.queue.writeBuffer(shard.wantedCount, 0, Uint32Array.of(asked.length, 0, 0, 0));
      const pass = encoder.beginComputePass({ label: 'observe' });
      pass.setPipeline(this.#pipeline);
      pass.setBindGroup(0, this.#state.worldGroup);
      pass.setBindGroup(1, shard.group);
      dispatchGroups(pass, Math.ceil(asked.length / threads), device.limits.maxComputeWorkgroupsPerDimension);
      pass.end();
      encoder.copyBufferToBuffer(shard.rows, 0, shard.readback, 0, asked.length * rowWords * 4);
    }
    device.queue.submit([encoder.finish()]);
  }

  #take(
    rows: Int32Array,
    from: number,
    env: number,
    target: Float32Array | undefined,
    masks: Uint8Array,
  ): void {
    const { fieldCount } = StateObserver;
    if (target) {
      const to = env * fieldCount;
      for (let field = 0; field < fieldCount; field++) {
        const value = rows[from + field]! / this.#scales[field]!;
        target[to + field] = Math.min(Math.max(value, this.#minima[field]!), this.#maxima[field]!);
      }
    }
    const mask = rows[from + fieldCount]!;
    for (let action = 0; action < actionCount; action++)
      masks[env * actionCount + action] = (mask >> action) & 1;
  }

  async destroy(): Promise<void> {
    await this.#context.device.queue.onSubmittedWorkDone();
    for (const { wanted, wantedCount, rows, readback } of this.#shards)
      for (const buffer of [wanted, wantedCount, rows, readback]) buffer.destroy();
  }
}
