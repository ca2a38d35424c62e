// The result of `rtsafe bench`: what --json prints.
import { availableParallelism, cpus, loadavg } from 'node:os';
import type { AdapterReport } from '../adapters/adapterReport.ts';
import { simulatorVersions } from '../run/versions.ts';
import type { EpisodesResult } from './episodesBench.ts';
import type { SteppingOptions, SteppingResult } from './steppingBench.ts';

export interface BenchMachine {
  readonly cpu: string;
  readonly threads: number;
  readonly node: string;
  readonly platform: string;
  /** Processes that wanted to run, averaged over the minute before the benchmark; 0 where the system does not say. */
  readonly loadBefore: number;
}

export interface BenchReport {
  readonly format: 'rtsafe-bench';
  readonly version: 1;
  readonly measuredAt: string;
  readonly simulator: ReturnType<typeof simulatorVersions>;
  readonly adapter: AdapterReport;
  readonly machine: BenchMachine;
  readonly workload: {
    readonly routes: number;
    readonly difficulty: string;
    readonly mode: string;
    readonly profile: string;
    readonly policy: string;
    readonly latency: string;
  };
  readonly options: SteppingOptions;
  readonly sizes: readonly SteppingResult[];
  /** Null when it was left out. */
  readonly episodes: EpisodesResult | null;
}

export function describeMachine(): BenchMachine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    threads: availableParallelism(),
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
    loadBefore: loadavg()[0] ?? 0,
  };
}

export { simulatorVersions };
