// Choosing an adapter by name.
import { expect, test } from 'vitest';
import { openGpu } from '../../../src/host/adapters/openGpu.ts';
import { UsageError } from '../../../src/host/errors.ts';
import { presentSoftwareAdapters } from './softwareAdapters.ts';

async function kindOf(choice: string): Promise<string> {
  const { context, adapter } = await openGpu(choice);
  await context.close();
  return adapter.kind;
}

test('auto takes a GPU, else lavapipe, else SwiftShader, and says why', async () => {
  const { context, adapter } = await openGpu('auto');
  await context.close();
  if (adapter.kind !== 'hardware') expect(adapter.kind).toBe(presentSoftwareAdapters[0]);
  expect(adapter.why).not.toBe('');
});

test.for(['swiftshader', 'SubZero', 'swiftshader driver'])('"%s" is SwiftShader', async (choice) => {
  expect(await kindOf(choice)).toBe('swiftshader');
});

test('lavapipe by its driver', async ({ skip }) => {
  if (!presentSoftwareAdapters.includes('lavapipe')) skip('lavapipe is not installed');
  expect(await kindOf('Mesa')).toBe('lavapipe');
});

test.for(['no such adapter', ''])('"%s" is a usage error that lists what is there', async (choice) => {
  const opening = openGpu(choice);
  await expect(opening).rejects.toThrow(UsageError);
  await expect(opening).rejects.toThrow(/--adapter: found no adapter for .*swiftshader: /);
});
