// Shards put together give the run that was never split; shards that do not belong together are refused.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { UsageError } from '../../../src/host/errors.ts';
import type { RunSummary } from '../../../src/host/metrics/runSummary.ts';
import { mergeRuns } from '../../../src/host/run/mergeRuns.ts';
import { verifyRun } from '../../../src/host/verify/verifyRun.ts';
import { openReference } from './referenceSimulator.ts';
import { newPath, runSmall, silent } from './testRun.ts';

/** 16 episodes in 8 conditions. */
const sweep = { latency: 'fixed:0,fixed:4', policy: 'greedy,wait', maxDecisions: '5' };

const whole = newPath('whole');
const shards = [0, 1, 2].map((index) => newPath(`shard-${index}`));

beforeAll(async () => {
  await runSmall(whole, sweep);
  for (const [index, folder] of shards.entries()) await runSmall(folder, { ...sweep, shard: `${index}/3` });
});

function read(folder: string, name = 'episodes.jsonl'): string {
  return readFileSync(join(folder, name), 'utf8');
}

function withoutWall(folder: string): unknown {
  const { wall: _, ...rest } = JSON.parse(read(folder, 'summary.json')) as RunSummary;
  return rest;
}

interface Config {
  shard?: unknown;
  sessions: unknown[];
  simulator: { rtsafe: string };
}

function copyOf(folder: string): string {
  const copy = newPath('copy');
  cpSync(folder, copy, { recursive: true });
  return copy;
}

test('a shard is a run folder of its own that says which part it is', () => {
  const sizes = shards.map((folder) => read(folder).trimEnd().split('\n').length);
  expect(sizes.sort((first, second) => first - second)).toEqual([5, 5, 6]);
  const { shard } = JSON.parse(read(shards[1]!, 'config.json')) as Config;
  expect(shard).toEqual({ index: 1, of: 3 });
});

test('merged in any order, they are the run that was never split', async () => {
  const out = newPath();
  const { summary, summaryText } = await mergeRuns([shards[2]!, shards[0]!, shards[1]!], out);
  expect(readdirSync(out).sort()).toEqual(['config.json', 'episodes.jsonl', 'summary.json']);
  expect(read(out)).toBe(read(whole));
  expect(withoutWall(out)).toEqual(withoutWall(whole));
  expect(read(out, 'summary.json')).toBe(summaryText);
  const { sessions: merged, ...config } = JSON.parse(read(out, 'config.json')) as Config;
  const { sessions: _, ...wanted } = JSON.parse(read(whole, 'config.json')) as Config;
  expect(config).toEqual(wanted);
  expect(merged).toHaveLength(3);
  expect(summary.wall).toMatchObject({ episodes: 16, adapter: 'CPU reference' });
  expect(await verifyRun(out, openReference, silent)).toMatchObject({ episodes: 16, mismatches: [] });
});

test('a merge that was cut off is continued, and one that is complete is shown', async () => {
  const out = newPath();
  const { summaryText } = await mergeRuns(shards, out);
  truncateSync(join(out, 'episodes.jsonl'), 3000);
  await mergeRuns(shards, out);
  expect(read(out)).toBe(read(whole));
  expect((await mergeRuns(shards, out)).summaryText).toBe(read(out, 'summary.json'));
  expect(summaryText).toContain('"conditions"');
});

test('a shard that was killed and continued merges like any other', async () => {
  const shard = copyOf(shards[0]!);
  truncateSync(join(shard, 'episodes.jsonl'), read(shard).length - 10);
  await expect(mergeRuns([shard, shards[1]!, shards[2]!], newPath())).rejects.toThrow(
    /found [45] of [56] episodes and a line that is cut off, allowed is a shard that is finished/,
  );
  await runSmall(shard, { ...sweep, shard: '0/3' });
  const out = newPath();
  await mergeRuns([shard, shards[1]!, shards[2]!], out);
  expect(read(out)).toBe(read(whole));
});

test.each<[string, () => Promise<string[]> | string[], RegExp]>([
  ['none', () => [], /merge: found no folders/],
  ['a missing one', () => [shards[0]!, shards[2]!], /found 2 of 3 shards, without 1\/3; allowed are all/],
  [
    'one twice',
    () => [shards[0]!, shards[0]!, shards[1]!, shards[2]!],
    /found shard 0\/3, which .* is too, allowed is each/,
  ],
  ['a run that is not split', () => [whole], /found a run that is not split, allowed is shards of one run/],
  [
    'a shard of another count',
    async () => {
      const other = newPath();
      await runSmall(other, { ...sweep, shard: '1/2' });
      return [shards[0]!, other, shards[2]!];
    },
    /found shard 1\/2, allowed is shards of 3/,
  ],
  [
    'a shard of another plan',
    async () => {
      const other = newPath();
      await runSmall(other, { ...sweep, maxDecisions: '4', shard: '1/3' });
      return [shards[0]!, other, shards[2]!];
    },
    /found a shard of another run \(plan.maxDecisions is 4, in .* 5\)/,
  ],
  [
    'a shard of another version',
    () => {
      const other = copyOf(shards[1]!);
      const text = read(other, 'config.json').replace(/"rtsafe": "[^"]+"/, '"rtsafe": "0.0.9"');
      writeFileSync(join(other, 'config.json'), text);
      return [shards[0]!, other, shards[2]!];
    },
    /found a shard of another run \(simulator.rtsafe is "0.0.9", in .*\)/,
  ],
  [
    'a shard with a line of another one',
    () => {
      const other = copyOf(shards[1]!);
      writeFileSync(join(other, 'episodes.jsonl'), `${read(other)}${read(shards[0]!).split('\n')[0]}\n`);
      return [shards[0]!, other, shards[2]!];
    },
    /line \d+: found the episode .*, allowed is an episode that config.json plans/,
  ],
  [
    'a damaged shard',
    () => {
      const other = copyOf(shards[1]!);
      writeFileSync(join(other, 'episodes.jsonl'), read(other).replace('"seed":0', '"seed":-1'));
      return [shards[0]!, other, shards[2]!];
    },
    /line 1: seed: found -1, allowed is/,
  ],
  [
    'a shard with a damaged summary',
    () => {
      const other = copyOf(shards[1]!);
      writeFileSync(join(other, 'summary.json'), read(other, 'summary.json').slice(0, -99));
      return [shards[0]!, other, shards[2]!];
    },
    /summary.json: found text that is not JSON/,
  ],
  ['a folder that is no run', () => [newPath()], /config.json: found no such file/],
])('%s: one line, nothing written', async (_, folders, message) => {
  const out = newPath();
  const merging = mergeRuns(await folders(), out);
  await expect(merging).rejects.toThrow(UsageError);
  await expect(merging).rejects.toThrow(message);
  await expect(merging).rejects.toThrow(/^[^\n]*$/);
  expect(existsSync(out)).toBe(false);
});

test('nothing is overwritten: a folder of another run, of a shard, or of something else', async () => {
  const before = read(shards[0]!);
  await expect(mergeRuns(shards, shards[0]!)).rejects.toThrow(/found another run \(shard is /);
  expect(read(shards[0]!)).toBe(before);
  const other = newPath();
  mkdirSync(other);
  writeFileSync(join(other, 'notes.txt'), 'mine');
  await expect(mergeRuns(shards, other)).rejects.toThrow(/holds "notes.txt" but no run/);
});
