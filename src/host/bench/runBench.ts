// Runs the chosen suites on one device, one after the other.
import type { OpenEnvironment } from '../collection/executeCollection.ts';
import type { OpenSimulator, RunProgress } from '../run/executeRun.ts';
import type { RunOptions } from '../run/prepareRun.ts';
import { simulatorVersions } from '../run/versions.ts';
import type { OpenBenchDevice } from './benchDevice.ts';
import { type BenchReport, describeMachine, readingOf } from './benchReport.ts';
import type { AnySuite, BenchContext, BenchOptions, Metric } from './suite.ts';
import { makeWorkload } from './workload.ts';

export interface BenchPlan {
  readonly suites: readonly AnySuite[];
  readonly options: BenchOptions;
  /** The episodes, for some seeds; `benchRunOptions` but in tests. */
  readonly runOptions: (seeds: string) => RunOptions;
  readonly openDevice: OpenBenchDevice;
  readonly openSimulator: OpenSimulator;
  readonly openEnvironment: OpenEnvironment;
  readonly episodesProgress: RunProgress;
  /** A new one for each suite that has repetitions. */
  readonly repetitionsProgress: () => RunProgress;
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal;
}

async function measureWatched(
  suite: AnySuite,
  context: Omit<BenchContext, 'onRepetition'>,
  makeProgress: () => RunProgress,
): Promise<unknown> {
  const repetitions = suite.repetitions(context.options);
  if (repetitions === 0) return suite.measure({ ...context, onRepetition: () => {} });
  const progress = makeProgress();
  progress.start(repetitions, 0);
  try {
    return await suite.measure({
      ...context,
      onRepetition: (decisions) => progress.advance(1, decisions),
    });
  } finally {
    progress.stop();
  }
}

/** @throws RunError when `signal` is aborted; what `openGpu` throws. */
export async function runBench(plan: BenchPlan): Promise<BenchReport> {
  const { options, signal } = plan;
  const machine = describeMachine();
  const measuredAt = new Date().toISOString();
  const workload = await makeWorkload(Math.max(...options.sizes), plan.runOptions);
  const device = await plan.openDevice(workload.runWorld);
  const { adapter } = device;
  const results: Record<string, unknown> = {};
  const metrics: Record<string, readonly Metric[]> = {};
  try {
    const context = { ...plan, device, workload, signal };
    for (const suite of plan.suites) {
      const result = await measureWatched(suite, context, plan.repetitionsProgress);
      results[suite.name] = result;
      metrics[suite.name] = suite.metrics(result, readingOf({ adapter }));
    }
  } finally {
    await device.close();
  }
  const { difficulty, mode, profile, policy, latency } = workload.episodes[0]!;
  return {
    format: 'rtsafe-bench',
    version: 2,
    measuredAt,
    simulator: simulatorVersions(),
    adapter,
    machine,
    workload: { routes: workload.routes, difficulty, mode, profile, policy, latency },
    options,
    suites: results,
    metrics,
  };
}
