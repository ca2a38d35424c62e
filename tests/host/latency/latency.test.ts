// Latencies: what each name charges, how the lognormal is distributed, replay from files, and every kind of bad input.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { EpisodeIdentity } from '../../../src/host/episodes/episodeIdentity.ts';
import { UsageError } from '../../../src/host/errors.ts';
import { inverseNormal } from '../../../src/host/latency/inverseNormal.ts';
import { parseLatency } from '../../../src/host/latency/parseLatency.ts';
import type { EpisodeRecord } from '../../../src/host/records/episodeRecord.ts';
import { makeDecision, makeEpisode } from '../records/makeEpisode.ts';
import { writeRun } from '../records/writeRun.ts';

const folder = mkdtempSync(join(tmpdir(), 'rtsafe-latency-'));
afterAll(() => rmSync(folder, { recursive: true }));

const episode: EpisodeIdentity = { map: 'rt10', route: 0, seed: 0, difficulty: 'hard', mode: 'realtime' };

function draws(name: string, count: number, of: EpisodeIdentity = episode): number[] {
  const latency = parseLatency(name);
  return Array.from({ length: count }, (_, index) => latency.draw(of, index + 1));
}

test.each([
  ['none', 'none', 0],
  ['fixed:0', 'fixed:0', 0],
  ['fixed:3', 'fixed:3', 300],
  ['fixed:3.0', 'fixed:3', 300],
  ['fixed:.125', 'fixed:0.13', 13],
  [' fixed: 0.5 ', 'fixed:0.5', 50],
  ['fixed:3600', 'fixed:3600', 360_000],
  ['lognormal:2,0', 'lognormal:2,0', 200],
  ['lognormal:0,1', 'lognormal:0,1', 0],
])('%s', (text, name, centiseconds) => {
  expect(parseLatency(text).name).toBe(name);
  expect(draws(text, 3)).toEqual([centiseconds, centiseconds, centiseconds]);
});

test.each([
  [0.5, 0],
  [0.6, 0.2533471031357998],
  [0.9, 1.2815515655446004],
  [0.975, 1.959963984540054],
  [0.999, 3.0902323061678136],
  [1e-5, -4.264890793922825],
  [1e-10, -6.361340902404056],
  [1e-300, -37.0470962993612],
])('inverseNormal(%f)', (probability, z) => {
  expect(inverseNormal(probability)).toBeCloseTo(z, 12);
  if (probability > 1e-6) expect(inverseNormal(1 - probability)).toBeCloseTo(-z, 9);
});

describe('lognormal', () => {
  const draw = 'lognormal:7.7,0.4';

  test('median, sigma and share beyond one sigma are those asked for', () => {
    const logs = draws(draw, 40_000).map((centiseconds) => Math.log(centiseconds / 100));
    const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
    const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / logs.length;
    expect(Math.abs(mean - Math.log(7.7))).toBeLessThan(0.01);
    expect(Math.abs(Math.sqrt(variance) - 0.4)).toBeLessThan(0.01);
    const above = logs.filter((log) => log > Math.log(7.7) + 0.4).length / logs.length;
    expect(Math.abs(above - 0.1587)).toBeLessThan(0.01);
    expect(logs.toSorted((first, second) => first - second)[logs.length / 2]).toBeCloseTo(Math.log(7.7), 1);
  });

  test('a draw depends on seed, map, route and decision, and on nothing else', () => {
    const expected = draws(draw, 50);
    expect(expected.slice(0, 5)).toEqual(knownDraws);
    expect(draws(draw, 50)).toEqual(expected);
    expect(parseLatency(draw).draw(episode, 37)).toBe(expected[36]);
    expect(draws(draw, 50, { ...episode, mode: 'static', difficulty: 'easy' })).toEqual(expected);
    for (const other of [{ seed: 1 }, { map: 'rt12' }, { route: 1 }]) {
      expect(draws(draw, 50, { ...episode, ...other })).not.toEqual(expected);
    }
    expect(new Set(expected).size).toBeGreaterThan(40);
  });

  test('is capped at an hour', () => {
    expect(Math.max(...draws('lognormal:3600,10', 20))).toBe(360_000);
    expect(draws('lognormal:3600,10', 200).every((value) => value >= 0 && value <= 360_000)).toBe(true);
  });
});

/** What `lognormal:7.7,0.4` charges in the first decisions of rt10:0, seed 0: pinned, so that no release changes it. */
const knownDraws = [507, 1188, 478, 529, 603];

test.each([
  '',
  'None',
  'none:1',
  'fixed',
  'fixed:',
  'fixed:-1',
  'fixed:NaN',
  'fixed:Infinity',
  'fixed:1e3',
  'fixed:3600.1',
  'fixed:3s',
  'lognormal:1',
  'lognormal:1,2,3',
  'lognormal:-1,0.5',
  'lognormal:1,11',
  'lognormal:1,x',
  'trace',
  'trace:',
  'measured:1',
  'stand-in:sol',
])('"%s" is refused in one line', (text) => {
  expect(() => parseLatency(text)).toThrow(UsageError);
  expect(() => parseLatency(text)).toThrow(/^.*found .*, allowed is .*$/);
});

test('an unknown latency lists what is allowed', () => {
  const message =
    '--latency: found "quick", allowed is none, fixed:<s>, measured, tokens:<s per token>,<s>, lognormal:<median>,<sigma>, stand-in or trace:<file>';
  expect(() => parseLatency('quick')).toThrow(message);
});

function writeList(text: string): string {
  const file = join(folder, 'list.json');
  writeFileSync(file, text);
  return `trace:${file}`;
}

function recorded(changes: Partial<EpisodeRecord>, ...latencies: number[]): EpisodeRecord {
  return makeEpisode({
    ...changes,
    trace: latencies.map((latencySeconds) => makeDecision({ latencySeconds })),
  });
}

describe('trace', () => {
  test('a list of seconds starts over at its end', () => {
    const name = writeList('\n [1, 2.345,\n 0]');
    expect(draws(name, 5)).toEqual([100, 235, 0, 100, 235]);
    expect('checkEpisodes' in parseLatency(name)).toBe(false);
  });

  test.each([
    ['[]', 'the whole file: found []'],
    ['[1, -2]', '[1]: found -2, allowed is a number of seconds from 0 to 3600'],
    ['[1, "2"]', '[1]: found "2"'],
    ['[1,', 'found text that is not JSON'],
    ['[3601]', '[0]: found 3601'],
  ])('a bad list %s', (text, message) => {
    const name = writeList(text);
    expect(() => parseLatency(name)).toThrow(message);
    expect(() => parseLatency(name)).toThrow(UsageError);
  });

  test('a run gives each episode its own latencies, from the folder or its file', () => {
    const name = `trace:${writeRun(folder, 'run', [
      recorded({}, 1, 2, 3),
      recorded({ seed: 1 }, 4),
      recorded({ route: 1 }, 5, 6),
    ])}`;
    for (const path of [name, `${name}/episodes.jsonl`]) {
      expect(draws(path, 4)).toEqual([100, 200, 300, 100]);
      expect(draws(path, 2, { ...episode, seed: 1 })).toEqual([400, 400]);
      expect(draws(path, 2, { ...episode, route: 1 })).toEqual([500, 600]);
    }
  });

  test('of several recordings the nearest is taken', () => {
    const name = `trace:${writeRun(folder, 'several', [
      recorded({ mode: 'static' }, 1),
      recorded({ mode: 'realtime' }, 2),
      recorded({ mode: 'static', difficulty: 'easy' }, 3),
    ])}`;
    expect(draws(name, 1)).toEqual([200]);
    expect(draws(name, 1, { ...episode, mode: 'static' })).toEqual([100]);
    expect(draws(name, 1, { ...episode, difficulty: 'easy' })).toEqual([300]);
  });

  test('what is missing or ambiguous is refused before the run and at the draw', () => {
    const name = `trace:${writeRun(folder, 'ambiguous', [recorded({}, 1), recorded({ policy: 'wait' }, 2)])}`;
    const latency = parseLatency(name);
    expect(() => latency.draw(episode, 1)).toThrow(/found 2 episodes rt10:0 hard realtime seed 0/);
    const other = { ...episode, route: 7 };
    expect(() => latency.checkEpisodes!([other])).toThrow(/found no episode rt10:7 hard realtime seed 0/);
    expect(() => latency.checkEpisodes!([other])).toThrow(UsageError);
  });

  test('a missing or damaged run is named', () => {
    expect(() => parseLatency(`trace:${join(folder, 'none')}`)).toThrow(UsageError);
    const file = join(folder, 'damaged.jsonl');
    writeFileSync(file, '{"map": 1}\n');
    expect(() => parseLatency(`trace:${file}`)).toThrow(/damaged\.jsonl: line 1: /);
  });
});
