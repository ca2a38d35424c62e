// Listing adapters, and reading the list out of Dawn's error.
import { expect, test } from 'vitest';
import { listAdapters, parseAdapterList } from '../../../src/host/adapters/findAdapters.ts';
import { loadWebgpu } from '../../../src/host/adapters/loadWebgpu.ts';
import { presentSoftwareAdapters } from './softwareAdapters.ts';

test("reads the names in Dawn's error, equal cards once, the null backend not at all", () => {
  const message = [
    'no suitable backends found',
    'Available adapters:',
    " * backend: 'vulkan', name: 'NVIDIA H200'",
    " * backend: 'vulkan', name: 'NVIDIA H200'",
    " * backend: 'vulkan', name: 'llvmpipe (LLVM 15.0.6, 256 bits)'",
    " * backend: 'null', name: 'Null backend'",
  ].join('\n');
  expect(parseAdapterList(message)).toEqual([
    { backend: 'vulkan', name: 'NVIDIA H200' },
    { backend: 'vulkan', name: 'llvmpipe (LLVM 15.0.6, 256 bits)' },
  ]);
  expect(parseAdapterList('Available adapters:\n')).toEqual([]);
});

test('lists each software adapter once, lavapipe before SwiftShader, and leaves the environment as it was', async () => {
  const webgpu = await loadWebgpu();
  const before = { ...process.env };
  const kinds = (await listAdapters(webgpu)).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'lavapipe' || kind === 'swiftshader')).toEqual(
    presentSoftwareAdapters,
  );
  expect({ ...process.env }).toEqual(before);
});
