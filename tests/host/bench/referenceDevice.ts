// The CPU reference simulator in the place of a GPU, so that the benchmark's own logic is tested without one.
import type { AdapterReport } from '../../../src/host/adapters/adapterReport.ts';
import type {
  BenchBatch,
  BenchCamera,
  BenchEnvironment,
  BenchSimulator,
  OpenBenchDevice,
} from '../../../src/host/bench/benchDevice.ts';
import type { KernelTimes } from '../../../src/kernels/batchSimulator.ts';
import { meshKinds } from '../../../src/kernels/camera/meshes.ts';
import { actorFields } from '../../reference/records.ts';
import { ReferenceSimulator } from '../run/referenceSimulator.ts';

export class ReferenceBenchSimulator extends ReferenceSimulator implements BenchSimulator {
  readonly kernelTimes: KernelTimes | undefined = { reset: 0, settle: 0, advance: 0, summarize: 0 };
  readonly memory = { world: 1024, batch: 4096 * this.envCount, buffers: { states: 4096 * this.envCount } };
  readbacks = 0;
  submits = 0;

  override async advance(): Promise<void> {
    this.readbacks++;
    this.kernelTimes!.advance += 1000;
    await super.advance();
  }

  readEnvironment(env: number): BenchEnvironment {
    const { state, actors } = this.episode(env);
    const walkers = actors.slice(0, state.pedestrians + state.dogs);
    return {
      member: (name) => [(state as unknown as Record<string, number | number[]>)[name]!].flat(),
      walkers: Int32Array.from(walkers.flatMap((actor) => actorFields.map((field) => actor[field]))),
    };
  }

  /** The reference works while it is called, so nothing is left to wait for. */
  submit(): void {
    this.submits++;
    void super.advance();
  }
}

/** Draws nothing, two views at a time. */
function blindCamera(width: number, height: number): BenchCamera {
  return {
    rasteriser: 'compute',
    viewCapacity: 2,
    submit: () => {},
    render: ({ length }) =>
      Promise.resolve({
        count: length,
        width,
        height,
        colour: new Uint8Array(0),
        depth: undefined,
        segmentation: undefined,
      }),
    countPrimitives: () => Promise.resolve(meshKinds.map(() => 0)),
    destroy: () => Promise.resolve(),
  };
}

const adapter: AdapterReport = {
  kind: 'other',
  name: 'reference',
  vendor: '',
  architecture: '',
  description: 'CPU reference',
  driver: '',
  why: 'a test',
};

/** `simulators` gets every batch that was made. */
export function openReferenceDevice(simulators: ReferenceBenchSimulator[] = []): OpenBenchDevice {
  return async (runWorld) => {
    await Promise.resolve();
    return {
      adapter,
      async createBatch(environments): Promise<BenchBatch> {
        const simulator = new ReferenceBenchSimulator(runWorld, environments);
        simulators.push(simulator);
        await Promise.resolve();
        return {
          simulator,
          readEnvironments: (envs) => Promise.resolve(envs.map((env) => simulator.readEnvironment(env))),
          createCamera: (width, height) => Promise.resolve(blindCamera(width, height)),
          finishWork: () => Promise.resolve(),
          destroy: () => Promise.resolve(),
        };
      },
      createCeilings: () => Promise.resolve({ run: () => Promise.resolve(), destroy: () => {} }),
      close: () => Promise.resolve(),
    };
  };
}
