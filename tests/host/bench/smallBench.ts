// Benchmarks of almost nothing, on the CPU reference, for tests.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, vi } from 'vitest';
import { type BenchPlan, runBench } from '../../../src/host/bench/runBench.ts';
import type { BenchOptions } from '../../../src/host/bench/suite.ts';
import { parseSuites } from '../../../src/host/bench/suites.ts';
import { benchRunOptions } from '../../../src/host/bench/workload.ts';
import type { RunOptions } from '../../../src/host/run/prepareRun.ts';
import { openScripted } from '../collection/support/scriptedEnvironment.ts';
import { openReference } from '../run/referenceSimulator.ts';
import { silent } from '../run/testRun.ts';
import { openReferenceDevice, type ReferenceBenchSimulator } from './referenceDevice.ts';

/** Two short routes with few people: the reference is slow. */
export function easyRoutes(seeds: string): RunOptions {
  return { ...benchRunOptions(seeds), routes: 'rt12:8,rt20:35', difficulty: 'easy' };
}

export const smallOptions: BenchOptions = {
  sizes: [1, 2],
  repetitions: 3,
  decisions: 1,
  minimumSeconds: 0,
  episodeSeeds: 1,
  policies: ['expert', 'wait'],
  policySeeds: 1,
  collectionPolicies: ['greedy', 'wait'],
  collectionEpisodes: 20,
};

/** Suites at their smallest, on the reference. */
export function smallPlan(chosen: string, simulators: ReferenceBenchSimulator[] = []): BenchPlan {
  return {
    suites: parseSuites(chosen, smallOptions.sizes),
    options: smallOptions,
    runOptions: (seeds) => ({ ...easyRoutes(seeds), maxDecisions: '2' }),
    openDevice: openReferenceDevice(simulators),
    openSimulator: openReference,
    openEnvironment: openScripted(),
    episodesProgress: silent,
    repetitionsProgress: () => silent,
    say: () => {},
  };
}

/** Runs one suite. Its result is of the type that the suite's module exports. */
export async function measureSmall(name: string, changes: Partial<BenchPlan> = {}) {
  const report = await runBench({ ...smallPlan(name), ...changes });
  return { report, result: report.suites[name], metrics: report.metrics[name]! };
}

/** Gives a test file a folder for temporary files of its own; the function returned lists what is in it. */
export function useOwnTemporaryFolder(): () => string[] {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rtsafe-own-'));
    vi.stubEnv('TMPDIR', folder);
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  return () => readdirSync(folder);
}
