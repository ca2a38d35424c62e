// The suite `camera` on a software driver, and what it does with batches of any size.
import { expect, test, vi } from 'vitest';
import { benchDeviceOn } from '../../../src/host/bench/benchDevice.ts';
import { formatBench } from '../../../src/host/bench/benchText.ts';
import type { CameraResult } from '../../../src/host/bench/cameraSuite.ts';
import { presentSoftwareAdapters } from '../adapters/softwareAdapters.ts';
import { measureSmall, smallOptions } from './smallBench.ts';

test('images left on the GPU and read back, and what they are drawn with', { timeout: 400_000 }, async () => {
  const { report, result, metrics } = await measureSmall('camera', {
    options: { ...smallOptions, sizes: [4] },
    openDevice: benchDeviceOn(presentSoftwareAdapters[0]!),
  });
  const { sizes } = result as CameraResult;
  expect(sizes).toMatchObject([
    { width: 64, height: 64, environments: 4, passImages: 4 },
    { width: 84, height: 84, environments: 4, passImages: 4 },
    { width: 720, height: 640, environments: 4, passImages: 4 },
  ]);
  for (const { columns, primitivesPerImage } of sizes) {
    for (const { imagesPerSecond, cpuMicrosecondsPerImage } of Object.values(columns)) {
      expect(imagesPerSecond.lowest).toBeGreaterThan(0);
      expect(imagesPerSecond.highest).toBeGreaterThanOrEqual(imagesPerSecond.median);
      expect(cpuMicrosecondsPerImage.median).toBeGreaterThan(0);
    }
    expect(primitivesPerImage.object).toBeGreaterThan(10);
    expect(primitivesPerImage.ground).toBeGreaterThan(1);
  }
  expect(metrics.map(({ unit }) => unit).slice(0, 3)).toEqual(['images/s', 'images/s', 'CPU us an image']);
  const text = formatBench(report);
  expect(text).toMatch(
    /^ +pixels +images +rasteriser +primitives an image +images\/s on the GPU +\+ readback +CPU us an image$/m,
  );
  expect(text).toMatch(/^ *64 x 64 +4 +(?:compute|hardware) +\d+ +\S+/m);
  expect(formatBench({ ...report, adapter: { ...report.adapter, kind: 'hardware' } })).not.toContain(
    'CPU us',
  );
});

test('a larger batch is rendered up to a limit by size; an abort ends it', async () => {
  const progress = { start: vi.fn(), advance: vi.fn(), stop: vi.fn() };
  const { result } = await measureSmall('camera', {
    options: { ...smallOptions, sizes: [1, 40] },
    repetitionsProgress: () => progress,
  });
  expect((result as CameraResult).sizes.map(({ environments }) => environments)).toEqual([40, 40, 36]);
  expect(progress.start).toHaveBeenCalledWith(9, 0);
  expect(progress.advance).toHaveBeenCalledTimes(9);
  const controller = new AbortController();
  controller.abort();
  await expect(measureSmall('camera', { signal: controller.signal })).rejects.toThrow('bench: stopped');
});
