// The suite `collect`, on an environment without a GPU.
import { expect, test } from 'vitest';
import { formatBench } from '../../../src/host/bench/benchText.ts';
import type { CollectResult } from '../../../src/host/bench/collectSuite.ts';
import { scriptedSteps } from '../collection/support/scriptedEnvironment.ts';
import { measureSmall, useOwnTemporaryFolder } from './smallBench.ts';

const temporaryFiles = useOwnTemporaryFolder();

test('each policy collects all episodes; nothing is left behind', async () => {
  const { report, result, metrics } = await measureSmall('collect');
  expect(temporaryFiles()).toEqual([]);
  const { policies } = result as CollectResult;
  const decisions = Array.from({ length: 20 }, (_, index) => scriptedSteps(index));
  expect(result).toMatchObject({ observation: 'state', format: 'npz' });
  expect(policies.map(({ policy }) => policy)).toEqual(['greedy', 'wait']);
  for (const collected of policies) {
    expect(collected).toMatchObject({
      environments: 20,
      episodes: 20,
      decisions: decisions.reduce((sum, steps) => sum + steps, 0),
    });
    expect(collected.decisionsPerSecond).toBeGreaterThan(0);
    expect(collected.cpuMillisecondsPerDecision).toBeGreaterThan(0);
    expect(collected.residentBytes).toHaveLength(4);
    for (const bytes of collected.residentBytes) expect(bytes).toBeGreaterThan(2 ** 20);
  }
  expect(metrics.map(({ unit }) => unit).slice(0, 3)).toEqual([
    'decisions/s',
    'CPU ms/decision',
    'memory at the end over first quarter',
  ]);
  const lines = formatBench(report).split('\n');
  expect(lines.filter((line) => /^(?:greedy|wait) +20 /.test(line))).toHaveLength(2);
});
