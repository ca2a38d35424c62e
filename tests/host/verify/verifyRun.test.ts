// Verification passes on every run and names the one thing that was changed.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { RunError, UsageError } from '../../../src/host/errors.ts';
import type { EpisodeRecord } from '../../../src/host/records/episodeRecord.ts';
import { loadBundledScene } from '../../../src/host/scenes/load.ts';
import { mismatchText } from '../../../src/host/verify/verifyEpisodes.ts';
import { verifyRun } from '../../../src/host/verify/verifyRun.ts';
import { openReference } from '../run/referenceSimulator.ts';
import { newPath, runSmall, silent } from '../run/testRun.ts';

const folder = newPath();
const path = join(folder, 'episodes.jsonl');
let intact: string;
let intactSummary: string;

function verify(of = folder) {
  return verifyRun(of, openReference, silent);
}

beforeAll(async () => {
  await runSmall(folder);
  intact = readFileSync(path, 'utf8');
  intactSummary = readFileSync(join(folder, 'summary.json'), 'utf8');
});

beforeEach(() => {
  writeFileSync(path, intact);
  writeFileSync(join(folder, 'summary.json'), intactSummary);
});

function changeEpisode(place: number, change: (record: EpisodeRecord) => void): void {
  const lines = intact.trimEnd().split('\n');
  const record = JSON.parse(lines[place]!) as EpisodeRecord;
  change(record);
  lines[place] = JSON.stringify(record);
  writeFileSync(path, `${lines.join('\n')}\n`);
}

test('an intact run', async () => {
  const verified = await verify();
  expect(verified).toMatchObject({
    episodes: 4,
    plannedEpisodes: 4,
    mismatches: [],
    summaryMismatch: undefined,
  });
  expect(verified.decisions).toBe(
    intact
      .trimEnd()
      .split('\n')
      .reduce((sum, line) => sum + (JSON.parse(line) as EpisodeRecord).decisions, 0),
  );
});

test('a run without an episode is not verified, as there is no report of it', async () => {
  const refused = new UsageError(`${folder}: found no finished episode, allowed is a run with one or more`);
  writeFileSync(path, '');
  await expect(verify()).rejects.toThrow(refused);
  rmSync(path);
  await expect(verify()).rejects.toThrow(refused);
});

test.each([
  ['cut off', (text: string) => text.slice(0, 200), /found text that is not JSON/],
  ['empty', () => '', /found nothing/],
  ['null', () => 'null', /the whole file: found null, allowed is the summary.json of a run/],
  ['of another kind', () => '{"conditions": []}', /format: found nothing, allowed is "rtsafe-summary"/],
])('a summary that is %s is refused, with what to do', async (_, damage, message) => {
  writeFileSync(join(folder, 'summary.json'), damage(intactSummary));
  await expect(verify()).rejects.toThrow(UsageError);
  await expect(verify()).rejects.toThrow(message);
  await expect(verify()).rejects.toThrow(/summary\.json: [^\n]*without this file, [^\n]* makes it again/);
});

test.each<[string, number, number | null, string, (record: EpisodeRecord) => void]>([
  [
    'an action',
    2,
    3,
    'clockSeconds|xCm|yCm|stateHash|headingDegrees',
    ({ trace }) => Object.assign(trace[2]!.action, { type: 'wait', param: 1 }),
  ],
  ['a latency, real-time', 2, 3, 'clockSeconds', ({ trace }) => (trace[2]!.latencySeconds += 0.01)],
  ['a latency, static', 0, 3, 'stateHash', ({ trace }) => (trace[2]!.latencySeconds += 0.01)],
  [
    'a latency between centiseconds',
    0,
    1,
    'latencySeconds',
    ({ trace }) => (trace[0]!.latencySeconds += 0.001),
  ],
  ['a hash', 3, 1, 'stateHash', ({ trace }) => (trace[0]!.stateHash = '00000000')],
  ['a pose', 1, 2, 'xCm', ({ trace }) => (trace[1]!.xCm += 1 / 16)],
  [
    'an event',
    1,
    4,
    'events\\[\\d+\\]',
    ({ trace }) => trace[3]!.events.push({ kind: 'hazard', type: 'oil', count: 1 }),
  ],
  ['a trace cut short', 0, null, 'trace', (record) => record.trace.pop()],
  ['a trace cut to nothing', 0, 1, 'trace', (record) => (record.trace = [])],
  ['a trace too long', 0, null, 'trace', ({ trace }) => trace.push({ ...trace[0]! })],
  ['an outcome', 0, null, 'outcome', (record) => (record.outcome = 'vehicle-collision')],
  ['a counter', 1, null, 'contacts.human.active', ({ contacts }) => (contacts.human.active += 1)],
  ['a metric', 1, null, 'ste', (record) => (record.ste += 1)],
  ['a length', 1, null, 'routeLengthCm', (record) => (record.routeLengthCm += 1)],
])('%s that was changed is named', async (_, place, decision, field, change) => {
  changeEpisode(place, change);
  const { mismatches, summaryMismatch } = await verify();
  expect(mismatches).toHaveLength(1);
  const names = ['static rt-safe', 'static rt-safe', 'realtime rt-safe', 'realtime rt-safe'];
  const text = mismatchText(mismatches[0]!);
  expect(text).toContain(`easy ${names[place]} seed 0 greedy lognormal:2,0.5`);
  expect(text).toMatch(/^rt1[02]:[08] .*: recorded .*, simulated .*$/);
  if (decision !== null) expect(mismatches[0]!.decision).toBe(decision);
  expect(mismatches[0]!.field).toMatch(new RegExp(`^(${field})`));
  // The recorded totals of a changed metric no longer give the recorded summary either.
  expect(summaryMismatch === undefined || summaryMismatch.includes('summary.json: conditions[')).toBe(true);
});

test('a summary that is not that of the episodes is named', async () => {
  writeFileSync(join(folder, 'summary.json'), intactSummary.replace(/"spl": [\d.]+/, '"spl": 0.123'));
  const { mismatches, summaryMismatch } = await verify();
  expect(mismatches).toEqual([]);
  expect(summaryMismatch).toMatch(/summary.json: conditions\[0\].spl: recorded 0.123, from the episodes/);
});

test('a cut-off run is verified as far as it got', async () => {
  writeFileSync(path, `${intact.split('\n')[0]}\n`);
  rmSync(join(folder, 'summary.json'));
  const verified = await verify();
  expect(verified).toMatchObject({ episodes: 1, plannedEpisodes: 4, mismatches: [] });
});

test.each([
  ['a torn line', () => intact.slice(0, -10), /line 4: found a line that is cut off/],
  ['no JSON', () => `${intact}{"map"\n`, /line 5: found text that is not JSON/],
  ['a line twice', () => `${intact}${intact.split('\n')[0]}\n`, /line 5: found the episode .* again/],
  [
    'an action that does not exist',
    () => intact.replace('"param":5', '"param":8'),
    /line 1: trace\[\d+\].action.param: found 8/,
  ],
])('a damaged file is named: %s', async (_, damaged, message) => {
  writeFileSync(path, damaged());
  await expect(verify()).rejects.toThrow(UsageError);
  await expect(verify()).rejects.toThrow(message);
});

test('what is no run is refused', async () => {
  await expect(verify('/no/such/folder')).rejects.toThrow(UsageError);
  await expect(verify(mkdtempSync(join(tmpdir(), 'rtsafe-empty-')))).rejects.toThrow(
    /config.json: found no such file/,
  );
});

test('another scene or profile is named', async () => {
  const other = newPath();
  await runSmall(other, { routes: 'rt12:8', mode: 'static' });
  const configPath = join(other, 'config.json');
  const config = readFileSync(configPath, 'utf8');
  for (const [list, what] of [
    ['scenes', 'scene rt12'],
    ['profiles', 'profile rt-safe'],
  ] as const) {
    const changed = JSON.parse(config) as Record<typeof list, { hash: string }[]>;
    changed[list][0]!.hash = '0'.repeat(64);
    writeFileSync(configPath, JSON.stringify(changed));
    await expect(verify(other)).rejects.toThrow(RunError);
    await expect(verify(other)).rejects.toThrow(`the ${what} is not the one of the run: recorded hash 0000`);
  }
});

test('a run on a scene file can be verified when the file is gone', async () => {
  const scenePath = newPath('mine.json');
  writeFileSync(scenePath, JSON.stringify({ ...loadBundledScene('rt12'), name: 'mine' }));
  const own = newPath();
  await runSmall(own, { routes: `${scenePath}:8` });
  writeFileSync(scenePath, '');
  expect(await verify(own)).toMatchObject({ episodes: 2, mismatches: [] });
});
