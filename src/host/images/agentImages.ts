// The pictures an agent is shown: its view, with the markers of its moves where it is to decide, and beside it to the left and
// right.
import type { BatchSimulator } from '../../kernels/batchSimulator.ts';
import { Camera } from '../../kernels/camera/camera.ts';
import type { Images, ViewRequest } from '../../kernels/camera/rasteriser.ts';
import { publishedRig } from '../../kernels/camera/rig.ts';
import type { GpuContext } from '../../kernels/device.ts';
import type { City } from '../scenes/city.ts';
import { readShader } from '../shaderFiles.ts';
import { compileCameraScene } from './cameraScene.ts';
import { drawMarkers, projectMarkers } from './markers.ts';
import type { AgentImage, ImageSource, PictureSettings, RenderedImage } from './pictures.ts';

/** Of the context cameras against the agent's heading. */
const sideDegrees = 70;
/** Views of one pass: agents that are asked come in one by one, and a pass of one costs what its whole atlas costs to clear. */
const mostViews = 4;

/** One picture, RGBA: a view into `Images.colour`. */
export function imageOf(images: Images, view: number): Uint8Array<ArrayBuffer> {
  const bytes = images.width * images.height * 4;
  return images.colour.subarray(view * bytes, (view + 1) * bytes);
}

function annotate(batch: BatchSimulator, camera: Camera, env: number, image: Uint8Array): void {
  const [x, y, heading] = (['x', 'y', 'heading'] as const).map((name) => batch.summary.get(env, name));
  drawMarkers(image, camera.rig, projectMarkers(camera.rig, { x: x!, y: y!, heading: heading! }));
}

/** The latest picture of each environment with its seven markers, in the order of `envs`. */
export async function renderAnnotated(
  batch: BatchSimulator,
  camera: Camera,
  envs: readonly number[],
): Promise<Images> {
  const images = await camera.render(envs.map((env) => ({ env })));
  for (const [view, env] of envs.entries()) annotate(batch, camera, env, imageOf(images, view));
  return images;
}

function onSharedMemory(images: Images, view: number): RenderedImage {
  const pixels = imageOf(images, view);
  const data = new Uint8Array(new SharedArrayBuffer(pixels.length));
  data.set(pixels);
  return { width: images.width, height: images.height, data };
}

/**
 * A camera of the published rig over a batch, for a policy that looks. `cities` are those of the batch's world.
 *
 * @throws RangeError for pictures larger than a texture may be.
 */
export async function openAgentImages(
  context: GpuContext,
  batch: BatchSimulator,
  cities: readonly City[],
  { width, height, markers, sides }: PictureSettings,
): Promise<ImageSource> {
  const turns = sides ? [-sideDegrees, sideDegrees, 0] : [0];
  const kinds = sides ? (['left', 'right', 'latest'] as const) : (['latest'] as const);
  const camera = await Camera.create(context, batch, {
    shaders: readShader,
    scene: compileCameraScene(cities),
    rig: { ...publishedRig, width, height },
    viewCapacity: Math.min(mostViews, batch.envCount * turns.length),
  });
  const render = async (views: readonly ViewRequest[]): Promise<RenderedImage[]> => {
    const images = await camera.render(views);
    return views.map((_, view) => onSharedMemory(images, view));
  };
  return {
    frames: (envs) => render(envs.map((env) => ({ env }))),
    async views(envs) {
      const views = envs.flatMap((env) => turns.map((turnDegrees) => ({ env, turnDegrees })));
      const images = await render(views);
      return envs.map((env, place) => {
        const own = images.slice(place * turns.length, (place + 1) * turns.length);
        if (markers) annotate(batch, camera, env, own.at(-1)!.data);
        return own.map((image, turn): AgentImage => ({ ...image, kind: kinds[turn]! }));
      });
    },
    close: () => camera.destroy(),
  };
}
