// Minari 0.5 datasets: `<folder>/rtsafe/<split>-v0/data/` with main_data.hdf5 and metadata.json, so that `folder` is what
// MINARI_DATASETS_PATH names and `rtsafe/<split>-v0` the dataset's id.
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeTextFile } from '../records/atomicFile.ts';
import type { DatasetWriter } from './datasetWriter.ts';
import {
  type ArraySpec,
  type Column,
  columnsOf,
  type EpisodeLayout,
  observationPrefix,
  rowsOf,
} from './episodeData.ts';
import { Hdf5File } from './hdf5File.ts';

/** Readers ask whether this version's datasets are theirs to read. */
const minariVersion = '0.5.3';
const namespace = 'rtsafe';
const bytesPerMegabyte = 1_000_000;

/** The bounds of an array as lists nested in its shape, as Minari's spaces have them. */
function nestedBounds(values: readonly number[], shape: readonly number[]): unknown {
  const [length, ...inner] = shape;
  if (length === undefined) return values[0];
  const rows = values.length / length;
  return Array.from({ length }, (_, row) =>
    nestedBounds(values.length === 1 ? values : values.slice(row * rows, (row + 1) * rows), inner),
  );
}

function box(spec: ArraySpec) {
  const { dtype, shape, low, high } = spec;
  return {
    type: 'Box',
    dtype,
    shape,
    low: nestedBounds(low ?? [-Infinity], shape),
    high: nestedBounds(high ?? [Infinity], shape),
  };
}

/** JSON as Python reads it, which has infinities. */
function spaceText(space: unknown): string {
  return JSON.stringify(space, (_, value) =>
    value === Infinity || value === -Infinity ? `#${value}` : value,
  ).replaceAll(/"#(-?Infinity)"/g, '$1');
}

function observationSpace({ observations }: EpisodeLayout): unknown {
  const [first, ...others] = observations.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  if (first === undefined) throw new RangeError('an observation of nothing');
  if (others.length === 0) return box(first);
  const subspaces = Object.fromEntries([first, ...others].map((spec) => [spec.name, box(spec)]));
  return { type: 'Dict', subspaces };
}

/** Where a column lies in an episode's group: an observation that is alone has no group of its own. */
function datasetName({ name }: Column, layout: EpisodeLayout): string {
  return layout.observations.length === 1 && name.startsWith(observationPrefix) ? 'observations' : name;
}

function folderBytes(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

export const writeMinari: DatasetWriter = async (folder, source, description, onEpisode) => {
  const { layout, size } = source;
  const id = `${namespace}/${description.split}-v0`;
  const data = join(folder, id, 'data');
  mkdirSync(data, { recursive: true });
  const file = await Hdf5File.create(join(data, 'main_data.hdf5'));
  const columns = columnsOf(layout);
  let totalSteps = 0;
  for (let place = 0; place < size; place++) {
    const { header, arrays } = source.read(place);
    const group = `episode_${place}`;
    totalSteps += header.steps;
    file.group(group);
    if (layout.observations.length > 1) file.group(`${group}/observations`);
    file.group(`${group}/infos`);
    for (const column of columns) {
      file.dataset(`${group}/${datasetName(column, layout)}`, {
        dtype: column.dtype,
        shape: [rowsOf(column, header.steps), ...column.shape],
        data: arrays[column.name]!,
      });
    }
    for (const [name, value] of [
      ['id', place],
      ['total_steps', header.steps],
      ['seed', header.seed],
      ['map', header.map],
      ['route', header.route],
      ['outcome', header.outcome],
    ] as const) {
      file.attribute(group, name, value);
    }
    onEpisode();
  }
  file.close();
  const metadata = {
    total_episodes: size,
    total_steps: totalSteps,
    data_format: 'hdf5',
    jpeg_encoding: false,
    observation_space: spaceText(observationSpace(layout)),
    action_space: spaceText({ type: 'Discrete', dtype: 'int64', start: 0, n: layout.actionCount }),
    dataset_id: id,
    minari_version: minariVersion,
    author: ['rtsafe'],
    author_email: [],
    algorithm_name: description.policy,
    description: description.title,
    code_permalink: `rtsafe ${description.version}`,
    dataset_size: Math.round((folderBytes(data) / bytesPerMegabyte) * 10) / 10,
  };
  writeTextFile(join(data, 'metadata.json'), `${JSON.stringify(metadata, null, 2)}\n`);
  writeTextFile(
    join(folder, namespace, 'namespace_metadata.json'),
    `${JSON.stringify({ description: 'Collected in rtsafe, a simulator of the RT-SAFE benchmark' }, null, 2)}\n`,
  );
};
