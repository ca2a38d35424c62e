// Runs the whole benchmark: stepping at each size, then the run end to end.
import type { OpenSimulator, RunProgress } from '../run/executeRun.ts';
import type { RunOptions } from '../run/prepareRun.ts';
import type { OpenBenchDevice } from './benchDevice.ts';
import { type BenchReport, describeMachine, simulatorVersions } from './benchReport.ts';
import { benchEpisodes } from './episodesBench.ts';
import { columns } from './pass.ts';
import { benchStepping, type SteppingOptions, type SteppingResult } from './steppingBench.ts';
import { makeWorkload } from './workload.ts';

export interface BenchPlan extends SteppingOptions {
  /** The episodes, for some seeds; `benchRunOptions` but in tests. */
  readonly runOptions: (seeds: string) => RunOptions;
  /** Batch sizes, ascending. */
  readonly sizes: readonly number[];
  /** Seeds of the run end to end; 0 leaves it out. */
  readonly episodeSeeds: number;
  readonly openDevice: OpenBenchDevice;
  readonly openSimulator: OpenSimulator;
  readonly steppingProgress: RunProgress;
  readonly episodesProgress: RunProgress;
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal;
}

/** @throws RunError when `signal` is aborted; what `openGpu` throws. */
export async function runBench(plan: BenchPlan): Promise<BenchReport> {
  const { sizes, decisions, repetitions, minimumSeconds, signal } = plan;
  const options = { decisions, repetitions, minimumSeconds };
  const machine = describeMachine();
  const measuredAt = new Date().toISOString();
  const workload = await makeWorkload(Math.max(...sizes), plan.runOptions);
  const device = await plan.openDevice(workload.runWorld);
  const results: SteppingResult[] = [];
  try {
    const walkers: number[] = [];
    plan.steppingProgress.start(sizes.length * columns.length * repetitions, 0);
    for (const environments of sizes) {
      plan.say(`${environments} environments on ${device.adapter.description}`);
      results.push(
        await benchStepping(
          device,
          workload,
          environments,
          options,
          walkers,
          (count) => plan.steppingProgress.advance(1, count),
          signal,
        ),
      );
    }
  } finally {
    plan.steppingProgress.stop();
    await device.close();
  }
  let episodes: BenchReport['episodes'] = null;
  if (plan.episodeSeeds > 0) {
    const runOptions = plan.runOptions(`0..${plan.episodeSeeds - 1}`);
    episodes = await benchEpisodes(runOptions, plan.openSimulator, plan.episodesProgress, signal);
  }
  const { difficulty, mode, profile, policy, latency } = workload.episodes[0]!;
  return {
    format: 'rtsafe-bench',
    version: 1,
    measuredAt,
    simulator: simulatorVersions(),
    adapter: device.adapter,
    machine,
    workload: { routes: workload.routes, difficulty, mode, profile, policy, latency },
    options,
    sizes: results,
    episodes,
  };
}
