// What the benchmark needs of a GPU, so that its own logic can be tested on the CPU reference.
import { BatchSimulator } from '../../kernels/batchSimulator.ts';
import type { AdapterReport } from '../adapters/adapterReport.ts';
import { openGpu } from '../adapters/openGpu.ts';
import type { RunWorld } from '../run/runWorld.ts';
import type { Simulator } from '../run/simulator.ts';
import { readShader } from '../shaderFiles.ts';

/** Fields of an actor, and the bit of its status that says it is there (docs/rules.md, section 3). */
const statusField = 5;
const presentBit = 1;

export interface BenchSimulator
  extends Simulator,
    Pick<BatchSimulator, 'submit' | 'memory' | 'kernelTimes'> {}

export interface BenchBatch {
  readonly simulator: BenchSimulator;
  /** Pedestrians and robot dogs that are present in one environment. */
  countWalkers(env: number): Promise<number>;
  /** Ends when everything that was submitted has been computed. */
  finishWork(): Promise<void>;
  destroy(): Promise<void>;
}

export interface BenchDevice {
  readonly adapter: AdapterReport;
  /** Compiles the kernels and allocates a batch; one at a time. */
  createBatch(environments: number): Promise<BenchBatch>;
  close(): Promise<void>;
}

export type OpenBenchDevice = (runWorld: RunWorld) => Promise<BenchDevice>;

/** Opens the adapter of the user's choice; see `openGpu` for what it throws. */
export function benchDeviceOn(adapterChoice: string): OpenBenchDevice {
  return async (runWorld) => {
    const { context, adapter } = await openGpu(adapterChoice);
    return {
      adapter,
      async createBatch(environments) {
        const simulator = await BatchSimulator.create(context, {
          shaders: readShader,
          world: runWorld.world,
          rules: runWorld.rules,
          envCount: environments,
          timestamps: true,
        });
        return {
          simulator,
          async countWalkers(env) {
            const { state, actors } = await simulator.readEnvironment(env);
            const { stateLayout, actorStride } = simulator;
            const slots = state[stateLayout.word('pedestrians')]! + state[stateLayout.word('dogs')]!;
            const first = statusField * actorStride;
            let present = 0;
            for (let slot = 0; slot < slots; slot++) present += actors[first + slot]! & presentBit;
            return present;
          },
          finishWork: () => context.track(context.device.queue.onSubmittedWorkDone()).then(() => undefined),
          destroy: () => simulator.destroy(),
        };
      },
      close: () => context.close(),
    };
  };
}
