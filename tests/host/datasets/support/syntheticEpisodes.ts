// Episodes made of random numbers, in the layouts that a collection has, and what they hold as plain files for a reader in
// another language.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesOf } from '../../../../src/host/datasets/dtype.ts';
import {
  clockInfo,
  columnsOf,
  type EpisodeData,
  type EpisodeLayout,
  type EpisodeReader,
  makeArrays,
  rowsOf,
} from '../../../../src/host/datasets/episodeData.ts';
import { pcg } from '../../../../src/kernels/random.ts';

const state = {
  name: 'state',
  dtype: 'float32',
  shape: [5],
  low: [-1, -1, 0, 0, -1],
  high: [1, 1, 1, Infinity, 1],
  elements: ['x', 'y', 'heading', 'speed', 'light'],
} as const;
/** From 32 pixels on, Minari takes bytes for a picture. */
const image = { name: 'image', dtype: 'uint8', shape: [32, 32, 3], low: [0], high: [255] } as const;

const infos = [
  { name: clockInfo, dtype: 'float64', shape: [], of: 'observation' },
  { name: 'contacts', dtype: 'int32', shape: [2], of: 'step' },
  { name: 'safe', dtype: 'bool', shape: [], of: 'step' },
] as const;

export const layouts = {
  state: { observations: [state], actionCount: 17, infos },
  image: { observations: [image], actionCount: 17, infos },
  'state and image': { observations: [state, image], actionCount: 17, infos },
} as const satisfies Record<string, EpisodeLayout>;

/** An episode of so many steps, different for every index. Odd ones are truncated, even ones terminate. */
export function syntheticEpisode(layout: EpisodeLayout, index: number, steps: number): EpisodeData {
  let word = pcg(index + 1);
  const next = () => {
    word = pcg(word);
    return word / 2 ** 32;
  };
  const arrays = makeArrays(layout, steps);
  for (const { name, dtype, high } of columnsOf(layout)) {
    const array = arrays[name]!;
    for (let place = 0; place < array.length; place++) {
      if (array instanceof BigInt64Array) array[place] = BigInt(Math.floor(next() * layout.actionCount));
      else if (dtype === 'bool') array[place] = next() < 0.5 ? 1 : 0;
      else if (dtype === 'uint8') array[place] = Math.floor(next() * 256);
      else if (dtype === 'int32') array[place] = Math.floor(next() * 10) - 3;
      else array[place] = next() * (high?.[0] ?? 100) - 0.25;
    }
  }
  const terminations = new Uint8Array(steps);
  const truncations = new Uint8Array(steps);
  (index % 2 === 0 ? terminations : truncations)[steps - 1] = 1;
  const outcome = index % 2 === 0 ? 'success' : 'decision_budget';
  const sum = (arrays.rewards as Float32Array).reduce((total, reward) => total + reward, 0);
  return {
    header: { index, steps, map: `rt1${index % 3}`, route: index, seed: 7 * index, outcome, return: sum },
    arrays: { ...arrays, terminations, truncations },
  };
}

export function readerOf(layout: EpisodeLayout, episodes: readonly EpisodeData[]): EpisodeReader {
  return {
    layout,
    size: episodes.length,
    header: (place) => episodes[place]!.header,
    read: (place) => episodes[place]!,
    readColumn: (place, name) => episodes[place]!.arrays[name]!,
  };
}

/** Writes each column of each episode as raw bytes, and truth.json about them: what readers are held against. */
export function writeTruth(folder: string, reader: EpisodeReader): void {
  const { layout, size } = reader;
  mkdirSync(folder, { recursive: true });
  const episodes = Array.from({ length: size }, (_, place) => {
    const { header, arrays } = reader.read(place);
    const columns = columnsOf(layout).map((column, number) => {
      const file = `${place}-${number}.bin`;
      writeFileSync(join(folder, file), bytesOf(arrays[column.name]!));
      return {
        name: column.name,
        dtype: column.dtype,
        shape: [rowsOf(column, header.steps), ...column.shape],
        file,
      };
    });
    return { ...header, columns };
  });
  const observations = layout.observations.map(({ name, dtype, shape }) => ({ name, dtype, shape }));
  writeFileSync(
    join(folder, 'truth.json'),
    JSON.stringify({ observations, actionCount: layout.actionCount, episodes }),
  );
}
