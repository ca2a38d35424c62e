// Benchmarks of almost nothing, on the CPU reference, for tests.
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
    suites: parseSuites(chosen),
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

/** Runs one suite; its result as JSON would bring it back. */
export async function measureSmall<Result>(name: string, changes: Partial<BenchPlan> = {}) {
  const report = await runBench({ ...smallPlan(name), ...changes });
  return { report, result: report.suites[name] as Result, metrics: report.metrics[name]! };
}
