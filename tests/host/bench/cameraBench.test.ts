// The camera's benchmark on a few small images: what it counts and how it shows it.
import { expect, test } from 'vitest';
import { benchCamera, type CameraBenchReport } from '../../../src/host/bench/cameraBench.ts';
import { formatCameraBench } from '../../../src/host/command-line/cameraBenchTable.ts';
import { presentSoftwareAdapters } from '../adapters/softwareAdapters.ts';

const sizes = [{ width: 32, height: 32, environments: 40 }];

async function measured(): Promise<CameraBenchReport> {
  const done: number[] = [];
  const report = await benchCamera(
    presentSoftwareAdapters[0]!,
    { sizes, repetitions: 3 },
    {
      start: (total) => done.push(total),
      advance: () => done.push(1),
      stop: () => done.push(0),
    },
  );
  expect(done).toEqual([3, 1, 1, 1, 0]);
  return report;
}

test('measures images left on the GPU and read back, and counts their triangles', async () => {
  const report = await measured();
  const [result] = report.sizes;
  expect(result).toMatchObject({ ...sizes[0], passImages: 40 });
  for (const { imagesPerSecond, cpuMicrosecondsPerImage } of Object.values(result!.columns)) {
    expect(imagesPerSecond.lowest).toBeGreaterThan(0);
    expect(imagesPerSecond.highest).toBeGreaterThanOrEqual(imagesPerSecond.median);
    expect(cpuMicrosecondsPerImage.median).toBeGreaterThan(0);
  }
  expect(result!.trianglesPerImage.object).toBeGreaterThan(10);
  expect(result!.trianglesPerImage.ground).toBeGreaterThan(1);
  const text = formatCameraBench(report);
  expect(text).toMatch(
    /^ +pixels +images +triangles an image +images\/s on the GPU +\+ readback +CPU us an image$/m,
  );
  expect(text).toMatch(/^32 x 32 +40 +\d+ +\S+/m);
  const onGpu = formatCameraBench({ ...report, adapter: { ...report.adapter, kind: 'hardware' } });
  expect(onGpu).not.toContain('CPU us');
});
