// How many images a second the camera renders: hard environments of all bundled maps, colour, read back to the host.
import { compileCameraScene } from '../src/host/images/cameraScene.ts';
import { compileRules } from '../src/host/profiles/compile.ts';
import { loadProfile } from '../src/host/profiles/load.ts';
import { classBits } from '../src/host/run/difficulties.ts';
import { buildCity } from '../src/host/scenes/city.ts';
import { compileWorld } from '../src/host/scenes/compile.ts';
import { listBundledScenes, loadBundledScene } from '../src/host/scenes/load.ts';
import { readShader } from '../src/host/shaderFiles.ts';
import { BatchSimulator } from '../src/kernels/batchSimulator.ts';
import { Camera } from '../src/kernels/camera/camera.ts';
import { type CameraRig, publishedRig } from '../src/kernels/camera/rig.ts';
import type { GpuContext } from '../src/kernels/device.ts';

export interface CameraBenchOptions {
  readonly envCount: number;
  readonly width: number;
  readonly height: number;
  /** Rounds timed; each renders every environment once. */
  readonly rounds: number;
  /** With depth and segmentation. */
  readonly geometry?: boolean;
}

export interface CameraBenchResult extends CameraBenchOptions {
  /** Of the fastest round, and of the middle one: others may be using the machine. */
  readonly imagesPerSecond: number;
  readonly medianImagesPerSecond: number;
  /** Processor time of this process an image, all threads: what counts where the driver runs on the CPU. */
  readonly cpuMicrosecondsPerImage: number;
}

/** Starts hard episodes on all routes in turn and lets their worlds run some seconds apart. */
export async function openBenchBatch(context: GpuContext, envCount: number) {
  const cities = listBundledScenes().map((name) => buildCity(loadBundledScene(name)));
  const world = compileWorld(cities);
  const rules = [compileRules(loadProfile('rt-safe'))];
  const batch = await BatchSimulator.create(context, { shaders: readShader, world, rules, envCount });
  batch.reset(
    Array.from({ length: envCount }, (_, env) => ({
      env,
      route: env % world.routeList.length,
      rules: 0,
      mode: 'realtime' as const,
      seed: env,
      maxDecisions: 300,
      percent: 100,
      speedChoices: 1 as const,
      classes: classBits('hard', []),
    })),
  );
  await batch.advance();
  for (let env = 0; env < envCount; env++) batch.decide(env, 5, (env % 50) * 20);
  await batch.advance();
  return { batch, scene: compileCameraScene(cities) };
}

/** Measures one size of image over a batch from `openBenchBatch`. */
export async function benchCamera(
  context: GpuContext,
  { batch, scene }: Awaited<ReturnType<typeof openBenchBatch>>,
  options: CameraBenchOptions,
): Promise<CameraBenchResult> {
  const { envCount, rounds, width, height } = options;
  const rig: CameraRig = { ...publishedRig, width, height };
  const camera = await Camera.create(context, batch, {
    shaders: readShader,
    scene,
    rig,
    ...(options.geometry ? { geometry: options.geometry } : {}),
  });
  const views = Array.from({ length: envCount }, (_, env) => ({ env }));
  await camera.render(views.slice(0, camera.viewCapacity));
  const seconds: number[] = [];
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await camera.render(views);
    seconds.push((performance.now() - start) / 1000);
  }
  const { user, system } = process.cpuUsage(before);
  await camera.destroy();
  seconds.sort((a, b) => a - b);
  return {
    ...options,
    imagesPerSecond: envCount / seconds[0]!,
    medianImagesPerSecond: envCount / seconds[seconds.length >> 1]!,
    cpuMicrosecondsPerImage: (user + system) / (rounds * envCount),
  };
}
