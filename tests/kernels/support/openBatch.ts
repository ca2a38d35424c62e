// A batch on a software driver, and its closing.
import { openGpu } from '../../../src/host/adapters/openGpu.ts';
import { readShader } from '../../../src/host/shaderFiles.ts';
import { BatchSimulator, type Execution } from '../../../src/kernels/batchSimulator.ts';
import type { GpuContext } from '../../../src/kernels/device.ts';
import type { WorldTables } from '../../../src/kernels/world.ts';
import { testProfiles } from './testProfiles.ts';

/** Batches of one context. Closing fails when the device saw an error outside every error scope. */
export class TestGpu {
  readonly context: GpuContext;
  readonly #batches: BatchSimulator[] = [];

  private constructor(context: GpuContext) {
    this.context = context;
  }

  static async open(adapter: string): Promise<TestGpu> {
    const { context } = await openGpu(adapter);
    return new TestGpu(context);
  }

  async batch(
    world: WorldTables,
    envCount: number,
    execution: Partial<Execution> = {},
  ): Promise<BatchSimulator> {
    const batch = await BatchSimulator.create(this.context, {
      shaders: readShader,
      world,
      rules: testProfiles.map(({ compiled }) => compiled),
      envCount,
      execution,
    });
    this.#batches.push(batch);
    return batch;
  }

  /** @throws GpuError for any GPU error that happened unnoticed. */
  async close(): Promise<void> {
    for (const batch of this.#batches) await batch.destroy();
    const { failure } = this.context;
    await this.context.close();
    if (failure) throw failure;
  }
}

/** The execution that each way of sharing out the work stands for. Any gives the same bits. */
export const executions = {
  solo: { teamwork: 'solo', threads: 8, laneBlock: 8, tickBudget: 1 << 20 },
  team: { teamwork: 'team', threads: 64, laneBlock: 1, tickBudget: 256 },
} as const satisfies Record<string, Execution>;
