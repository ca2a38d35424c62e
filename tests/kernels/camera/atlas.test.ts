// A view's picture depends neither on what else is in the atlas nor on where in an atlas it is, on any driver; and what is
// left out or drawn more simply can hardly be seen.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Camera } from '../../../src/kernels/camera/camera.ts';
import type { Images } from '../../../src/kernels/camera/rasteriser.ts';
import { presentSoftwareAdapters } from '../../host/adapters/softwareAdapters.ts';
import {
  bundledCity,
  type CameraWorld,
  eachRasteriser,
  openCameraWorld,
  openingTimeout,
  rasterisersOf,
  testRig,
} from './analyticScene.ts';

const envCount = 256;
const rig = { ...testRig, width: 64, height: 64 };
const everyEnv = Array.from({ length: envCount }, (_, env) => ({ env }));

/** The bytes of a view: colour, depth and segmentation ids. */
function planesOf(images: Images, view: number): Uint8Array[] {
  const bytes = images.width * images.height * 4;
  return [images.colour, images.depth!, images.segmentation!].map(
    ({ buffer }) => new Uint8Array(buffer, view * bytes, bytes),
  );
}

/** Views of which any plane differs. */
function differing(a: Images, b: Images): number[] {
  return everyEnv.flatMap(({ env }) => {
    const [first, second] = [planesOf(a, env), planesOf(b, env)];
    const isSame = first.every((plane, index) => Buffer.compare(plane, second[index]!) === 0);
    return isSame ? [] : [env];
  });
}

describe.each(eachRasteriser)('$adapter, $rasteriser', ({ adapter, rasteriser }) => {
  let world: CameraWorld;
  let camera: Camera;
  let together: Images;

  beforeAll(async () => {
    world = await openCameraWorld(bundledCity('rt10'), envCount, 63, adapter);
    for (let env = 0; env < envCount; env++) world.batch.decide(env, 5, env * 10);
    await world.batch.advance();
    camera = await world.camera({ rig, geometry: true, rasteriser, viewCapacity: envCount });
    together = await camera.render(everyEnv);
  }, openingTimeout);

  afterAll(async () => {
    await camera?.destroy();
    await world?.close();
  });

  test('the atlas of 256 environments equals the 256 images rendered one by one, bit for bit', async () => {
    const single = await world.camera({ rig, geometry: true, rasteriser, viewCapacity: 1 });
    // Every view in passes of its own: tile 0 of an atlas of one.
    expect(differing(together, await single.render(everyEnv))).toEqual([]);
    await single.destroy();
  });

  test('other tiles of an atlas of another size and shape: the same bits', async () => {
    const wide = await world.camera({ rig, geometry: true, rasteriser, viewCapacity: 7 });
    expect(differing(together, await wide.render(everyEnv))).toEqual([]);
    await wide.destroy();
    const reversed = await camera.render(everyEnv.map(({ env }) => ({ env, tile: envCount - 1 - env })));
    expect(differing(together, reversed)).toEqual([]);
  });

  test('rendering twice gives the same bits; environments look different', async () => {
    expect(differing(together, await camera.render(everyEnv))).toEqual([]);
    const pictures = new Set(
      everyEnv.map(({ env }) => Buffer.from(planesOf(together, env)[0]!).toString('base64')),
    );
    expect(pictures.size).toBe(envCount);
  });

  test('what is left out behind buildings cannot be seen', async () => {
    const everything = await world.camera({
      rig,
      geometry: true,
      rasteriser,
      viewCapacity: envCount,
      culling: false,
    });
    expect(differing(together, await everything.render(everyEnv))).toEqual([]);
    const [fewer, more] = [
      await camera.countPrimitives(envCount),
      await everything.countPrimitives(envCount),
    ];
    expect(fewer[0]!).toBeLessThan(more[0]! * 0.9);
    await everything.destroy();
  });

  test('simpler meshes for what is small change little', async () => {
    const fine = await world.camera({ rig, geometry: true, rasteriser, viewCapacity: 32, detail: 100 });
    const wanted = await fine.render(everyEnv.slice(0, 32));
    await fine.destroy();
    let [colours, classes] = [0, 0];
    for (const [place, value] of wanted.colour.entries())
      colours += Math.abs(value - together.colour[place]!);
    for (const [place, id] of wanted.segmentation!.entries())
      classes += (id & 255) === (together.segmentation![place]! & 255) ? 1 : 0;
    // Of 255; and the share of pixels that show the same class of thing.
    expect(colours / wanted.colour.length).toBeLessThan(2);
    expect(classes / wanted.segmentation!.length).toBeGreaterThan(0.97);
  });
});

/** Sizes that are no whole number of tiles and strips, and wider than a block of tiles. */
const oddSizes = [
  { width: 64, height: 64 },
  { width: 75, height: 43 },
  { width: 201, height: 150 },
];

describe.each(presentSoftwareAdapters.filter((adapter) => rasterisersOf(adapter).length > 1))(
  '%s',
  (adapter) => {
    let world: CameraWorld;

    beforeAll(async () => {
      world = await openCameraWorld(bundledCity('rt15'), 32, 63, adapter);
      for (let env = 0; env < 32; env++) world.batch.decide(env, 5, env * 30);
      await world.batch.advance();
    }, openingTimeout);

    afterAll(() => world?.close());

    test.each(oddSizes)('both rasterisers draw the same, $width x $height', async (size) => {
      const views = Array.from({ length: 32 }, (_, env) => ({ env, turnDegrees: env * 7 - 100 }));
      const images: Images[] = [];
      for (const rasteriser of ['hardware', 'compute'] as const) {
        const camera = await world.camera({ rig: { ...testRig, ...size }, geometry: true, rasteriser });
        images.push(await camera.render(views));
        await camera.destroy();
      }
      const [hardware, compute] = images as [Images, Images];
      const pixels = hardware.segmentation!.length;
      let [ids, colours, depths] = [0, 0, 0];
      for (let pixel = 0; pixel < pixels; pixel++) {
        if (hardware.segmentation![pixel] !== compute.segmentation![pixel]) ids++;
        if (Math.abs(hardware.depth![pixel]! / compute.depth![pixel]! - 1) > 1e-4) depths++;
        const isAlike = [0, 1, 2, 3].every((channel) => {
          const place = pixel * 4 + channel;
          return Math.abs(hardware.colour[place]! - compute.colour[place]!) <= 1;
        });
        if (!isAlike) colours++;
      }
      // A pattern's edge may round to either side.
      expect({
        ids: ids / pixels < 1e-4,
        depths: depths / pixels < 1e-4,
        colours: colours / pixels < 2e-3,
      }).toEqual({
        ids: true,
        depths: true,
        colours: true,
      });
    });
  },
);

test('requests that cannot be met are refused', async () => {
  const world = await openCameraWorld(bundledCity('rt10'), 16, 63);
  const camera = await world.camera({ rig, viewCapacity: 2 });
  await expect(camera.render([{ env: 16 }])).rejects.toThrow('allowed are 0 to 15');
  await expect(camera.render([{ env: 0, tile: 2 }])).rejects.toThrow('allowed are 0 to 1');
  await expect(world.camera({ rig: { ...rig, width: 100_000 } })).rejects.toThrow(RangeError);
  for (const width of [0, 1025])
    await expect(world.camera({ rig: { ...rig, width }, rasteriser: 'compute' })).rejects.toThrow(
      `image of ${width} x 64: allowed are 1 x 1 to 1024 x 1024`,
    );
  await camera.destroy();
  await world.close();
});
