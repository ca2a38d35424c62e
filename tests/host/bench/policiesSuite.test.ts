// The suite `policies`: the same episodes for each, and a table of what came of them.
import { expect, test } from 'vitest';
import { formatBench } from '../../../src/host/bench/benchText.ts';
import type { PoliciesResult } from '../../../src/host/bench/policiesSuite.ts';
import { easyRoutes, measureSmall, smallOptions, useOwnTemporaryFolder } from './smallBench.ts';

const runOptions = (seeds: string) => ({ ...easyRoutes(seeds), routes: 'rt12:8', maxDecisions: '4' });

const temporaryFiles = useOwnTemporaryFolder();

test('two policies on one route', async () => {
  const { report, result, metrics } = await measureSmall('policies', { runOptions });
  expect(temporaryFiles()).toEqual([]);
  const { policies } = result as PoliciesResult;
  expect(policies).toMatchObject([
    { policy: 'expert', episodes: 1, decisions: 4, success: 0, violationsPerEpisode: 0 },
    { policy: 'wait', episodes: 1, decisions: 4, incidentsPer100m: null },
  ]);
  for (const { decisionsPerSecond, cpuMillisecondsPerDecision } of policies) {
    expect(decisionsPerSecond).toBeGreaterThan(0);
    expect(cpuMillisecondsPerDecision).toBeGreaterThan(0);
  }
  // Who did not walk has no incidents per 100 m.
  expect(metrics.filter(({ unit }) => unit === 'per 100 m').map(({ name }) => name)).toEqual([
    'expert over 1 episode, incidents',
  ]);
  expect(metrics).toHaveLength(5 + 4);
  const text = formatBench(report);
  expect(text).toMatch(/^policy +success +safe +incidents\/100 m/m);
  expect(text).toMatch(/^wait +0\.0 % +0\.0 % +-/m);
  expect(text).toContain('\n1 episode each; ');
});

test('each plays the same seeds', async () => {
  const options = { ...smallOptions, policies: ['wait'], policySeeds: 3 };
  const { result } = await measureSmall('policies', { runOptions, options });
  expect(result).toMatchObject({ policies: [{ episodes: 3, decisions: 12 }] });
});

test('an unknown policy is refused', async () => {
  const options = { ...smallOptions, policies: ['oracle'] };
  await expect(measureSmall('policies', { options })).rejects.toThrow(
    '--policy: found "oracle", allowed is ',
  );
});
