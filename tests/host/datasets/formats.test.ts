// Every format is opened with a reader that this project did not write, and holds what the episodes held.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { DatasetDescription } from '../../../src/host/datasets/datasetWriter.ts';
import type { EpisodeReader } from '../../../src/host/datasets/episodeData.ts';
import {
  type DatasetFormat,
  datasetFormatNames,
  datasetFormats,
} from '../../../src/host/datasets/formats.ts';
import { checkLerobot } from './support/checkLerobot.ts';
import { checkWithPython, hasPython } from './support/python.ts';
import { layouts, readerOf, syntheticEpisode, writeTruth } from './support/syntheticEpisodes.ts';

const description: DatasetDescription = {
  split: 'train',
  policy: 'greedy',
  title: 'a test',
  version: '0.0.0',
};

const places: Record<DatasetFormat, string> = {
  minari: 'rtsafe/train-v0/data',
  lerobot: 'train',
  d3rlpy: 'train.h5',
  npz: 'train.npz',
};

async function write(format: DatasetFormat, reader: EpisodeReader): Promise<string> {
  const folder = join(mkdtempSync(join(tmpdir(), 'rtsafe-dataset-')), format);
  mkdirSync(folder);
  let told = 0;
  await datasetFormats[format](folder, reader, description, () => told++);
  expect(told).toBe(reader.size);
  return folder;
}

/** All files below a folder with their bytes. */
function filesOf(folder: string): Map<string, Buffer> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return new Map(files.map((name) => [name, readFileSync(join(folder, name))]));
}

const cases: { name: string; layout: keyof typeof layouts; steps: number[] }[] = [
  { name: 'no episode', layout: 'state', steps: [] },
  { name: 'one step', layout: 'state', steps: [1] },
  { name: '10,000 steps', layout: 'state', steps: [10_000] },
  { name: 'episodes of several lengths', layout: 'state', steps: [3, 1, 40, 2] },
  { name: 'images', layout: 'image', steps: [2, 5] },
  { name: 'states and images', layout: 'state and image', steps: [4, 1, 3] },
];

describe.each(cases)('$name', ({ layout: layoutName, steps }) => {
  const layout = layouts[layoutName];
  const reader = readerOf(
    layout,
    steps.map((count, index) => syntheticEpisode(layout, index, count)),
  );

  test.skipIf(!hasPython).each(['minari', 'd3rlpy', 'npz'] as const)('%s', async (format) => {
    const folder = await write(format, reader);
    const truth = join(folder, 'truth');
    writeTruth(truth, reader);
    checkWithPython(format, join(folder, places[format]), truth);
  });

  test('lerobot', async () => {
    const folder = await write('lerobot', reader);
    await checkLerobot(join(folder, places.lerobot), reader);
  });
});

test.skipIf(!hasPython)('the checks find a value that is wrong', async () => {
  const layout = layouts['state and image'];
  const reader = readerOf(layout, [syntheticEpisode(layout, 0, 3)]);
  const changed = syntheticEpisode(layout, 0, 3);
  changed.arrays['observations/state']![12] = 0.5;
  const wrong = readerOf(layout, [changed]);
  for (const format of ['minari', 'npz'] as const) {
    const folder = await write(format, wrong);
    writeTruth(join(folder, 'truth'), reader);
    expect(() => checkWithPython(format, join(folder, places[format]), join(folder, 'truth'))).toThrow(
      /observations state: other values/,
    );
  }
  const folder = await write('lerobot', wrong);
  await expect(checkLerobot(join(folder, places.lerobot), reader)).rejects.toThrow();
});

test.each(datasetFormatNames)('%s: the same episodes give the same bytes, whenever', async (format) => {
  const layout = layouts['state and image'];
  const reader = readerOf(layout, [syntheticEpisode(layout, 0, 5), syntheticEpisode(layout, 1, 2)]);
  const first = filesOf(await write(format, reader));
  // HDF5 knows whole seconds.
  await delay(1100);
  expect(filesOf(await write(format, reader))).toEqual(first);
});

test.each(datasetFormatNames)('%s: a folder that cannot be ends in what the system says', async (format) => {
  const reader = readerOf(layouts.state, [syntheticEpisode(layouts.state, 0, 5)]);
  const folder = join(fileURLToPath(import.meta.url), 'below-a-file');
  await expect(datasetFormats[format](folder, reader, description, () => {})).rejects.toThrow(/ENOTDIR/);
});
