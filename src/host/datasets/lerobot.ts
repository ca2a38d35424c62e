// LeRobot v3.0 datasets: `<folder>/<split>/` with data/ and meta/. A frame is a step: what was observed, what was done and
// what came of it. Decisions are not equally spaced in time and LeRobot wants a constant rate, so a frame counts as a
// second of `timestamp`, and the real clock has a column of its own, `sim_time`.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { encodePng } from '../images/encodePng.ts';
import { writeTextFile } from '../records/atomicFile.ts';
import type { DatasetWriter } from './datasetWriter.ts';
import type { Dtype, NumericArray } from './dtype.ts';
import {
  type ArraySpec,
  clockInfo,
  type EpisodeData,
  type EpisodeHeader,
  type EpisodeLayout,
  type InfoSpec,
  infoPrefix,
  observationPrefix,
  rowLength,
} from './episodeData.ts';
import { addMoments, type Moments, momentsOf, noMoments, standardDeviations } from './moments.ts';
import { type ParquetField, ParquetFile } from './parquetFile.ts';

const codebaseVersion = 'v3.0';
const framesPerSecond = 1;
const chunkFiles = 1000;
const dataFileMegabytes = 100;
const videoFileMegabytes = 200;
const bytesPerMegabyte = 1024 * 1024;
/** Rows of meta/episodes that are held before they are written. */
const episodeRows = 100;
const largestPixel = 255;
const pathPattern = 'chunk-{chunk_index:03d}/file-{file_index:03d}.parquet';

function threeDigits(value: number): string {
  return String(value).padStart(3, '0');
}

function fileName(chunk: number, file: number): string {
  return `chunk-${threeDigits(chunk)}/file-${threeDigits(file)}.parquet`;
}

/** What is known of a frame beside the episode's own arrays. */
interface FramePlace {
  readonly episode: number;
  /** Frames of the dataset before the episode. */
  readonly first: number;
  readonly task: number;
}

/** A column of the frames. */
interface Feature {
  readonly key: string;
  readonly dtype: Dtype | 'image';
  readonly shape: readonly number[];
  readonly names: readonly string[] | null;
  /** Values of all frames of an episode: [frame, element]. */
  values(episode: EpisodeData, place: FramePlace): NumericArray;
}

function rowsFrom(array: NumericArray, spec: ArraySpec, first: number, steps: number): NumericArray {
  const length = rowLength(spec);
  return array.subarray(first * length, (first + steps) * length);
}

function observationFeature(spec: ArraySpec): Feature {
  const isImage = spec.shape.length === 3;
  return {
    key: `observation.${spec.name}`,
    dtype: isImage ? 'image' : spec.dtype,
    shape: spec.shape,
    names: isImage ? ['height', 'width', 'channels'] : (spec.elements ?? null),
    values: ({ header, arrays }) =>
      rowsFrom(arrays[`${observationPrefix}${spec.name}`]!, spec, 0, header.steps),
  };
}

/** What came with the observation of a frame, or, as `next.<name>`, what its step did. */
function infoFeature(spec: InfoSpec): Feature {
  const isOfStep = spec.of === 'step';
  const ownKey = isOfStep ? `next.${spec.name}` : spec.name;
  return {
    key: spec.name === clockInfo ? 'sim_time' : ownKey,
    dtype: spec.dtype,
    shape: spec.shape.length === 0 ? [1] : spec.shape,
    names: spec.elements ?? null,
    values: ({ header, arrays }) =>
      rowsFrom(arrays[`${infoPrefix}${spec.name}`]!, spec, isOfStep ? 1 : 0, header.steps),
  };
}

function numberFeature(key: string, dtype: Dtype, values: Feature['values']): Feature {
  return { key, dtype, shape: [1], names: null, values };
}

function counting(first: number, steps: number): BigInt64Array {
  return new BigInt64Array(steps).map((_, frame) => BigInt(first + frame));
}

function featuresOf(layout: EpisodeLayout): Feature[] {
  return [
    ...layout.observations.map(observationFeature),
    numberFeature('action', 'int64', ({ arrays }) => arrays.actions!),
    numberFeature('next.reward', 'float32', ({ arrays }) => arrays.rewards!),
    numberFeature('next.done', 'bool', ({ arrays: { terminations, truncations } }) =>
      (terminations as Uint8Array).map((ended, step) => ended | Number(truncations![step])),
    ),
    numberFeature('next.truncated', 'bool', ({ arrays }) => arrays.truncations!),
    ...layout.infos.map(infoFeature),
    numberFeature('timestamp', 'float32', ({ header }) =>
      new Float32Array(header.steps).map((_, frame) => frame / framesPerSecond),
    ),
    numberFeature('frame_index', 'int64', ({ header }) => counting(0, header.steps)),
    numberFeature('episode_index', 'int64', ({ header }, { episode }) =>
      new BigInt64Array(header.steps).fill(BigInt(episode)),
    ),
    numberFeature('index', 'int64', ({ header }, { first }) => counting(first, header.steps)),
    numberFeature('task_index', 'int64', ({ header }, { task }) =>
      new BigInt64Array(header.steps).fill(BigInt(task)),
    ),
  ];
}

function featureField({ key, dtype, shape }: Feature): ParquetField {
  return { name: key, type: dtype, depth: dtype === 'image' || shape[0] === 1 ? 0 : 1 };
}

/** The frames of one feature as parquet has them. */
function parquetValues(feature: Feature, values: NumericArray): unknown[] {
  const { dtype, shape } = feature;
  const length = rowLength({ name: feature.key, dtype: 'uint8', shape });
  const rows = Array.from({ length: values.length / length }, (_, row) =>
    values.subarray(row * length, (row + 1) * length),
  );
  if (dtype === 'image') {
    const [height, width] = shape as [number, number, number];
    return rows.map((rgb, frame) => ({
      bytes: encodePng({ width, height, data: rgb as Uint8Array }),
      path: `frame-${String(frame).padStart(6, '0')}.png`,
    }));
  }
  const plain = (value: number | bigint) => (dtype === 'bool' ? value !== 0 : value);
  if (length === 1) return Array.from(values, plain);
  return rows.map((row) => Array.from(row, plain));
}

/** Images have moments per channel, of values from 0 to 1. */
function featureMoments({ dtype, shape }: Feature, values: NumericArray): Moments {
  return momentsOf(values, shape.at(-1)!, dtype === 'image' ? 1 / largestPixel : 1);
}

const statisticNames = ['min', 'max', 'mean', 'std', 'count'] as const;

/** Statistics as LeRobot has them: of an image in the shape [channel, 1, 1], counted in frames. */
function statistics(feature: Feature, moments: Moments): Record<(typeof statisticNames)[number], unknown> {
  const pixels = feature.dtype === 'image' ? feature.shape[0]! * feature.shape[1]! : 1;
  const shaped = (values: Float64Array) =>
    Array.from(values, (value) => (feature.dtype === 'image' ? [[value]] : value));
  return {
    min: shaped(moments.min),
    max: shaped(moments.max),
    mean: shaped(moments.mean),
    std: shaped(standardDeviations(moments)),
    count: [moments.count / pixels],
  };
}

function statisticFields(feature: Feature): ParquetField[] {
  return statisticNames.map((name) => ({
    name: `stats/${feature.key}/${name}`,
    type: name === 'count' ? 'int64' : 'float64',
    depth: name !== 'count' && feature.dtype === 'image' ? 3 : 1,
  }));
}

/** meta/tasks.parquet is a pandas table whose index is the task's text. */
const pandasTasks = JSON.stringify({
  index_columns: ['__index_level_0__'],
  column_indexes: [
    {
      name: null,
      field_name: null,
      pandas_type: 'unicode',
      numpy_type: 'object',
      metadata: { encoding: 'UTF-8' },
    },
  ],
  columns: [
    {
      name: 'task_index',
      field_name: 'task_index',
      pandas_type: 'int64',
      numpy_type: 'int64',
      metadata: null,
    },
    {
      name: null,
      field_name: '__index_level_0__',
      pandas_type: 'unicode',
      numpy_type: 'object',
      metadata: null,
    },
  ],
  creator: { library: 'rtsafe', version: '1' },
  pandas_version: '2.2.3',
});

function writeTasks(path: string, tasks: readonly string[]): void {
  const file = new ParquetFile(
    path,
    [
      { name: 'task_index', type: 'int64' },
      { name: '__index_level_0__', type: 'text' },
    ],
    { pandas: pandasTasks },
  );
  file.writeRowGroup([tasks.map((_, index) => BigInt(index)), tasks]);
  file.close();
}

function taskText({ map, route }: EpisodeHeader): string {
  return `Walk route ${route} of the map ${map} to its end without touching anyone or anything`;
}

/** Files of frames, each full before the next is begun, one row group an episode. */
class FrameFiles {
  readonly #folder: string;
  readonly #fields: readonly ParquetField[];
  #file: ParquetFile;
  chunkIndex = 0;
  fileIndex = 0;

  constructor(folder: string, fields: readonly ParquetField[]) {
    this.#folder = folder;
    this.#fields = fields;
    this.#file = this.#open();
  }

  #open(): ParquetFile {
    const path = join(this.#folder, fileName(this.chunkIndex, this.fileIndex));
    mkdirSync(dirname(path), { recursive: true });
    return new ParquetFile(path, this.#fields);
  }

  write(columns: readonly unknown[][]): void {
    if (this.#file.bytes >= dataFileMegabytes * bytesPerMegabyte) {
      this.#file.close();
      this.fileIndex++;
      if (this.fileIndex === chunkFiles) {
        this.fileIndex = 0;
        this.chunkIndex++;
      }
      this.#file = this.#open();
    }
    this.#file.writeRowGroup(columns);
  }

  close(): void {
    this.#file.close();
  }
}

const episodeFields: readonly ParquetField[] = [
  { name: 'episode_index', type: 'int64' },
  { name: 'tasks', type: 'text', depth: 1 },
  { name: 'length', type: 'int64' },
  { name: 'data/chunk_index', type: 'int64' },
  { name: 'data/file_index', type: 'int64' },
  { name: 'dataset_from_index', type: 'int64' },
  { name: 'dataset_to_index', type: 'int64' },
  { name: 'meta/episodes/chunk_index', type: 'int64' },
  { name: 'meta/episodes/file_index', type: 'int64' },
  { name: 'map', type: 'text' },
  { name: 'route', type: 'int64' },
  { name: 'seed', type: 'int64' },
  { name: 'outcome', type: 'text' },
];

export const writeLerobot: DatasetWriter = async (folder, source, { split }, onEpisode) => {
  const root = join(folder, split);
  const features = featuresOf(source.layout);
  const frames = new FrameFiles(join(root, 'data'), features.map(featureField));
  const episodesPath = join(root, 'meta', 'episodes', fileName(0, 0));
  mkdirSync(dirname(episodesPath), { recursive: true });
  const fields = [...episodeFields, ...features.flatMap(statisticFields)];
  const episodes = new ParquetFile(episodesPath, fields);
  let rows: unknown[][] = [];
  const flushRows = () => {
    episodes.writeRowGroup(fields.map((_, column) => rows.map((row) => row[column])));
    rows = [];
  };
  const totals = features.map(({ shape }) => noMoments(shape.at(-1)!));
  const tasks = new Map<string, number>();
  let first = 0;
  for (let episode = 0; episode < source.size; episode++) {
    const data = source.read(episode);
    const { header } = data;
    const text = taskText(header);
    const task = tasks.get(text) ?? tasks.size;
    tasks.set(text, task);
    const values = features.map((feature) => feature.values(data, { episode, first, task }));
    frames.write(features.map((feature, index) => parquetValues(feature, values[index]!)));
    const own = features.map((feature, index) => featureMoments(feature, values[index]!));
    for (const [index, total] of totals.entries()) addMoments(total, own[index]!);
    const numbers = [frames.chunkIndex, frames.fileIndex, first, first + header.steps, 0, 0].map(BigInt);
    rows.push([
      BigInt(episode),
      [text],
      BigInt(header.steps),
      ...numbers,
      header.map,
      BigInt(header.route),
      BigInt(header.seed),
      header.outcome,
      ...features.flatMap((feature, index) => {
        const { count, ...others } = statistics(feature, own[index]!);
        return [...Object.values(others), (count as number[]).map(BigInt)];
      }),
    ]);
    if (rows.length === episodeRows) flushRows();
    first += header.steps;
    onEpisode();
  }
  flushRows();
  frames.close();
  episodes.close();
  writeTasks(join(root, 'meta', 'tasks.parquet'), [...tasks.keys()]);
  const info = {
    codebase_version: codebaseVersion,
    robot_type: 'rtsafe',
    total_episodes: source.size,
    total_frames: first,
    total_tasks: tasks.size,
    chunks_size: chunkFiles,
    data_files_size_in_mb: dataFileMegabytes,
    video_files_size_in_mb: videoFileMegabytes,
    fps: framesPerSecond,
    splits: { [split]: `0:${source.size}` },
    data_path: `data/${pathPattern}`,
    video_path: null,
    features: Object.fromEntries(
      features.map(({ key, dtype, shape, names }) => [key, { dtype, shape, names }]),
    ),
  };
  writeTextFile(join(root, 'meta', 'info.json'), `${JSON.stringify(info, null, 2)}\n`);
  const stats = Object.fromEntries(
    features.map((feature, index) => [feature.key, statistics(feature, totals[index]!)]),
  );
  if (first > 0) writeTextFile(join(root, 'meta', 'stats.json'), `${JSON.stringify(stats, null, 2)}\n`);
};
