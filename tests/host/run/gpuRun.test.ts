// The same run on the kernels gives the bytes of the CPU reference, and each verifies the other's. (That every driver
// agrees with the reference is the business of the kernels' own tests.)
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type OpenedSimulator, type OpenSimulator, simulatorOn } from '../../../src/host/run/executeRun.ts';
import { verifyRun } from '../../../src/host/verify/verifyRun.ts';
import { openReference } from './referenceSimulator.ts';
import { newPath, runSmall, silent } from './testRun.ts';

let opened: OpenedSimulator | undefined;

/** Opens the GPU once for all: compiling the kernels is what takes time here. */
const openOnce: OpenSimulator = async (runWorld) => {
  opened ??= await simulatorOn('auto', () => {})(runWorld, 3);
  return { ...opened, close: () => Promise.resolve() };
};

afterAll(async () => {
  await opened?.close();
});

/** Kernels compile for minutes on a busy machine with a software driver. */
const patience = 400_000;

test('a run on the GPU', { timeout: patience }, async () => {
  const [onGpu, onReference] = [newPath(), newPath()];
  const settings = { difficulty: 'hard', maxDecisions: '10' };
  await runSmall(onGpu, settings, openOnce);
  await runSmall(onReference, settings);
  const text = readFileSync(join(onGpu, 'episodes.jsonl'), 'utf8');
  expect(text).toBe(readFileSync(join(onReference, 'episodes.jsonl'), 'utf8'));
  for (const [folder, open] of [
    [onGpu, openReference],
    [onReference, openOnce],
  ] as const) {
    expect(await verifyRun(folder, open, silent)).toMatchObject({ episodes: 4, mismatches: [] });
  }
});
