// Damaged and mixed records are named and refused, or left out and counted: never averaged in.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { UsageError } from '../../../src/host/errors.ts';
import { summarise } from '../../../src/host/metrics/summarise.ts';
import { RecordedRun } from '../../../src/host/records/recordedRun.ts';
import { runIdentity } from '../../../src/host/records/runConfig.ts';
import { newPath, runSmall } from '../run/testRun.ts';

const folder = newPath();
const path = join(folder, 'episodes.jsonl');
let intact: string;
let config: string;

beforeAll(async () => {
  await runSmall(folder, { maxDecisions: '3' });
  intact = readFileSync(path, 'utf8');
  config = readFileSync(join(folder, 'config.json'), 'utf8');
});

beforeEach(() => {
  writeFileSync(path, intact);
  writeFileSync(join(folder, 'config.json'), config);
});

function run(): RecordedRun {
  return RecordedRun.read(folder);
}

test('an intact run', () => {
  expect(run().extent()).toEqual({ episodes: 4, plannedEpisodes: 4, cutOffLines: 0 });
  expect(summarise(run().episodes()).map(({ episodes }) => episodes)).toEqual([2, 2]);
});

test('a last line that was cut off is left out and counted', () => {
  for (const cut of [1, 50, intact.trimEnd().length - intact.trimEnd().lastIndexOf('\n') - 1]) {
    writeFileSync(path, intact.slice(0, -cut));
    expect(run().extent()).toEqual({ episodes: 3, plannedEpisodes: 4, cutOffLines: 1 });
    expect([...run().episodes()]).toHaveLength(3);
    expect(() => RecordedRun.read(folder, 'whole').extent()).toThrow(/line 4: found a line that is cut off/);
  }
});

test('a run that was killed before its first episode ended has none', () => {
  rmSync(path);
  expect(run().extent()).toEqual({ episodes: 0, plannedEpisodes: 4, cutOffLines: 0 });
});

function lines(): string[] {
  return intact.trimEnd().split('\n');
}

test.each<[string, () => Promise<string[]> | string[], RegExp]>([
  [
    'a line cut off in the middle of the file',
    () => lines().map((line, place) => (place === 1 ? line.slice(0, 200) : line)),
    /line 2: found text that is not JSON/,
  ],
  [
    'two lines in one',
    () => [lines()[0]! + lines()[1]!, ...lines().slice(2)],
    /line 1: found text that is not JSON/,
  ],
  [
    'a run of another plan in the same folder',
    async () => {
      const other = newPath();
      await runSmall(other, { maxDecisions: '3', latency: 'fixed:1' });
      return [...lines(), readFileSync(join(other, 'episodes.jsonl'), 'utf8').trimEnd()];
    },
    /line 5: found an episode of another run or version \([0-9a-f]{16}\), allowed is episodes of the run in config.json/,
  ],
  [
    'the same plan computed by another version',
    () => [...lines().slice(0, 3), lines()[3]!.replace(/"run":"[0-9a-f]{16}"/, '"run":"00000000deadbeef"')],
    /line 4: found an episode of another run or version \(00000000deadbeef\)/,
  ],
  [
    'an episode that was not planned',
    () => [...lines().slice(0, 3), lines()[3]!.replace('"seed":0', '"seed":7')],
    /line 4: found the episode rt12:8 easy realtime rt-safe seed 7 .*, allowed is an episode that config.json plans/,
  ],
  [
    'the same run twice',
    () => [...lines(), ...lines()],
    /line 5: found the episode .* again, allowed is each episode once/,
  ],
  [
    'a line of an older format',
    () => [...lines().slice(0, 3), lines()[3]!.replace(/"netProgressCm":[^,]+,/, '')],
    /line 4: netProgressCm: found nothing, allowed is a number/,
  ],
])('%s is refused by name', async (_, damaged, message) => {
  writeFileSync(path, `${(await damaged()).join('\n')}\n`);
  for (const read of [() => run().extent(), () => summarise(run().episodes())]) {
    expect(read).toThrow(UsageError);
    expect(read).toThrow(message);
  }
});

test.each([
  ['another format', '"rtsafe-run"', '"rtsafe-scene"', /config.json: format: found "rtsafe-scene"/],
  [
    'a later version of the format',
    '"version": 1',
    '"version": 2',
    /config.json: version: found 2, allowed is 1/,
  ],
])('a config.json of %s is refused', (_, text, other, message) => {
  writeFileSync(join(folder, 'config.json'), config.replace(text, other));
  expect(run).toThrow(message);
});

test('a config.json of another version does not fit the lines', () => {
  writeFileSync(join(folder, 'config.json'), config.replace(/"rtsafe": "[^"]+"/, '"rtsafe": "0.0.9"'));
  expect(() => run().extent()).toThrow(/line 1: found an episode of another run or version/);
});

test("a run's identity is that of its plan, whichever shard, session or package of WebGPU", () => {
  const { config: own } = run();
  const identity = runIdentity(own);
  expect(identity).toMatch(/^[0-9a-f]{16}$/);
  expect(runIdentity({ ...own, sessions: [], shard: { index: 0, of: 2 } })).toBe(identity);
  expect(runIdentity({ ...own, simulator: { ...own.simulator, webgpu: '9.9.9' } })).toBe(identity);
  for (const other of [
    { ...own, plan: { ...own.plan, seeds: [1] } },
    { ...own, simulator: { ...own.simulator, shaders: 'f'.repeat(64) } },
    { ...own, profiles: own.profiles.map((profile) => ({ ...profile, hash: 'f'.repeat(64) })) },
  ]) {
    expect(runIdentity(other)).not.toBe(identity);
  }
});
