// On a GPU the benchmark counts the same work as on the CPU reference.
import { expect, test } from 'vitest';
import { benchDeviceOn, type OpenBenchDevice } from '../../../src/host/bench/benchDevice.ts';
import { benchStepping } from '../../../src/host/bench/steppingBench.ts';
import { makeWorkload } from '../../../src/host/bench/workload.ts';
import { type Ceiling, ceilingWork } from '../../../src/kernels/ceilings.ts';
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
  if (onGpu.kernelNanoseconds !== null) expect(onGpu.kernelNanoseconds.advance).toBeGreaterThan(0);
});

test('what the machine can do at most, and what a batch takes', { timeout: patience }, async () => {
  const workload = await makeWorkload(3);
  const device = await benchDeviceOn('auto')(workload.runWorld);
  try {
    const ceilings = await device.createCeilings();
    for (const ceiling of Object.keys(ceilingWork) as Ceiling[]) await ceilings.run(ceiling, 2);
    ceilings.destroy();
    const batch = await device.createBatch(3);
    const { buffers, batch: bytes } = batch.simulator.memory;
    expect(Object.values(buffers).reduce((sum, size) => sum + size, 0)).toBe(bytes);
    expect(buffers.actors).toBeGreaterThan(bytes / 2);
    await batch.destroy();
  } finally {
    await device.close();
  }
});
