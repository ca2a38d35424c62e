// What the benchmark needs of a GPU, so that its own logic can be tested on the CPU reference.
import { BatchSimulator } from '../../kernels/batchSimulator.ts';
import { Camera } from '../../kernels/camera/camera.ts';
import { publishedRig } from '../../kernels/camera/rig.ts';
import { CeilingKernels } from '../../kernels/ceilings.ts';
import { actorWords } from '../../kernels/world.ts';
import type { AdapterReport } from '../adapters/adapterReport.ts';
import { openGpu } from '../adapters/openGpu.ts';
import { compileCameraScene } from '../images/cameraScene.ts';
import type { RunWorld } from '../run/runWorld.ts';
import type { Simulator } from '../run/simulator.ts';
import { readShader } from '../shaderFiles.ts';

/** Words of an actor, and the bit of its status that says it is there (docs/rules.md, section 3). */
const statusField = 5;
const presentBit = 1;

/** One environment as it stands on the GPU. */
export interface BenchEnvironment {
  /** A member of `struct EnvState`; one word for each element of an array. */
  readonly member: (name: string) => readonly number[];
  /** Pedestrians and robot dogs: [slot, word], the words as in docs/rules.md, section 3. */
  readonly walkers: Int32Array;
}

/** Pedestrians and robot dogs that are present. */
export function countWalkers({ walkers }: BenchEnvironment): number {
  let present = 0;
  for (let word = statusField; word < walkers.length; word += actorWords)
    present += walkers[word]! & presentBit;
  return present;
}

export interface BenchSimulator
  extends Simulator,
    Pick<BatchSimulator, 'submit' | 'memory' | 'kernelTimes'> {}

export type BenchCamera = Pick<
  Camera,
  'rasteriser' | 'viewCapacity' | 'submit' | 'render' | 'countPrimitives' | 'destroy'
>;

export interface BenchBatch {
  readonly simulator: BenchSimulator;
  /** [place], in the order of `envs`. */
  readEnvironments(envs: readonly number[]): Promise<BenchEnvironment[]>;
  /** Compiles the published camera at another size in pixels; it is destroyed before the batch. */
  createCamera(width: number, height: number): Promise<BenchCamera>;
  /** Ends when everything that was submitted has been computed. */
  finishWork(): Promise<void>;
  destroy(): Promise<void>;
}

export interface BenchDevice {
  readonly adapter: AdapterReport;
  /** Compiles the kernels and allocates a batch; one at a time. */
  createBatch(environments: number): Promise<BenchBatch>;
  /** Compiles and allocates the kernels that only copy, calculate or do nothing. */
  createCeilings(): Promise<Pick<CeilingKernels, 'run' | 'destroy'>>;
  close(): Promise<void>;
}

export type OpenBenchDevice = (runWorld: RunWorld) => Promise<BenchDevice>;

/** More would hold that many buffers for reading back. */
const readsAtOnce = 64;

async function readOne(simulator: BatchSimulator, env: number): Promise<BenchEnvironment> {
  const { state, actors } = await simulator.readEnvironment(env);
  const { stateLayout, actorStride } = simulator;
  const member = (name: string) => {
    const { word, words, signed } = stateLayout.members.find((found) => found.name === name)!;
    const values = Array.from(state.subarray(word, word + words));
    return signed ? values.map((value) => value | 0) : values;
  };
  const slots = member('pedestrians')[0]! + member('dogs')[0]!;
  return {
    member,
    walkers: Int32Array.from(
      { length: slots * actorWords },
      (_, place) => actors[(place % actorWords) * actorStride + Math.floor(place / actorWords)]!,
    ),
  };
}

async function readInTurns(simulator: BatchSimulator, envs: readonly number[]): Promise<BenchEnvironment[]> {
  const environments: BenchEnvironment[] = [];
  for (let first = 0; first < envs.length; first += readsAtOnce) {
    const turn = envs.slice(first, first + readsAtOnce);
    environments.push(...(await Promise.all(turn.map((env) => readOne(simulator, env)))));
  }
  return environments;
}

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
          readEnvironments: (envs) => readInTurns(simulator, envs),
          createCamera: (width, height) =>
            Camera.create(context, simulator, {
              shaders: readShader,
              scene: compileCameraScene(runWorld.cities),
              rig: { ...publishedRig, width, height },
            }),
          finishWork: () => context.track(context.device.queue.onSubmittedWorkDone()).then(() => undefined),
          destroy: () => simulator.destroy(),
        };
      },
      createCeilings: () => CeilingKernels.create(context, readShader),
      close: () => context.close(),
    };
  };
}
