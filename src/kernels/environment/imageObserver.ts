// The picture from the agent's camera as an observation: RGB bytes, small.
import type { BatchSimulator } from '../batchSimulator.ts';
import { Camera } from '../camera/camera.ts';
import { publishedRig } from '../camera/rig.ts';
import type { CameraScene } from '../camera/scene.ts';
import type { GpuContext } from '../device.ts';
import type { ShaderLibrary } from '../shaderLibrary.ts';
import type { Box } from './spaces.ts';

export interface ImageOptions {
  /** What there is to see: compiled from the same cities as the world. */
  readonly scene: CameraScene;
  /** Pixels. The field of view is the published one's, across. */
  readonly width: number;
  readonly height: number;
}

const channels = 3;
const brightest = 255;

export class ImageObserver {
  readonly space: Box;
  /** Of one picture. */
  readonly bytes: number;
  readonly #camera: Camera;

  private constructor(camera: Camera) {
    const { width, height } = camera.rig;
    this.#camera = camera;
    this.bytes = width * height * channels;
    this.space = { type: 'Box', dtype: 'uint8', shape: [height, width, channels], low: 0, high: brightest };
  }

  /** @throws RangeError for a size that the device has no room for. */
  static async create(
    context: GpuContext,
    shaders: ShaderLibrary,
    batch: BatchSimulator,
    { scene, width, height }: ImageOptions,
  ): Promise<ImageObserver> {
    const rig = { ...publishedRig, width, height };
    return new ImageObserver(await Camera.create(context, batch, { shaders, scene, rig }));
  }

  /** Renders the given environments into their rows of [env, row, column, red green blue]. */
  async observe(envs: readonly number[], target: Uint8Array): Promise<void> {
    const { colour } = await this.#camera.render(envs.map((env) => ({ env })));
    const pixels = this.bytes / channels;
    for (const [view, env] of envs.entries()) {
      let from = view * pixels * 4;
      let to = env * this.bytes;
      for (let pixel = 0; pixel < pixels; pixel++, from += 4, to += channels) {
        target[to] = colour[from]!;
        target[to + 1] = colour[from + 1]!;
        target[to + 2] = colour[from + 2]!;
      }
    }
  }

  async destroy(): Promise<void> {
    await this.#camera.destroy();
  }
}
