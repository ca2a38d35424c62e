// The comparison of policies: the same episodes for each, and a table of what came of them.
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { benchPolicies } from '../../../src/host/bench/policiesBench.ts';
import { benchRunOptions } from '../../../src/host/bench/workload.ts';
import { formatPolicies } from '../../../src/host/command-line/policiesTable.ts';
import { openReference } from '../run/referenceSimulator.ts';
import { silent } from '../run/testRun.ts';

const options = { ...benchRunOptions('0'), routes: 'rt12:8', difficulty: 'easy', maxDecisions: '4' };

function leftovers(): number {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('rtsafe-bench-')).length;
}

test('two policies on one route', async () => {
  const before = leftovers();
  const report = await benchPolicies('expert, wait', options, openReference, silent);
  expect(leftovers()).toBe(before);
  expect(report).toMatchObject({
    format: 'rtsafe-bench-policies',
    workload: { difficulty: 'easy', mode: 'realtime', profile: 'rt-safe', latency: 'fixed:3' },
    policies: [
      { policy: 'expert', episodes: 1, decisions: 4, success: 0, violationsPerEpisode: 0 },
      { policy: 'wait', episodes: 1, decisions: 4, incidentsPer100m: null },
    ],
  });
  for (const { decisionsPerSecond, cpuMillisecondsPerDecision } of report.policies) {
    expect(decisionsPerSecond).toBeGreaterThan(0);
    expect(cpuMillisecondsPerDecision).toBeGreaterThan(0);
  }
  const lines = formatPolicies(report).split('\n');
  expect(lines[0]).toContain('easy, realtime, rt-safe, fixed:3, 1 episodes each, on CPU reference');
  expect(lines[2]).toMatch(/^policy +success +safe +incidents\/100 m/);
  expect(lines[5]).toMatch(/^wait +0\.0 % +0\.0 % +-/);
});

test('an unknown policy is refused', async () => {
  await expect(benchPolicies('expert,oracle', options, openReference, silent)).rejects.toThrow(
    '--policy: found "oracle", allowed is ',
  );
});
