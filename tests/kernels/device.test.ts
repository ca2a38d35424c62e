// The owner of the device: computing on every software adapter, errors as exceptions, closing.
import { afterEach, describe, expect, test } from 'vitest';
import { openGpu } from '../../src/host/adapters/openGpu.ts';
import { GpuContext, GpuError } from '../../src/kernels/device.ts';
import { softwareAdapters, whyAbsent } from '../host/adapters/softwareAdapters.ts';
import { doubleNumbers } from './doubleNumbers.ts';

const opened: GpuContext[] = [];

async function open(choice: string): Promise<GpuContext> {
  const { context } = await openGpu(choice);
  opened.push(context);
  return context;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((context) => context.close()));
});

const numbers = Uint32Array.from({ length: 1000 }, (_, index) => index * 3);
const doubled = numbers.map((value) => value * 2);

describe.for(softwareAdapters)('on %s', (adapter) => {
  test('a compute shader doubles numbers', async ({ skip }) => {
    const absent = whyAbsent(adapter);
    if (absent) skip(absent);
    const context = await open(adapter);
    expect(await doubleNumbers(context, numbers)).toEqual(doubled);
  });

  test("the device has the adapter's own limits, not WebGPU's defaults", async ({ skip }) => {
    const absent = whyAbsent(adapter);
    if (absent) skip(absent);
    const context = await open(adapter);
    for (const limit of [
      'maxBufferSize',
      'maxComputeWorkgroupStorageSize',
      'maxStorageBuffersPerShaderStage',
    ] as const) {
      expect(context.device.limits[limit], limit).toBe(context.adapter.limits[limit]);
    }
    expect(context.device.limits.maxComputeWorkgroupStorageSize).toBeGreaterThan(16384);
  });
});

test('both software adapters compute at once in one process', async ({ skip }) => {
  const absent = whyAbsent('lavapipe');
  if (absent) skip(absent);
  const contexts = await Promise.all(softwareAdapters.map((adapter) => open(adapter)));
  const results = await Promise.all(
    [...contexts, ...contexts].map((context) => doubleNumbers(context, numbers)),
  );
  for (const result of results) expect(result).toEqual(doubled);
});

describe('withErrorScope', () => {
  test('throws a GpuError with the label on a validation error', async () => {
    const context = await open('swiftshader');
    const failing = context.withErrorScope('make a bad buffer', () =>
      context.device.createBuffer({ size: 4, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.STORAGE }),
    );
    await expect(failing).rejects.toThrow(GpuError);
    await expect(failing).rejects.toThrow(/^make a bad buffer: /);
    expect(context.failure).toBeUndefined();
    expect(await doubleNumbers(context, numbers)).toEqual(doubled);
  });

  test('throws a GpuError on a buffer larger than the device allows', async () => {
    const context = await open('swiftshader');
    const size = context.device.limits.maxBufferSize * 2;
    const failing = context.withErrorScope('make a huge buffer', () =>
      context.device.createBuffer({ size, usage: GPUBufferUsage.STORAGE }),
    );
    await expect(failing).rejects.toThrow(GpuError);
  });

  test('returns what the work returns, and passes its own error on', async () => {
    const context = await open('swiftshader');
    expect(await context.withErrorScope('value', () => 7)).toBe(7);
    expect(await context.withErrorScope('promise', async () => 8)).toBe(8);
    const ownError = new RangeError('mine');
    const throwing = context.withErrorScope('throw', () => {
      throw ownError;
    });
    await expect(throwing).rejects.toBe(ownError);
    await expect(context.withErrorScope('reject', () => Promise.reject(ownError))).rejects.toBe(ownError);
    // The scopes are balanced: nothing is left to pop.
    await expect(context.device.popErrorScope()).rejects.toThrow();
  });

  test('an error outside any scope fails the next scope', async () => {
    const context = await open('swiftshader');
    context.device.createBuffer({ size: 4, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.STORAGE });
    await context.device.queue.onSubmittedWorkDone();
    await expect(context.withErrorScope('later', () => 1)).rejects.toThrow(
      /^later: GPU error outside any error scope/,
    );
  });

  test('a lost device is a GpuError', async () => {
    const context = await open('swiftshader');
    context.device.destroy();
    await context.device.lost;
    await expect(context.withErrorScope('after the loss', () => 1)).rejects.toThrow(/after the loss: .*lost/);
  });
});

describe('close', () => {
  test('twice is once, and using it afterwards is a GpuError', async () => {
    const context = await open('swiftshader');
    const first = context.close();
    expect(context.close()).toBe(first);
    await first;
    expect((await context.device.lost).reason).toBe('destroyed');
    await expect(context.withErrorScope('too late', () => 1)).rejects.toThrow(GpuError);
  });

  test('waits for a tracked map', async () => {
    const context = await open('swiftshader');
    const buffer = context.device.createBuffer({
      size: 4,
      usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
    });
    let mapped = false;
    void context.track(buffer.mapAsync(GPUMapMode.READ)).then(() => {
      mapped = true;
    });
    await context.close();
    expect(mapped).toBe(true);
  });
});

test('a gpu without an adapter is a GpuError', async () => {
  const gpu = { requestAdapter: async () => null } as unknown as GPU;
  await expect(GpuContext.open(gpu)).rejects.toThrow(GpuError);
});
