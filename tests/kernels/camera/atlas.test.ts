// A view's picture does not depend on what else is in the atlas, and hardly on how or where it is drawn.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Images } from '../../../src/kernels/camera/camera.ts';
import { bundledCity, type CameraWorld, openCameraWorld, testRig } from './analyticScene.ts';

const envCount = 16;
const rig = { ...testRig, width: 64, height: 64 };

let world: CameraWorld;

beforeAll(async () => {
  world = await openCameraWorld(bundledCity('rt10'), envCount, 63);
  for (let env = 0; env < envCount; env++) world.batch.decide(env, 5, env * 100);
  await world.batch.advance();
});

afterAll(async () => {
  await world?.close();
});

const everyEnv = Array.from({ length: envCount }, (_, env) => ({ env }));

function imageWords(images: Images, view: number): Uint32Array {
  const pixels = images.width * images.height;
  return new Uint32Array(images.colour.buffer, view * pixels * 4, pixels);
}

/** Share of pixels of which the colour differs. */
function differing(a: Images, b: Images): number {
  const [first, second] = [new Uint32Array(a.colour.buffer), new Uint32Array(b.colour.buffer)];
  return first.reduce((count, word, place) => count + (word === second[place] ? 0 : 1), 0) / first.length;
}

test('the atlas of many equals the images rendered one by one in their tiles', async () => {
  const camera = await world.camera({ rig, geometry: true, viewCapacity: envCount });
  const together = await camera.render(everyEnv);
  for (const { env } of everyEnv) {
    const alone = await camera.render([{ env, tile: env }]);
    expect(imageWords(alone, 0)).toEqual(imageWords(together, env));
    const pixels = rig.width * rig.height;
    expect(alone.depth).toEqual(together.depth!.slice(env * pixels, (env + 1) * pixels));
    expect(alone.segmentation).toEqual(together.segmentation!.slice(env * pixels, (env + 1) * pixels));
  }
  await camera.destroy();
});

test('rendering twice gives the same bytes; environments look different', async () => {
  const camera = await world.camera({ rig, viewCapacity: envCount });
  const [first, second] = [await camera.render(everyEnv), await camera.render(everyEnv)];
  expect(second.colour).toEqual(first.colour);
  const pictures = new Set(everyEnv.map(({ env }) => imageWords(first, env).join()));
  expect(pictures.size).toBe(envCount);
  await camera.destroy();
});

test('another place in another atlas, and the other tiling, change only pixels on edges', async () => {
  const all = await world.camera({ rig, viewCapacity: envCount });
  const single = await world.camera({ rig, viewCapacity: 3 });
  const viewports = await world.camera({ rig, viewCapacity: envCount, tiling: 'viewport' });
  const wanted = await all.render(everyEnv);
  expect(differing(wanted, await single.render(everyEnv))).toBeLessThan(0.002);
  expect(differing(wanted, await viewports.render(everyEnv))).toBeLessThan(0.002);
  for (const camera of [all, single, viewports]) await camera.destroy();
});

test('requests that cannot be met are refused', async () => {
  const camera = await world.camera({ rig, viewCapacity: 2 });
  await expect(camera.render([{ env: envCount }])).rejects.toThrow('allowed are 0 to 15');
  await expect(camera.render([{ env: 0, tile: 2 }])).rejects.toThrow('allowed are 0 to 1');
  await expect(world.camera({ rig: { ...rig, width: 100_000 } })).rejects.toThrow(RangeError);
  await camera.destroy();
});
