// The benchmark of collecting, on an environment without a GPU.
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { benchCollection } from '../../../src/host/bench/collectionBench.ts';
import { formatCollectionBench } from '../../../src/host/command-line/collectionTable.ts';
import { openScripted, scriptedSteps } from '../collection/support/scriptedEnvironment.ts';
import { silent, smallCollection } from '../collection/support/testCollection.ts';

function benchFolders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('rtsafe-bench-'));
}

test('each policy collects all episodes; nothing is left behind', async () => {
  const before = benchFolders();
  const options = { ...smallCollection, format: 'npz' };
  const report = await benchCollection('greedy,wait', options, openScripted(), silent);
  expect(benchFolders()).toEqual(before);
  const decisions = Array.from({ length: 20 }, (_, index) => scriptedSteps(index));
  expect(report.policies.map(({ policy }) => policy)).toEqual(['greedy', 'wait']);
  for (const result of report.policies) {
    expect(result).toMatchObject({
      environments: 6,
      episodes: 20,
      decisions: decisions.reduce((sum, steps) => sum + steps, 0),
    });
    expect(result.decisionsPerSecond).toBeGreaterThan(0);
    expect(result.cpuMillisecondsPerDecision).toBeGreaterThan(0);
    expect(result.residentMebibytes).toHaveLength(4);
  }
  const lines = formatCollectionBench(report).split('\n');
  expect(lines[0]).toContain('hard, realtime, rt-safe, fixed:3, observation state, format npz, on scripted');
  expect(lines.filter((line) => /^(?:greedy|wait) +20 /.test(line))).toHaveLength(2);
});
