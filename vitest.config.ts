// Tests run in forked processes, never in worker threads: a thread that ends with a GPU map in flight aborts the
// whole process. A GPU test file keeps every core busy by itself (software drivers), hence few files at a time.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 20_000,
    reporters: ['default', 'json'],
    outputFile: { json: 'build/test-results.json' },
    coverage: {
      provider: 'v8',
      include: ['src/kernels/**/*.ts', 'src/host/**/*.ts'],
      reporter: ['text', 'json-summary'],
      reportsDirectory: 'coverage',
    },
  },
});
