// Reads a LeRobot dataset with DuckDB and holds it against the episodes it was made from.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode } from 'fast-png';
import { expect } from 'vitest';
import { type EpisodeReader, rowLength } from '../../../../src/host/datasets/episodeData.ts';
import { columnTypes, query, type Row } from './duckdb.ts';

interface Feature {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly names: readonly string[] | null;
}

const sqlTypes: Readonly<Record<string, string>> = {
  float32: 'FLOAT',
  float64: 'DOUBLE',
  int32: 'INTEGER',
  int64: 'BIGINT',
  bool: 'BOOLEAN',
  image: 'STRUCT(bytes BLOB, path VARCHAR)',
};

/** What `datasets.Features` makes of a feature, as DuckDB names it. */
function sqlType({ dtype, shape }: Feature): string {
  const isList = dtype !== 'image' && shape[0] !== 1;
  return `${sqlTypes[dtype]}${isList ? '[]' : ''}`;
}

function rowOf(array: ArrayLike<number | bigint>, row: number, length: number): (number | bigint)[] {
  return Array.from({ length }, (_, place) => array[row * length + place]!);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function deviation(values: readonly number[]): number {
  const center = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - center) ** 2)));
}

/** Values per channel of decoded images, from 0 to 1. */
function channelValues(images: readonly Uint8Array[], channel: number): number[] {
  return images.flatMap((pixels) =>
    Array.from({ length: pixels.length / 3 }, (_, pixel) => pixels[3 * pixel + channel]! / 255),
  );
}

export async function checkLerobot(root: string, reader: EpisodeReader): Promise<void> {
  const { layout, size } = reader;
  const episodes = Array.from({ length: size }, (_, place) => reader.read(place));
  const frames = episodes.reduce((sum, { header }) => sum + header.steps, 0);
  const info = JSON.parse(readFileSync(join(root, 'meta', 'info.json'), 'utf8'));
  expect(info).toMatchObject({
    codebase_version: 'v3.0',
    total_episodes: size,
    total_frames: frames,
    fps: 1,
    splits: { train: `0:${size}` },
    data_path: 'data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet',
    video_path: null,
  });
  const features = info.features as Record<string, Feature>;
  const data = join(root, 'data', '*', '*.parquet');
  expect(await columnTypes(data)).toEqual(
    Object.entries(features).map(([name, feature]) => [name, sqlType(feature)]),
  );

  const rows = await query(`SELECT * FROM read_parquet('${data}') ORDER BY index`);
  expect(rows.length).toBe(frames);
  const groups = await query(
    `SELECT row_group_id, any_value(row_group_num_rows) AS steps FROM parquet_metadata('${data}') GROUP BY ALL ORDER BY ALL`,
  );
  expect(groups.map(({ steps }) => Number(steps))).toEqual(episodes.map(({ header }) => header.steps));

  const tasks = await query(
    `SELECT task_index, "__index_level_0__" AS text FROM read_parquet('${join(root, 'meta', 'tasks.parquet')}')`,
  );
  const images: Uint8Array[] = [];
  let index = 0;
  for (const [episode, { header, arrays }] of episodes.entries()) {
    for (let frame = 0; frame < header.steps; frame++, index++) {
      const row = rows[index]!;
      const expected: Row = {
        action: arrays.actions![frame],
        'next.reward': arrays.rewards![frame],
        'next.done': arrays.terminations![frame] === 1 || arrays.truncations![frame] === 1,
        'next.truncated': arrays.truncations![frame] === 1,
        sim_time: arrays['infos/clock_seconds']![frame],
        'next.contacts': rowOf(arrays['infos/contacts']!, frame + 1, 2),
        'next.safe': arrays['infos/safe']![frame + 1] === 1,
        timestamp: frame,
        frame_index: BigInt(frame),
        episode_index: BigInt(episode),
        index: BigInt(index),
        task_index: row.task_index,
      };
      for (const spec of layout.observations) {
        const values = rowOf(arrays[`observations/${spec.name}`]!, frame, rowLength(spec));
        const name = `observation.${spec.name}`;
        if (spec.name === 'state') {
          expected[name] = values;
          continue;
        }
        const found = row[name] as { bytes: Uint8Array };
        const image = decode(found.bytes);
        expect([image.height, image.width, image.channels]).toEqual(spec.shape);
        expect(Array.from(image.data)).toEqual(values);
        images.push(image.data as Uint8Array);
        expected[name] = found;
      }
      expect(row).toEqual(expected);
      const task = tasks[Number(row.task_index)]!;
      expect(task.task_index).toBe(row.task_index);
      expect(task.text).toContain(`route ${header.route} of the map ${header.map}`);
    }
  }

  const listed = await query(
    `SELECT * FROM read_parquet('${join(root, 'meta', 'episodes', '*', '*.parquet')}') ORDER BY episode_index`,
  );
  let first = 0;
  expect(listed.length).toBe(size);
  for (const [place, row] of listed.entries()) {
    const { header } = episodes[place]!;
    expect(row).toMatchObject({
      length: BigInt(header.steps),
      dataset_from_index: BigInt(first),
      dataset_to_index: BigInt(first + header.steps),
      'data/chunk_index': 0n,
      'data/file_index': 0n,
      seed: BigInt(header.seed),
      outcome: header.outcome,
      'stats/action/count': [BigInt(header.steps)],
    });
    first += header.steps;
  }
  if (frames === 0) return;

  const stats = JSON.parse(readFileSync(join(root, 'meta', 'stats.json'), 'utf8'));
  expect(Object.keys(stats)).toEqual(Object.keys(features));
  const rewards = rows.map((row) => row['next.reward'] as number);
  expect(stats['next.reward'].count).toEqual([frames]);
  expect(stats['next.reward'].min).toEqual([Math.min(...rewards)]);
  expect(stats['next.reward'].mean[0]).toBeCloseTo(mean(rewards), 8);
  expect(stats['next.reward'].std[0]).toBeCloseTo(deviation(rewards), 8);
  if (images.length === 0) return;
  const statistic = stats['observation.image'];
  expect(statistic.count).toEqual([frames]);
  for (let channel = 0; channel < 3; channel++) {
    const values = channelValues(images, channel);
    expect(statistic.mean[channel][0][0]).toBeCloseTo(mean(values), 8);
    expect(statistic.std[channel][0][0]).toBeCloseTo(deviation(values), 8);
  }
}
