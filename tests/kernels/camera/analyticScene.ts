// A scene of few, simple things, so that what a camera must see can be worked out by hand, and a batch over it.

import { openGpu } from '../../../src/host/adapters/openGpu.ts';
import { compileCameraScene } from '../../../src/host/images/cameraScene.ts';
import { compileRules } from '../../../src/host/profiles/compile.ts';
import { loadProfile } from '../../../src/host/profiles/load.ts';
import { buildCity, type City } from '../../../src/host/scenes/city.ts';
import { compileWorld } from '../../../src/host/scenes/compile.ts';
import { loadBundledScene } from '../../../src/host/scenes/load.ts';
import { parseScene } from '../../../src/host/scenes/parse.ts';
import { readShader } from '../../../src/host/shaderFiles.ts';
import { BatchSimulator } from '../../../src/kernels/batchSimulator.ts';
import { Camera, type CameraOptions, type RasteriserName } from '../../../src/kernels/camera/camera.ts';
import { publishedRig } from '../../../src/kernels/camera/rig.ts';
import { presentSoftwareAdapters, type SoftwareAdapter } from '../../host/adapters/softwareAdapters.ts';

/** Milliseconds to compile the batch's and the camera's kernels on the slowest driver of a busy machine. */
export const openingTimeout = 400_000;

export const testRig = { ...publishedRig, width: 180, height: 160 };

/** A box of a building, in cm. */
export const box = { minX: 3000, minY: 1500, maxX: 4000, maxY: 2500, heightCm: 1200 };
/** A ball on the ground, beside the agent's way. */
export const ball = { x: 2350, y: 900, radiusCm: 12 };

/** The agent starts at (2000, 700), looking along +x. */
export function analyticCity(): City {
  const scene = {
    format: 'rtsafe-scene',
    version: 1,
    name: 'analytic',
    scenerySeed: 1,
    roads: [
      [
        [0, 0],
        [10_000, 0],
      ],
    ],
    routes: [
      {
        id: 0,
        start: [2000, 700],
        end: [9000, 700],
        edges: [{ from: [700, 700], to: [9300, 700], type: 'sidewalk' }],
      },
    ],
    scenery: {
      buildings: [box],
      furniture: [],
      groundObjects: [{ kind: 'basketball', x: ball.x, y: ball.y }],
      fallingObjects: [],
    },
  };
  return buildCity(parseScene(scene, 'the analytic scene'));
}

/** What an adapter can rasterise with: the subgroups of SwiftShader have four lanes, too few for compute kernels. */
export function rasterisersOf(adapter: SoftwareAdapter): RasteriserName[] {
  return adapter === 'swiftshader' ? ['hardware'] : ['hardware', 'compute'];
}

/** Every rasteriser of every software adapter that is here. */
export const eachRasteriser = presentSoftwareAdapters.flatMap((adapter) =>
  rasterisersOf(adapter).map((rasteriser) => ({ adapter, rasteriser })),
);

export function bundledCity(name: string): City {
  return buildCity(loadBundledScene(name));
}

export interface CameraWorld {
  readonly batch: BatchSimulator;
  camera(options?: Partial<CameraOptions>): Promise<Camera>;
  close(): Promise<void>;
}

/** A batch on a software adapter (default: the faster one), its environments started with seeds 0, 1, ... and routes in turn. */
export async function openCameraWorld(
  city: City | readonly City[],
  envCount: number,
  classes: number,
  adapter: SoftwareAdapter = presentSoftwareAdapters[0]!,
): Promise<CameraWorld> {
  const { context } = await openGpu(adapter);
  const cities = [city].flat();
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
      maxDecisions: 100,
      percent: 100,
      speedChoices: 1 as const,
      classes,
    })),
  );
  await batch.advance();
  const scene = compileCameraScene(cities);
  return {
    batch,
    camera: (options) =>
      Camera.create(context, batch, { shaders: readShader, scene, rig: testRig, ...options }),
    async close() {
      await batch.destroy();
      await context.close();
    },
  };
}
