// A sweep is a run with a larger grid: each of its episodes is that of a run of one condition, whatever shares the batch.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../../src/host/errors.ts';
import type { EpisodeRecord } from '../../../src/host/records/episodeRecord.ts';
import { inGridFile, readGridFile } from '../../../src/host/run/gridFile.ts';
import { splitForms } from '../../../src/host/run/optionLists.ts';
import { prepareRun, type RunOptions } from '../../../src/host/run/prepareRun.ts';
import { openReference, type ReferenceSimulator } from './referenceSimulator.ts';
import { newPath, runSmall, smallRun } from './testRun.ts';

const axes = {
  latency: ['fixed:0', 'lognormal:2,0.5', 'fixed:7'],
  policy: ['greedy', 'wait'],
  profile: ['rt-safe', 'strict'],
};

function listed(): Partial<RunOptions> {
  return Object.fromEntries(Object.entries(axes).map(([name, list]) => [name, list.join(',')]));
}

function records(folder: string): EpisodeRecord[] {
  const text = readFileSync(join(folder, 'episodes.jsonl'), 'utf8').trimEnd();
  return text.split('\n').map((line) => JSON.parse(line) as EpisodeRecord);
}

test('the episodes of a sweep are those of runs of one condition each', async () => {
  const sweep = newPath();
  const few = { maxDecisions: '4', mode: 'realtime' };
  const { summary } = await runSmall(sweep, { ...listed(), ...few });
  const found = records(sweep);
  expect(found).toHaveLength(24);
  expect(summary.conditions).toHaveLength(12);
  const wanted: EpisodeRecord[] = [];
  for (const profile of axes.profile) {
    for (const policy of axes.policy) {
      for (const latency of axes.latency) {
        const folder = newPath();
        await runSmall(folder, { ...few, profile, policy, latency });
        wanted.push(...records(folder));
      }
    }
  }
  const { run } = found[0]!;
  expect(found).toEqual(wanted.map((record) => ({ ...record, run })));
});

test('no episode waits for another condition: the longest one alone decides the number of rounds', async () => {
  const folder = newPath();
  let simulator: ReferenceSimulator | undefined;
  await runSmall(
    folder,
    { ...listed(), mode: 'both', maxDecisions: '9', routes: 'rt12:8' },
    async (...parts) => {
      const opened = await openReference(...parts);
      simulator = opened.simulator as ReferenceSimulator;
      return opened;
    },
  );
  const decisions = records(folder).map((record) => record.decisions);
  // One more for the reset.
  expect(simulator!.rounds).toBe(Math.max(...decisions) + 1);
});

test('lists part at commas, not inside of a form with numbers', () => {
  expect(splitForms('none, fixed:0.5 ,lognormal:2,0.5,fixed:3')).toEqual([
    'none',
    'fixed:0.5',
    'lognormal:2,0.5',
    'fixed:3',
  ]);
  expect(splitForms('lognormal:2, .5')).toEqual(['lognormal:2, .5']);
  expect(splitForms('greedy,,wait')).toEqual(['greedy', '', 'wait']);
});

test('what is named twice is played once', async () => {
  const { plan } = await prepareRun({
    ...smallRun,
    latency: 'fixed:1,fixed:1.00,fixed:2',
    policy: 'greedy,greedy',
    profile: 'rt-safe,rt-safe',
    mode: 'realtime,both',
  });
  expect(plan.axes).toMatchObject({
    latencies: ['fixed:1', 'fixed:2'],
    policies: ['greedy'],
    profiles: ['rt-safe'],
    modes: ['realtime', 'static'],
  });
});

test.each<Partial<RunOptions>>([
  { latency: 'fixed:0,slow' },
  { latency: 'fixed:0,,fixed:1' },
  { latency: '1,2' },
  { policy: 'greedy,genius' },
  { profile: 'rt-safe,no-such' },
  { mode: 'static,fast' },
  { difficulty: 'hard,impossible' },
  { seeds: '0..99999', latency: 'none,fixed:1,fixed:2', routes: 'all', mode: 'both' },
  { shard: '3/3' },
  { shard: 'first' },
  { shard: '0/5' },
])('%o is refused in one line', async (changes) => {
  const preparing = prepareRun({ ...smallRun, ...changes });
  await expect(preparing).rejects.toThrow(UsageError);
  await expect(preparing).rejects.toThrow(/^[^\n]*found [^\n]*allowed [^\n]*$/);
});

test('two profiles of one name are refused, unless they are the same', async () => {
  const path = newPath('mine.json');
  const text = readFileSync('scenes/profiles/rt-safe.json', 'utf8');
  writeFileSync(path, text);
  expect((await prepareRun({ ...smallRun, profile: `rt-safe,${path}` })).plan.axes.profiles).toEqual([
    'rt-safe',
  ]);
  const changed = JSON.parse(text) as { name: string; description: string };
  writeFileSync(path, JSON.stringify({ ...changed, description: 'another one' }));
  await expect(prepareRun({ ...smallRun, profile: `rt-safe,${path}` })).rejects.toThrow(
    /--profile: found two profiles named "rt-safe" \(rt-safe and .*\), allowed is one of each name/,
  );
});

describe('grid files', () => {
  const path = newPath('grid.json');
  const write = (value: unknown) =>
    writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));

  test('texts, lists and numbers give the options of the command line', () => {
    write({
      latency: ['fixed:0', 'lognormal:2,0.5'],
      policy: 'greedy',
      seeds: [0, 1, '5..7'],
      maxDecisions: 40,
    });
    expect(readGridFile(path)).toEqual({
      latency: 'fixed:0,lognormal:2,0.5',
      policy: 'greedy',
      seeds: '0,1,5..7',
      maxDecisions: '40',
    });
    write({});
    expect(readGridFile(path)).toEqual({});
  });

  test.each<[unknown, RegExp]>([
    ['', /grid.json: found nothing, allowed is JSON$/],
    ['{"latency": [', /grid.json: found text that is not JSON/],
    [[], /grid.json: the whole file: found \[\], allowed is an object with any of the keys "latency", /],
    [{ latencies: ['none'] }, /found the unknown key "latencies", allowed is an object with any of the keys/],
    [{ latency: [] }, /grid.json: latency: found \[\], allowed is a text or a list of texts/],
    [{ latency: 3 }, /grid.json: latency: found 3, allowed is a text or a list of texts/],
    [{ policy: ['greedy', 7] }, /grid.json: policy(\[1\])?: found .*7.*, allowed is a text/],
    [{ seeds: [-1] }, /grid.json: seeds\[0\]: found -1, allowed is seeds as "0..9", or a list of them/],
    [{ maxDecisions: 'all' }, /grid.json: maxDecisions: found "all", allowed is a whole number/],
  ])('%j is refused in one line', (value, message) => {
    write(value);
    expect(() => readGridFile(path)).toThrow(UsageError);
    expect(() => readGridFile(path)).toThrow(message);
  });

  test.each([
    [{ latency: ['slow'] }, /^\S+grid.json: latency: found "slow", allowed is none/],
    [{ maxDecisions: 0 }, /^\S+grid.json: maxDecisions: found "0", allowed is a whole number from 1/],
    [{ profile: 'no-such' }, /^\S+grid.json: profile: found "no-such", allowed is/],
    [{ seeds: '9..0' }, /^\S+grid.json: seeds: found "9..0", allowed are seeds/],
  ])('%j: the file is named in place of the option', async (value, message) => {
    write(value);
    const grid = readGridFile(path);
    const error = await prepareRun({ ...smallRun, ...grid }).catch((reason: unknown) => reason);
    expect((inGridFile(path, grid, error) as Error).message).toMatch(message);
  });

  test('faults of other options keep their names', async () => {
    write({ latency: ['none'] });
    const grid = readGridFile(path);
    const error = await prepareRun({ ...smallRun, ...grid, policy: 'genius' }).catch(
      (reason: unknown) => reason,
    );
    expect(inGridFile(path, grid, error)).toBe(error);
  });
});
