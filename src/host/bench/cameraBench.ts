// How many images a second the camera renders: every environment of a batch once a repetition, from the state as it lies on
// the GPU, left there (rendered) and read back to the host.
import { BatchSimulator } from '../../kernels/batchSimulator.ts';
import { Camera } from '../../kernels/camera/camera.ts';
import { type MeshKind, meshKinds } from '../../kernels/camera/meshes.ts';
import { type CameraRig, publishedRig } from '../../kernels/camera/rig.ts';
import type { GpuContext } from '../../kernels/device.ts';
import type { AdapterReport } from '../adapters/adapterReport.ts';
import { openGpu } from '../adapters/openGpu.ts';
import { firstMove } from '../episodes/actions.ts';
import { compileCameraScene } from '../images/cameraScene.ts';
import type { RunProgress } from '../run/executeRun.ts';
import { readShader } from '../shaderFiles.ts';
import { type BenchMachine, describeMachine, simulatorVersions } from './benchReport.ts';
import { type Spread, spreadOf } from './spread.ts';
import { type Duration, startTimer } from './timer.ts';
import { makeWorkload, type Workload } from './workload.ts';

/** Pixels, and environments that are rendered. */
export interface CameraBenchSize {
  readonly width: number;
  readonly height: number;
  readonly environments: number;
}

/** The usual sizes of reinforcement learning, and the published camera. */
export const cameraBenchSizes: readonly CameraBenchSize[] = [
  { width: 64, height: 64, environments: 1024 },
  { width: 84, height: 84, environments: 1024 },
  { width: publishedRig.width, height: publishedRig.height, environments: 36 },
];

export interface CameraBenchOptions {
  readonly sizes: readonly CameraBenchSize[];
  readonly repetitions: number;
}

/** What becomes of the images: they stay on the GPU, or they are read back. */
export const cameraColumns = ['rendered', 'readback'] as const;
export type CameraColumn = (typeof cameraColumns)[number];

export interface CameraRates {
  readonly imagesPerSecond: Spread;
  /** Of this process, all threads: where the driver runs on the CPU, the work that an image is. */
  readonly cpuMicrosecondsPerImage: Spread;
}

export interface CameraSizeResult extends CameraBenchSize {
  /** Images in one pass. */
  readonly passImages: number;
  readonly trianglesPerImage: Readonly<Record<MeshKind, number>>;
  readonly columns: Readonly<Record<CameraColumn, CameraRates>>;
}

/** What `rtsafe bench --suite camera --json` prints. */
export interface CameraBenchReport {
  readonly format: 'rtsafe-bench-camera';
  readonly version: 1;
  readonly measuredAt: string;
  readonly simulator: ReturnType<typeof simulatorVersions>;
  readonly adapter: AdapterReport;
  readonly machine: BenchMachine;
  readonly repetitions: number;
  readonly sizes: readonly CameraSizeResult[];
}

/** Starts the environments' episodes, and lets them come apart by up to so many seconds. */
const spreadSeconds = 10;

async function openBatch(context: GpuContext, workload: Workload): Promise<BatchSimulator> {
  const { world, rules } = workload.runWorld;
  const envCount = workload.starts.length;
  const batch = await BatchSimulator.create(context, { shaders: readShader, world, rules, envCount });
  batch.reset(workload.starts);
  await batch.advance();
  for (let env = 0; env < envCount; env++)
    batch.decide(env, firstMove, Math.round((env / envCount) * spreadSeconds * 100));
  await batch.advance();
  return batch;
}

function ratesOf(durations: readonly Duration[], images: number): CameraRates {
  return {
    imagesPerSecond: spreadOf(durations.map(({ seconds }) => images / seconds)),
    cpuMicrosecondsPerImage: spreadOf(durations.map(({ cpuSeconds }) => (1e6 * cpuSeconds) / images)),
  };
}

async function measureSize(
  context: GpuContext,
  batch: BatchSimulator,
  scene: ReturnType<typeof compileCameraScene>,
  { width, height, environments }: CameraBenchSize,
  repetitions: number,
  onRepetition: () => void,
): Promise<CameraSizeResult> {
  const rig: CameraRig = { ...publishedRig, width, height };
  const camera = await Camera.create(context, batch, { shaders: readShader, scene, rig });
  const views = Array.from({ length: environments }, (_, env) => ({ env }));
  const images = await camera.render(views);
  const renderAll: Record<CameraColumn, () => Promise<unknown>> = {
    async rendered() {
      for (let first = 0; first < environments; first += camera.viewCapacity)
        camera.submit(views.slice(first, first + camera.viewCapacity));
      await context.track(context.device.queue.onSubmittedWorkDone());
    },
    readback: () => camera.render(views, images),
  };
  const triangles = await camera.countTriangles();
  const lastPass = environments % camera.viewCapacity || camera.viewCapacity;
  const durations: Record<CameraColumn, Duration[]> = { rendered: [], readback: [] };
  // In turn, so that whatever else the machine does meets both.
  for (let repetition = 0; repetition < repetitions; repetition++) {
    for (const column of cameraColumns) {
      const stop = startTimer();
      await renderAll[column]();
      durations[column].push(stop());
    }
    onRepetition();
  }
  await camera.destroy();
  return {
    width,
    height,
    environments,
    passImages: Math.min(environments, camera.viewCapacity),
    trianglesPerImage: Object.fromEntries(
      meshKinds.map((kind, list) => [kind, triangles[list]! / lastPass]),
    ) as Record<MeshKind, number>,
    columns: {
      rendered: ratesOf(durations.rendered, environments),
      readback: ratesOf(durations.readback, environments),
    },
  };
}

/** Measures the camera over the hard episodes of the workload. Throws what `openGpu` throws. */
export async function benchCamera(
  adapterChoice: string,
  { sizes, repetitions }: CameraBenchOptions,
  progress: RunProgress,
): Promise<CameraBenchReport> {
  const machine = describeMachine();
  const measuredAt = new Date().toISOString();
  const workload = await makeWorkload(Math.max(...sizes.map(({ environments }) => environments)));
  const { context, adapter } = await openGpu(adapterChoice);
  const results: CameraSizeResult[] = [];
  progress.start(sizes.length * repetitions, 0);
  try {
    const batch = await openBatch(context, workload);
    const scene = compileCameraScene(workload.runWorld.cities);
    for (const size of sizes)
      results.push(
        await measureSize(context, batch, scene, size, repetitions, () =>
          progress.advance(1, size.environments),
        ),
      );
    await batch.destroy();
  } finally {
    progress.stop();
    await context.close();
  }
  return {
    format: 'rtsafe-bench-camera',
    version: 1,
    measuredAt,
    simulator: simulatorVersions(),
    adapter,
    machine,
    repetitions,
    sizes: results,
  };
}
