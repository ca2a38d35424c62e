// The vector environment on Node: what its options mean, what it refuses, and the examples of the documents as they stand.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import {
  type BatchEnvironmentOptions,
  openBatchEnvironment,
} from '../../../src/host/environment/openBatchEnvironment.ts';
import { episodeSeed } from '../../../src/host/episodes/episodeSeed.ts';
import { UsageError } from '../../../src/host/errors.ts';
import { lognormalLatency } from '../../../src/host/latency/models.ts';

const projectFolder = fileURLToPath(new URL('../../../', import.meta.url));
const timeout = 600_000;

test('options mean what they mean on the command line', { timeout }, async () => {
  const environment = await openBatchEnvironment({
    numEnvs: 24,
    routes: 'rt12,rt10:1',
    difficulty: 'easy,level1',
    mode: 'both',
    seeds: '3..5',
    without: 'dogs',
    maxDecisions: 7,
    latency: 'lognormal:2,0.4',
    imagePixels: 16,
    reward: { name: 'score' },
  });
  const { infos, observations } = await environment.reset({ seed: 8 });
  expect(observations.image).toHaveLength(24 * 16 * 16 * 3);
  expect(environment.metadata).toMatchObject({ autoresetMode: 'next-step', reward: { name: 'score' } });
  const episodes = Array.from({ length: 24 }, (_, env) => environment.episode(env)!);
  const { routeList } = environment.batch.world;
  for (const [env, episode] of episodes.entries()) {
    const { map, route, seed, difficulty, start } = episode;
    expect(routeList[infos.route[env]!]).toMatchObject({ map, id: route });
    expect(start).toMatchObject({
      mode: episode.mode,
      maxDecisions: 7,
      percent: difficulty === 'easy' ? 60 : 100,
      classes: difficulty === 'easy' ? 61 : 49,
      seed: episodeSeed(seed, map, route),
    });
  }
  const drawn = (of: (episode: (typeof episodes)[number]) => unknown) => new Set(episodes.map(of)).size;
  expect([
    drawn(({ mode }) => mode),
    drawn(({ difficulty }) => difficulty),
    drawn(({ seed }) => seed),
  ]).toEqual([2, 2, 3]);
  expect(drawn(({ map }) => map)).toBe(2);
  expect(drawn(({ map, route }) => `${map}:${route}`)).toBeGreaterThan(3);
  await environment.step(new Uint8Array(24).fill(14));
  const latency = lognormalLatency(2, 0.4);
  const expected = episodes.map((episode) => latency.draw(episode, 1));
  expect([...infos.latencyCentiseconds]).toEqual(expected);
  // A plan of the caller's own: every episode once, then nothing.
  const identity = { map: 'rt10', route: 1, difficulty: 'hard', mode: 'static', seed: 3 } as const;
  await environment.close();
  const planned = await openBatchEnvironment({
    numEnvs: 2,
    routes: 'rt10',
    maxDecisions: 1,
    episodes:
      (world) =>
      ({ env, number }) =>
        env === 0 && number === 0 ? world.episode(identity) : undefined,
  });
  await planned.reset();
  expect(planned.episode(0)).toMatchObject({ ...identity, start: { mode: 'static', percent: 100 } });
  expect(planned.episode(1)).toBeUndefined();
  const { truncations } = await planned.step([14, 14]);
  expect([...truncations]).toEqual([1, 0]);
  await planned.close();
});

test.each<[Partial<BatchEnvironmentOptions>, string]>([
  [{ routes: 'rt99' }, '--routes: found "rt99"'],
  [{ rotues: 'rt10' } as object, 'option: found "rotues", allowed are numEnvs, routes,'],
  [{ difficulty: 'brutal' }, '--difficulty: found "brutal"'],
  [{ profile: 'lax' }, 'profile: found "lax"'],
  [{ numEnvs: 0 }, 'numEnvs: found 0, allowed are whole numbers from 1'],
  [{ maxDecisions: 0.5 }, 'maxDecisions: found 0.5, allowed are whole numbers from 1'],
  [
    { latency: 'measured' },
    'latency: found measured, which is made of what asking took; allowed are the others, and supplied',
  ],
  [{ latency: 'fixed:-1' }, '--latency: found "fixed:-1"'],
  [{ adapter: 'abacus' }, '--adapter: found no adapter for "abacus"'],
  [{ autoresetMode: 'never' as 'disabled' }, 'autoresetMode: found "never"'],
  [
    { routes: 'rt10', reward: { name: 'score', weights: { joy: 1 } as never } },
    'reward score: found the term joy',
  ],
])('%j is refused in one line', { timeout }, async (options, message) => {
  const opening = openBatchEnvironment({ numEnvs: 1, ...options });
  await expect(opening).rejects.toThrow(UsageError);
  await expect(opening).rejects.toThrow(message);
});

test('the example of the README runs as it stands and prints what it says', { timeout }, () => {
  const readme = readFileSync(join(projectFolder, 'README.md'), 'utf8');
  const [, example, output] =
    /```js\n(import [^`]*? from 'rtsafe';[\s\S]*?)```\s*```\n\$ node example.mjs\n([\s\S]*?)```/.exec(
      readme,
    )!;
  // Inside the project, where the package finds itself by its name.
  const folder = join(projectFolder, 'build');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'example.mjs');
  writeFileSync(file, example!);
  const found = execFileSync(process.execPath, [file], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  expect(found).toBe(output);
});
