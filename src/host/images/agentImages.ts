// The pictures an agent is shown: frames of its last action, and the latest one with the markers of its moves.
import type { BatchSimulator } from '../../kernels/batchSimulator.ts';
import type { Camera, Images } from '../../kernels/camera/camera.ts';
import { drawMarkers, projectMarkers } from './markers.ts';

/** One picture, RGBA: a view into `Images.colour`. */
export function imageOf(images: Images, view: number): Uint8Array<ArrayBuffer> {
  const bytes = images.width * images.height * 4;
  return images.colour.subarray(view * bytes, (view + 1) * bytes);
}

/**
 * The latest picture of each environment with its seven markers, in the order of `envs`.
 *
 * The frames every 0.5 s of the last action that the protocol has before it are not here yet: the kernel runs whole
 * phases, so only the state at the end of a decision can be drawn.
 */
export async function renderAnnotated(
  batch: BatchSimulator,
  camera: Camera,
  envs: readonly number[],
): Promise<Images> {
  const images = await camera.render(envs.map((env) => ({ env })));
  for (const [view, env] of envs.entries()) {
    const [x, y, heading] = (['x', 'y', 'heading'] as const).map((name) => batch.summary.get(env, name));
    const markers = projectMarkers(camera.rig, { x: x!, y: y!, heading: heading! });
    drawMarkers(imageOf(images, view), camera.rig, markers);
  }
  return images;
}
