// Runs from options to records: what is written does not depend on batch size, order or interruption.
import { EventEmitter, once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { counted } from '../../../src/host/counted.ts';
import { UsageError } from '../../../src/host/errors.ts';
import { readEpisodes } from '../../../src/host/records/readEpisodes.ts';
import { episodesName } from '../../../src/host/records/runFolder.ts';
import { executeRun, type OpenSimulator } from '../../../src/host/run/executeRun.ts';
import { prepareRun } from '../../../src/host/run/prepareRun.ts';
import { openReference } from './referenceSimulator.ts';
import { newPath, runSmall, silent, smallRun } from './testRun.ts';

function episodesText(folder: string): string {
  return readFileSync(join(folder, episodesName), 'utf8');
}

let wholeRun: Promise<string> | undefined;

/** The lines of `smallRun` when nothing comes in between. */
function uninterrupted(): Promise<string> {
  wholeRun ??= (async () => {
    const folder = newPath();
    await runSmall(folder);
    return episodesText(folder);
  })();
  return wholeRun;
}

/** A simulator that breaks down after so many rounds. */
function failingAfter(rounds: number): OpenSimulator {
  return async (runWorld, environments) => {
    const opened = await openReference(runWorld, environments);
    const { simulator } = opened;
    const advance = simulator.advance.bind(simulator);
    let done = 0;
    simulator.advance = () => {
      if (++done > rounds) throw new Error('the GPU is gone');
      return advance();
    };
    return opened;
  };
}

test('a run writes one line per episode in the order of the plan, and what the clock says adds up', async () => {
  const folder = newPath();
  const { summary, summaryText } = await runSmall(folder);
  expect(readdirSync(folder).sort()).toEqual(['config.json', 'episodes.jsonl', 'summary.json']);
  expect(readFileSync(join(folder, 'summary.json'), 'utf8')).toBe(summaryText);
  const records = [...readEpisodes(join(folder, episodesName))];
  expect(records.map(({ mode, map, route }) => `${mode} ${map}:${route}`)).toEqual([
    'static rt10:0',
    'static rt12:8',
    'realtime rt10:0',
    'realtime rt12:8',
  ]);
  expect(summary.conditions.map(({ mode, episodes }) => [mode, episodes])).toEqual([
    ['static', 2],
    ['realtime', 2],
  ]);
  for (const record of records) {
    expect(record.trace).toHaveLength(record.decisions);
    expect(record.decisions).toBeLessThanOrEqual(6);
    const latency = record.trace.reduce((sum, decision) => sum + decision.latencySeconds, 0);
    expect(record.exposureSeconds).toBeCloseTo(latency, 9);
    expect(record.simSeconds).toBe(record.trace.at(-1)!.clockSeconds);
    expect(record.finalStateHash).toBe(record.trace.at(-1)!.stateHash);
    for (const kind of ['contact', 'incident'] as const) {
      const traced = record.trace
        .flatMap(({ events }) => events)
        .filter((event) => event.kind === kind)
        .reduce((sum, { count }) => sum + count, 0);
      const total = Object.values(record[`${kind}s`]).reduce(
        (sum, { active, passive }) => sum + active + passive,
        0,
      );
      expect(traced).toBe(total);
    }
  }
});

test('latencies are the same in both modes: comparisons are matched', async () => {
  const folder = newPath();
  await runSmall(folder);
  const [first, , third] = [...readEpisodes(join(folder, episodesName))];
  const both = Math.min(first!.decisions, third!.decisions);
  const latencies = (record: typeof first) =>
    record!.trace.slice(0, both).map(({ latencySeconds }) => latencySeconds);
  expect(latencies(first)).toEqual(latencies(third));
  expect(first!.trace[0]!.clockSeconds).toBeLessThan(third!.trace[0]!.clockSeconds);
});

test.each(['1', '2', '3', '4096'])('the bytes do not depend on the batch: --envs %s', async (envs) => {
  const folder = newPath();
  await runSmall(folder, { envs });
  expect(episodesText(folder)).toBe(await uninterrupted());
});

test('a run that is complete is not run again', async () => {
  const folder = newPath();
  const first = await runSmall(folder);
  const again = await runSmall(folder, {}, () => {
    throw new Error('the GPU must not be opened');
  });
  expect(again.summaryText).toBe(first.summaryText);
});

test('a run that is complete but for a readable summary is refused by name, and makes it again without the file', async () => {
  const folder = newPath();
  const { summary } = await runSmall(folder);
  const path = join(folder, 'summary.json');
  for (const damaged of [readFileSync(path, 'utf8').slice(0, -99), 'null']) {
    writeFileSync(path, damaged);
    await expect(runSmall(folder)).rejects.toThrow(UsageError);
    await expect(runSmall(folder)).rejects.toThrow(/summary\.json: .*without this file/);
    expect(readFileSync(path, 'utf8')).toBe(damaged);
  }
  rmSync(path);
  expect((await runSmall(folder)).summary.conditions).toEqual(summary.conditions);
});

test('a run that broke down is continued, and ends with the same bytes', async () => {
  const folder = newPath();
  for (const rounds of [3, 8, 0]) {
    await expect(runSmall(folder, { envs: '1' }, failingAfter(rounds))).rejects.toThrow('the GPU is gone');
  }
  expect(episodesText(folder).split('\n').length).toBeGreaterThan(1);
  await runSmall(folder);
  expect(episodesText(folder)).toBe(await uninterrupted());
  const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as { sessions: unknown[] };
  expect(config.sessions).toHaveLength(4);
});

test('a torn last line is cut off, and lines in another order are put in order', async () => {
  const folder = newPath();
  const text = await uninterrupted();
  await runSmall(folder);
  const path = join(folder, episodesName);
  const lines = text.trimEnd().split('\n');
  for (const cut of [1, 100, lines[3]!.length, lines[3]!.length + 2]) {
    writeFileSync(path, text);
    truncateSync(path, text.length - cut);
    const notes: string[] = [];
    const noting = { ...silent, note: (line: string) => notes.push(line) };
    await executeRun(await prepareRun(smallRun), folder, openReference, noting);
    const bytes = text.slice(0, -cut).split('\n').at(-1)!.length;
    expect(notes).toEqual([
      `${path}: the last episode was cut off while it was written: ${counted(bytes, 'byte')} dropped`,
    ]);
    expect(episodesText(folder)).toBe(text);
  }
  writeFileSync(path, `${[lines[2], lines[0]].join('\n')}\n`);
  await runSmall(folder);
  expect(episodesText(folder)).toBe(text);
});

test.each([
  ['garbage', () => 'not json', /line 2: found text that is not JSON/],
  [
    'an episode of another run',
    (line: string) => line.replace('"seed":0', '"seed":9'),
    /line 2: found the episode .* seed 9/,
  ],
  [
    'a missing member',
    (line: string) => line.replace('"decisions"', '"decision"'),
    /line 2: decisions: found nothing/,
  ],
])('a damaged line is named and nothing is overwritten: %s', async (_, damage, message) => {
  const folder = newPath();
  await runSmall(folder);
  const path = join(folder, episodesName);
  const lines = episodesText(folder).split('\n');
  lines[1] = damage(lines[1]!);
  writeFileSync(path, lines.join('\n'));
  await expect(runSmall(folder)).rejects.toThrow(UsageError);
  await expect(runSmall(folder)).rejects.toThrow(message);
  expect(episodesText(folder)).toBe(lines.join('\n'));
});

test('a line twice is named', async () => {
  const folder = newPath();
  await runSmall(folder);
  const lines = episodesText(folder).split('\n');
  writeFileSync(join(folder, episodesName), [lines[0], lines[0], ''].join('\n'));
  await expect(runSmall(folder)).rejects.toThrow(/line 2: found the episode .* again/);
});

test.each([
  ['seeds', { seeds: '0..1' }],
  ['latency', { latency: 'fixed:1' }],
  ['maxDecisions', { maxDecisions: '7' }],
  ['without', { without: 'dogs' }],
  ['difficulty', { difficulty: 'hard' }],
  ['profile', { profile: 'strict' }],
])('a folder of another run is refused: %s', async (_, changes) => {
  const folder = newPath();
  await runSmall(folder);
  const before = episodesText(folder);
  await expect(runSmall(folder, changes)).rejects.toThrow(UsageError);
  await expect(runSmall(folder, changes)).rejects.toThrow(
    /found another run \([a-z]+\.\w+ is .*\), allowed is/,
  );
  expect(episodesText(folder)).toBe(before);
});

test('a file, a folder with other things in it and a path that cannot be made are refused', async () => {
  const file = newPath();
  writeFileSync(file, 'mine');
  await expect(runSmall(file)).rejects.toThrow(/found a file, allowed is a folder/);
  await expect(runSmall(join(file, 'below'))).rejects.toThrow(UsageError);
  expect(readFileSync(file, 'utf8')).toBe('mine');
  await expect(runSmall('/proc/no-such-folder/run')).rejects.toThrow(UsageError);
  const folder = newPath();
  mkdirSync(folder);
  writeFileSync(join(folder, 'thesis.tex'), 'mine');
  await expect(runSmall(folder)).rejects.toThrow(/holds "thesis.tex" but no run/);
  expect(readdirSync(folder)).toEqual(['thesis.tex']);
});

test('a folder made for a run that could not start is removed again', async () => {
  const folder = newPath();
  await expect(
    runSmall(folder, {}, () => Promise.reject(new UsageError('--adapter: there is none'))),
  ).rejects.toThrow('--adapter');
  expect(existsSync(folder)).toBe(false);
  expect(existsSync(dirname(folder))).toBe(true);
});

test('two runs on one folder at once: the second is refused', async () => {
  const folder = newPath();
  const prepared = await prepareRun(smallRun);
  const events = new EventEmitter();
  const opened = once(events, 'opened');
  const released = once(events, 'released');
  const first = executeRun(
    prepared,
    folder,
    async (runWorld, environments) => {
      events.emit('opened');
      await released;
      return openReference(runWorld, environments);
    },
    silent,
  );
  await opened;
  await expect(runSmall(folder)).rejects.toThrow(/being written by process/);
  events.emit('released');
  await first;
  expect(episodesText(folder)).toBe(await uninterrupted());
});

test('difficulties are nested and modes matched: the same people start at the same places', async () => {
  const { runWorld, plan } = await prepareRun({ ...smallRun, difficulty: 'easy,hard' });
  const seeds = new Set(
    Array.from({ length: plan.size }, (_, index) => plan.at(index))
      .filter(({ map }) => map === 'rt10')
      .map((episode) => runWorld.start(episode).seed),
  );
  expect(seeds.size).toBe(1);
});
