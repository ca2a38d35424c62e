// Everything a user can get wrong is found before anything starts, in one line.
import { expect, test } from 'vitest';
import { UsageError } from '../../../src/host/errors.ts';
import { defaultRunOptions, prepareRun } from '../../../src/host/run/prepareRun.ts';

test('the defaults: 36 hard routes in both modes, greedy, 3 s, one environment per episode', async () => {
  const { plan, environments, config } = await prepareRun(defaultRunOptions);
  expect(plan.size).toBe(72);
  expect(environments).toBe(72);
  expect(config.plan).toMatchObject({
    difficulties: ['hard'],
    modes: ['static', 'realtime'],
    policies: ['greedy'],
    latencies: ['fixed:3'],
    profiles: ['rt-safe'],
    seeds: [0],
    maxDecisions: null,
    without: [],
  });
  expect(config.scenes.map(({ name, source, content }) => [name, source, content])).toEqual(
    ['rt10', 'rt12', 'rt15', 'rt18', 'rt20'].map((name) => [name, 'bundled', undefined]),
  );
});

test('the batch is bounded by the episodes and 4096', async () => {
  const sizes = await Promise.all(
    [
      { seeds: '0..9999', routes: 'rt10:0' },
      { seeds: '0', routes: 'rt10:0', envs: '4096' },
      { seeds: '0..9999', routes: 'rt10:0', envs: '5' },
    ].map((changes) => prepareRun({ ...defaultRunOptions, ...changes })),
  );
  expect(sizes.map(({ environments }) => environments)).toEqual([4096, 2, 5]);
});

test('--max-decisions caps a route, never lengthens it', async () => {
  const { runWorld, plan } = await prepareRun({
    ...defaultRunOptions,
    routes: 'rt10:0',
    maxDecisions: '100000',
  });
  expect(runWorld.start(plan.at(0)).maxDecisions).toBe(345);
});

test.each([
  { routes: 'rt11' },
  { routes: 'rt10:77' },
  { difficulty: 'impossible' },
  { mode: 'fast' },
  { profile: 'no-such' },
  { policy: 'genius' },
  { policy: 'trace:/no/such/run' },
  { latency: 'slow' },
  { latency: 'fixed:-1' },
  { seeds: 'zero' },
  { envs: '0' },
  { envs: '-1' },
  { envs: 'many' },
  { maxDecisions: '0' },
  { without: 'gravity' },
])('%o is refused in one line', async (changes) => {
  const preparing = prepareRun({ ...defaultRunOptions, ...changes });
  await expect(preparing).rejects.toThrow(UsageError);
  await expect(preparing).rejects.toThrow(/^[^\n]*found [^\n]*allowed [^\n]*$/);
});
