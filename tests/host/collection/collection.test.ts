// A collection: what is in its datasets, that they depend on the plan alone, and what ends it early.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { prepareCollection } from '../../../src/host/collection/prepareCollection.ts';
import { type EpisodeData, makeArrays } from '../../../src/host/datasets/episodeData.ts';
import { UsageError } from '../../../src/host/errors.ts';
import { runCaptured } from '../command-line/captured.ts';
import { checkWithPython, hasPython } from '../datasets/support/python.ts';
import { readerOf, writeTruth } from '../datasets/support/syntheticEpisodes.ts';
import { type GivenEpisodes, openScripted, scriptedSteps } from './support/scriptedEnvironment.ts';
import { collectSmall, datasetFiles, newPath, silent, smallCollection } from './support/testCollection.ts';

/** The episode that the scripted environment gave, put together anew. */
async function givenEpisode(given: GivenEpisodes, index: number, observation: string): Promise<EpisodeData> {
  const prepared = await prepareCollection({ ...smallCollection, observation });
  const observed = given.get(index)!;
  const steps = observed.length - 1;
  const arrays = makeArrays(prepared.layout, steps);
  for (const [row, { state, image, step, ...infos }] of observed.entries()) {
    arrays['observations/state']?.set(state as never, row * state.length);
    arrays['observations/image']?.set(image as never, row * image.length);
    arrays['infos/clock_seconds']![row] = infos.clockCentiseconds / 100;
    arrays['infos/latency_seconds']![row] = infos.latencyCentiseconds / 100;
    (arrays['infos/state_hash'] as BigInt64Array)[row] = BigInt(infos.stateHash);
    for (const name of ['contacts', 'incidents', 'hazards', 'violations']) {
      const events = infos.events[name]!;
      arrays[`infos/${name}`]!.set(events as never, row * events.length);
    }
    arrays['infos/action_mask']!.set([1, ...infos.mask] as never, row * (1 + infos.mask.length));
    if (step === undefined) continue;
    (arrays.actions as BigInt64Array)[row - 1] = BigInt(step.action);
    arrays.rewards![row - 1] = step.reward;
    arrays.terminations![row - 1] = step.termination;
    arrays.truncations![row - 1] = step.truncation;
  }
  const { map, route, seed } = prepared.plan.at(index);
  const outcome = arrays.truncations!.includes(1 as never) ? 'decision-budget' : 'success';
  return { header: { index, steps, map, route, seed, outcome, return: 0 }, arrays };
}

test.skipIf(!hasPython).each(['state', 'state,image8'])(
  'the datasets hold what the environment gave: %s',
  async (observation) => {
    const given: GivenEpisodes = new Map();
    const folder = newPath();
    await collectSmall(folder, { observation }, { open: openScripted(given) });
    const { splits, layout } = await prepareCollection({ ...smallCollection, observation });
    expect(splits.train.length + splits.validation.length).toBe(20);
    for (const split of ['train', 'validation'] as const) {
      const episodes = await Promise.all(
        splits[split].map(async (index) => givenEpisode(given, index, observation)),
      );
      expect(new Set(episodes.map(({ header }) => header.map))).toEqual(
        new Set(split === 'train' ? ['rt10'] : ['rt15']),
      );
      expect(episodes.map(({ header }) => header.steps)).toEqual(splits[split].map(scriptedSteps));
      const truth = newPath('truth');
      writeTruth(truth, readerOf(layout, episodes));
      checkWithPython('npz', join(folder, 'npz', `${split}.npz`), truth);
      checkWithPython('d3rlpy', join(folder, 'd3rlpy', `${split}.h5`), truth);
      checkWithPython('minari', join(folder, 'minari', 'rtsafe', `${split}-v0`, 'data'), truth);
    }
  },
);

test('the datasets depend on the plan alone, not on the slots in which episodes ran', async () => {
  const folders = await Promise.all(
    ['1', '7', '20'].map(async (envs) => {
      const folder = newPath();
      await collectSmall(folder, { envs, format: 'npz,d3rlpy' });
      return folder;
    }),
  );
  const [first, ...others] = folders.map(datasetFiles);
  expect(first!.size).toBe(4);
  for (const files of others) expect(files).toEqual(first);
});

test('a collection that was stopped is continued, and ends with the same datasets', async () => {
  const folder = newPath();
  const controller = new AbortController();
  let steps = 0;
  const open = openScripted(new Map(), () => {
    if (++steps === 30) controller.abort();
    return Promise.resolve();
  });
  const stopped = collectSmall(folder, {}, { open, signal: controller.signal });
  await expect(stopped).rejects.toThrow(
    /^stopped: \d+ of 20 episodes are kept in .*episodes\.journal; the same/,
  );
  expect(readdirSync(folder).sort()).toEqual(['collection.json', 'episodes.journal']);

  const early = await collectSmall(folder, { format: 'npz' }, { finishEarly: true });
  expect(early.episodes).toBeGreaterThan(0);
  expect(early.episodes).toBeLessThan(20);
  expect(early.wall).toBeUndefined();

  const rest = await collectSmall(folder, { format: 'npz,minari' });
  expect(rest.wall!.episodes).toBe(20 - early.episodes);
  const whole = newPath();
  await collectSmall(whole, { format: 'npz,minari' });
  expect(datasetFiles(folder)).toEqual(datasetFiles(whole));
});

test('a collection that is there is not played again; a format can be added', async () => {
  const folder = newPath();
  const never = openScripted(new Map(), () => Promise.reject(new Error('played again')));
  await collectSmall(folder, { format: 'npz' });
  const before = datasetFiles(folder);
  expect((await collectSmall(folder, { format: 'npz' }, { open: never })).wall).toBeUndefined();
  expect(datasetFiles(folder)).toEqual(before);
  await collectSmall(folder, { format: 'npz,d3rlpy' }, { open: never });
  expect([...datasetFiles(folder).keys()].sort()).toEqual([
    'd3rlpy/train.h5',
    'd3rlpy/validation.h5',
    'npz/train.npz',
    'npz/validation.npz',
  ]);
});

test('a split by itself; no episodes at all', async () => {
  const folder = newPath();
  const { summary } = await collectSmall(folder, { split: 'validation', episodes: '2' });
  expect(summary.splits).toMatchObject([{ split: 'validation', maps: ['rt15'], episodes: 2 }]);
  const empty = newPath();
  await collectSmall(empty, { episodes: '0' });
  expect(readdirSync(empty).sort()).toEqual([
    'collection.json',
    'd3rlpy',
    'episodes.journal',
    'lerobot',
    'minari',
    'npz',
    'summary.json',
  ]);
});

test('a last episode that was cut off is played again', async () => {
  const folder = newPath();
  await collectSmall(folder, { format: 'npz' });
  const before = datasetFiles(folder);
  const journal = join(folder, 'episodes.journal');
  truncateSync(journal, readFileSync(journal).length - 100);
  const notes: string[] = [];
  const progress = { ...silent, note: (line: string) => notes.push(line) };
  const { wall } = await collectSmall(folder, { format: 'npz,minari' }, { progress });
  expect(wall!.episodes).toBe(1);
  const [note, ...more] = notes;
  expect(note).toMatch(
    /episodes\.journal: the last episode was cut off while it was written: \d+ bytes dropped$/,
  );
  expect(more).toEqual([]);
  expect(datasetFiles(folder).get('npz/train.npz')).toEqual(before.get('npz/train.npz'));
});

test.each([
  {
    name: 'in the middle',
    damage: (bytes: Buffer) => bytes.fill(7, 2000, 2010),
    fault: /byte 0: found an episode that does not match its checksum/,
  },
  {
    name: 'at the beginning',
    damage: (bytes: Buffer) => bytes.fill(7, 0, 3),
    fault: /byte 0: found something that is no episode/,
  },
])('a journal damaged $name is refused and left as it is', async ({ damage, fault }) => {
  const folder = newPath();
  await collectSmall(folder, { format: 'npz' });
  const journal = join(folder, 'episodes.journal');
  const bytes = readFileSync(journal);
  damage(bytes);
  writeFileSync(journal, bytes);
  await expect(collectSmall(folder, { format: 'npz' })).rejects.toThrow(fault);
  await expect(collectSmall(folder, { format: 'npz' })).rejects.toBeInstanceOf(UsageError);
  expect(readFileSync(journal)).toEqual(bytes);
});

test('another collection, something else, a file: refused, and nothing is written over', async () => {
  const folder = newPath();
  await collectSmall(folder, { format: 'npz' });
  await expect(collectSmall(folder, { reward: 'score' })).rejects.toThrow(
    /another collection \(reward is .*, allowed is a folder, new, empty or of the same collection/,
  );
  await expect(collectSmall(folder, { latency: 'fixed:1' })).rejects.toThrow(
    /another collection \(plan\.latencies/,
  );
  const foreign = newPath();
  mkdirSync(foreign);
  writeFileSync(join(foreign, 'thesis.tex'), '');
  await expect(collectSmall(foreign)).rejects.toThrow(/a folder that holds "thesis.tex" but no collection/);
  expect(readdirSync(foreign)).toEqual(['thesis.tex']);
  const file = fileURLToPath(import.meta.url);
  await expect(collectSmall(file)).rejects.toThrow(/found a file, allowed is a folder/);
});

test('a folder that cannot be written is bad input, in one line', async () => {
  const below = join(fileURLToPath(import.meta.url), 'below');
  const { exitCode, stdout, stderr } = await runCaptured('collect', '--out', below);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toMatch(
    /^rtsafe: .*below: found a path that cannot be \w+ \(ENOTDIR\), allowed is a folder that can be written\n$/,
  );
});

test('a journal that grew a stray byte is cut back', async () => {
  const folder = newPath();
  await collectSmall(folder, { format: 'npz' });
  const journal = join(folder, 'episodes.journal');
  const { length } = readFileSync(journal);
  appendFileSync(journal, 'R');
  await collectSmall(folder, { format: 'npz' });
  expect(readFileSync(journal).length).toBe(length);
});

test('what a dataset that was cut off left behind is written anew', async () => {
  const folder = newPath();
  await collectSmall(folder, { format: 'npz' });
  mkdirSync(join(folder, 'd3rlpy.partial', 'more'), { recursive: true });
  mkdirSync(join(folder, 'd3rlpy'));
  await collectSmall(folder, { format: 'npz,d3rlpy' });
  expect(readdirSync(join(folder, 'd3rlpy')).sort()).toEqual(['train.h5', 'validation.h5']);
  expect(existsSync(join(folder, 'd3rlpy.partial'))).toBe(false);
});

test.each([
  ['--format', 'zarr', 'found "zarr", allowed is one or more of minari, lerobot, d3rlpy, npz'],
  ['--observation', 'image4', 'found "image4", allowed is state, image<pixels> with 8 to 512 pixels'],
  ['--observation', 'state,lidar', 'found "lidar"'],
  ['--reward', 'mine', 'found "mine", allowed is one of protocol, score'],
  ['--split', 'test', 'found "test", allowed is one of all, train, validation'],
  ['--episodes', '-3', 'found "-3", allowed is a whole number from 0'],
  ['--difficulty', 'easy,hard', 'found 2 of them, allowed is one for a collection'],
  ['--policy', 'random,greedy', 'found 2 of them, allowed is one for a collection'],
  ['--policy', 'openai', 'found "openai", allowed is a policy that answers at once, of which openai is none'],
  ['--validation', 'rt15,', 'found "", allowed is maps by name'],
  ['--validation', 'rt99', 'found "rt99", allowed is maps by name, as rt15,rt20; there are rt10,'],
  ['--envs', 'many', 'found "many"'],
])('%s %s is bad input', async (option, value, message) => {
  const { exitCode, stdout, stderr } = await runCaptured('collect', '--out', newPath(), `${option}=${value}`);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(`${option}: ${message}`);
  expect(stderr.split('\n')).toHaveLength(2);
});

test('a split without a map in the routes is bad input', async () => {
  const prepared = prepareCollection({ ...smallCollection, routes: 'rt10:0', split: 'validation' });
  await expect(prepared).rejects.toThrow(/--split: found "validation", of which --routes has no map/);
});
