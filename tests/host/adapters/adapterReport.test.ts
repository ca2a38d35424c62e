// Telling adapters apart by what WebGPU says of them.
import { expect, test } from 'vitest';
import { describeAdapter } from '../../../src/host/adapters/adapterReport.ts';

const adapterInfos: [kind: string, info: Partial<GPUAdapterInfo>][] = [
  ['hardware', { device: 'nvidia-h200', description: 'NVIDIA: 570.86.15', architecture: 'hopper' }],
  [
    'lavapipe',
    {
      device: 'llvmpipe-llvm-15-0-6-256-bits-',
      description: 'llvmpipe: Mesa 25.0.7',
      architecture: 'software',
      isFallbackAdapter: true,
    },
  ],
  [
    'swiftshader',
    {
      device: 'swiftshader-device-subzero-',
      description: 'SwiftShader driver 5.0.0',
      architecture: 'swiftshader',
      isFallbackAdapter: true,
    },
  ],
  [
    'other',
    {
      device: 'microsoft-basic-render-driver',
      description: 'D3D12',
      architecture: '',
      isFallbackAdapter: true,
    },
  ],
];

test.for(adapterInfos)('%s', ([kind, info]) => {
  const description = describeAdapter({ vendor: '', isFallbackAdapter: false, ...info } as GPUAdapterInfo);
  expect(description.kind).toBe(kind);
  expect(description.name).not.toMatch(/-$/);
  expect(description.description).toBe(`${description.name} (${info.description})`);
});
