// The result of `rtsafe bench`: what --json prints, and what --compare reads.
import { availableParallelism, cpus, loadavg } from 'node:os';
import { z } from 'zod';
import type { AdapterReport } from '../adapters/adapterReport.ts';
import type { simulatorVersions } from '../run/versions.ts';
import type { BenchOptions, Metric, Reading } from './suite.ts';

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
  readonly version: 2;
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
  readonly options: BenchOptions;
  /** What each suite measured, by its name; the suite knows the form. */
  readonly suites: Readonly<Record<string, unknown>>;
  /** The same as numbers that reports are compared by, by suite. */
  readonly metrics: Readonly<Record<string, readonly Metric[]>>;
}

export const benchOutput = 'the output of rtsafe bench --json';

const metricSchema = z.object({
  name: z.string(),
  unit: z.string(),
  better: z.enum(['higher', 'lower']),
  median: z.number(),
  lowest: z.number(),
  highest: z.number(),
});

/** As much of a report as a comparison needs. */
export const comparableSchema = z.object(
  {
    format: z.literal('rtsafe-bench', { error: `"rtsafe-bench", as in ${benchOutput}` }),
    version: z.literal(2, { error: '2' }),
    measuredAt: z.string(),
    simulator: z.object({ rtsafe: z.string(), webgpu: z.string(), shaders: z.string() }),
    adapter: z.object({ description: z.string() }),
    machine: z.object({
      cpu: z.string(),
      threads: z.number(),
      node: z.string(),
      platform: z.string(),
      loadBefore: z.number(),
    }),
    options: z.object({ decisions: z.number(), repetitions: z.number() }),
    metrics: z.record(z.string(), z.array(metricSchema)),
  },
  { error: benchOutput },
);
export type ComparableReport = z.infer<typeof comparableSchema>;

export function describeMachine(): BenchMachine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    threads: availableParallelism(),
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
    loadBefore: loadavg()[0] ?? 0,
  };
}

export function readingOf({ adapter }: Pick<BenchReport, 'adapter'>): Reading {
  return { runsOnCpu: adapter.kind !== 'hardware' };
}
