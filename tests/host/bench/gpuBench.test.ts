// On a GPU the benchmark counts the same work as on the CPU reference.
import { expect, test } from 'vitest';
import { benchDeviceOn, type OpenBenchDevice } from '../../../src/host/bench/benchDevice.ts';
import { benchStepping } from '../../../src/host/bench/steppingBench.ts';
import { makeWorkload } from '../../../src/host/bench/workload.ts';
import { openReferenceDevice } from './referenceDevice.ts';

/** Kernels compile for long on a busy machine with a software driver. */
const patience = 400_000;

test('a small batch', { timeout: patience }, async () => {
  const workload = await makeWorkload(3);
  const measure = async (open: OpenBenchDevice) => {
    const device = await open(workload.runWorld);
    try {
      const options = { decisions: 3, repetitions: 7, minimumSeconds: 0 };
      return await benchStepping(device, workload, 3, options, []);
    } finally {
      await device.close();
    }
  };
  const onGpu = await measure(benchDeviceOn('auto'));
  const onReference = await measure(openReferenceDevice());
  expect([onGpu.walkers, onGpu.work]).toEqual([onReference.walkers, onReference.work]);
  expect(onGpu.memory.batchBytes).toBeGreaterThan(0);
  if (onGpu.kernelNanoseconds !== null) expect(onGpu.kernelNanoseconds.advance).toBeGreaterThan(0);
});
