// The yardstick in native code does the same work as the simulator: every field of every walker and every count, on the CPU
// reference and on a GPU.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { benchDeviceOn, type OpenBenchDevice } from '../../../src/host/bench/benchDevice.ts';
import { buildNative, type NativeProgram } from '../../../src/host/bench/native/buildNative.ts';
import { differenceOf } from '../../../src/host/bench/native/compareWalkers.ts';
import { NativeScenarios, nativeSteppings } from '../../../src/host/bench/native/runNative.ts';
import { recordWaiting, waitingRunOptions } from '../../../src/host/bench/native/waitingPass.ts';
import { makeWorkload } from '../../../src/host/bench/workload.ts';
import { openReferenceDevice } from './referenceDevice.ts';

/** Kernels compile for long on a busy machine with a software driver. */
const patience = 400_000;

let program: NativeProgram | undefined;
let missing = '';
let cache = '';
beforeAll(async () => {
  cache = mkdtempSync(join(tmpdir(), 'rtsafe-native-test-'));
  const built = await buildNative({ compiler: process.env.CC || 'cc', cache });
  if ('missing' in built) missing = built.missing;
  else program = built;
}, patience);
afterAll(() => rmSync(cache, { recursive: true, force: true }));

async function expectEqual(open: OpenBenchDevice, environments: number, decisions: number): Promise<number> {
  const workload = await makeWorkload(environments, waitingRunOptions);
  const device = await open(workload.runWorld);
  try {
    const batch = await device.createBatch(environments);
    try {
      const { scenarios, after } = await recordWaiting(batch, workload, decisions);
      const native = new NativeScenarios(scenarios);
      try {
        for (const stepping of nativeSteppings) {
          const result = await native.run(program!, stepping, 2, 0);
          expect([stepping, differenceOf(after, result.after)]).toEqual([stepping, undefined]);
          expect(result.runs).toBe(1);
        }
      } finally {
        native.remove();
      }
      return after.reduce((sum, { counts }) => sum + counts[0]!, 0);
    } finally {
      await batch.destroy();
    }
  } finally {
    await device.close();
  }
}

test('equal to the CPU reference', { timeout: patience }, async (context) => {
  if (program === undefined) context.skip(missing);
  // Long enough for people to walk into the agent, press, pass through it and go on.
  expect(await expectEqual(openReferenceDevice(), 36, 8)).toBeGreaterThan(10);
});

test('equal to the kernels', { timeout: patience }, async (context) => {
  if (program === undefined) context.skip(missing);
  expect(await expectEqual(benchDeviceOn('auto'), 72, 6)).toBeGreaterThan(10);
});

test('a difference is named', () => {
  const walkers = Int32Array.from({ length: 16 }, (_, word) => word);
  const one = { counts: [1, 1, 0, 0, 0, 5, 5], walkers };
  expect(differenceOf([one], [one])).toBeUndefined();
  expect(differenceOf([one, one], [one, { ...one, counts: [1, 1, 0, 2, 0, 5, 5] }])).toBe(
    'environment 1: close ticks, personal 0 in the kernels, 2 natively',
  );
  expect(differenceOf([one], [{ ...one, walkers: walkers.with(14, 0) }])).toBe(
    'environment 0: timer of walker 1 is 14 in the kernels, 0 natively',
  );
});

test('without a compiler it is said, and nothing is built', async () => {
  const folder = join(cache, 'none');
  expect(await buildNative({ compiler: 'no-such-compiler', cache: folder })).toEqual({
    missing: 'no C compiler: "no-such-compiler" does not run',
  });
  expect(existsSync(folder)).toBe(false);
});

test('a compiler may have arguments', async (context) => {
  if (program === undefined) context.skip(missing);
  const folder = join(cache, 'with-arguments');
  const built = await buildNative({ compiler: ` env  ${process.env.CC || 'cc'}`, cache: folder });
  expect(built).toMatchObject({ path: expect.stringContaining(folder) });
});

test('it is built once', async (context) => {
  if (program === undefined) context.skip(missing);
  expect(await buildNative({ compiler: process.env.CC || 'cc', cache })).toEqual(program);
  expect(readdirSync(join(cache, 'native'))).toHaveLength(1);
});
