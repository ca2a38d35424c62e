// Runs of policies that see the whole state: the same records alone and in a batch, verified, and nobody else pays for it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { expertPolicy } from '../../../src/host/policies/expert/expertPolicy.ts';
import type { PolicyRequest } from '../../../src/host/policies/policy.ts';
import { safetyPolicy } from '../../../src/host/policies/safety.ts';
import { verifyRun } from '../../../src/host/verify/verifyRun.ts';
import { openReference, ReferenceSimulator } from './referenceSimulator.ts';
import { newPath, runSmall, silent } from './testRun.ts';

const both = { policy: 'expert,safety', maxDecisions: '5' };

function linesOf(folder: string): string[] {
  return readFileSync(join(folder, 'episodes.jsonl'), 'utf8').trimEnd().split('\n').sort();
}

test('one environment after the other, and all at once: the same records, which verify', async () => {
  const [alone, together] = [newPath(), newPath()];
  await runSmall(alone, { ...both, envs: '1' });
  await runSmall(together, both);
  expect(linesOf(together)).toHaveLength(8);
  expect(linesOf(alone)).toEqual(linesOf(together));
  expect(await verifyRun(together, openReference, silent)).toMatchObject({ episodes: 8, mismatches: [] });
});

test.each([
  ['expert,safety', 5],
  ['greedy,wait', 0],
])('%s: the state is read %i times for five rounds of decisions', async (policy, reads) => {
  const read = vi.spyOn(ReferenceSimulator.prototype, 'readEnvironments');
  await runSmall(newPath(), { ...both, policy });
  expect(read).toHaveBeenCalledTimes(reads);
  read.mockRestore();
});

test.each([expertPolicy, safetyPolicy])('$name without a state says so', (policy) => {
  const request = { decision: 1 } as PolicyRequest;
  expect(() => policy.decide([request])).toThrow(`${policy.name}: the request holds no state`);
});
