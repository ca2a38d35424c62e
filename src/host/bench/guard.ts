// The guard against getting slower: ratios measured within one run, never absolute times, held to those recorded in
// bench/results/guard.json. Where the driver runs on the CPU, CPU seconds are compared, and always the best of some repetitions,
// so that other work on the machine does not decide.
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { checkJson } from '../input/jsonFault.ts';
import { parseJson, readTextFile } from '../input/readTextFile.ts';
import { writeTextFile } from '../records/atomicFile.ts';
import { formatTable } from '../table.ts';
import { type BenchReport, readingOf } from './benchReport.ts';
import type { DecideResult } from './decideSuite.ts';
import { threeDigits } from './numberText.ts';
import { type ScalingResult, scalingRatios } from './scalingSuite.ts';
import type { BenchOptions } from './suite.ts';
import type { YardstickResult } from './yardstickSuite.ts';

/** The suites that the ratios are taken from, and how they are run: under a minute on two busy cores. */
export const guardSuites = 'scaling,yardstick,decide';
export const guardOptions: BenchOptions = {
  sizes: [256, 1024],
  repetitions: 5,
  decisions: 1,
  minimumSeconds: 0.3,
  episodeSeeds: 1,
  policies: [],
  policySeeds: 1,
  collectionPolicies: [],
  collectionEpisodes: 1,
};

/**
 * What is guarded: whether more or less of it is better, and by which share of the recorded ratio it may be worse. Wide enough for a
 * machine with other work on it.
 */
export const guardedRatios = {
  'kernels over native code, tick by tick': { better: 'higher', margin: 0.5 },
  'cost of an environment, 1024 over 256': { better: 'lower', margin: 0.4 },
  'time with readback over stepping alone': { better: 'lower', margin: 0.4 },
  'wall time of a round in kernels': { better: 'higher', margin: 0.2 },
} as const satisfies Record<string, { better: 'higher' | 'lower'; margin: number }>;
export type GuardedRatio = keyof typeof guardedRatios;
const ratioNames = Object.keys(guardedRatios) as GuardedRatio[];

/** What there is no saying of is left out: native code without a compiler, kernels without timestamp queries. */
export type Ratios = Partial<Record<GuardedRatio, number>>;

const guardSchema = z.strictObject({
  format: z.literal('rtsafe-bench-guard', '"rtsafe-bench-guard"'),
  version: z.literal(1, '1'),
  /** By kind of adapter. */
  adapters: z.record(
    z.string(),
    z.strictObject({
      measuredAt: z.string('a date'),
      cpu: z.string('the name of a CPU'),
      ratios: z.partialRecord(z.enum(ratioNames, `one of ${ratioNames.join(', ')}`), z.number('a number')),
    }),
  ),
});
export type Guard = z.infer<typeof guardSchema>;

// Up from src/host/bench and from dist/host/bench alike.
export const guardPath = fileURLToPath(new URL('../../../bench/results/guard.json', import.meta.url));

/** @throws UsageError for a file that is none. */
export function readGuard(path = guardPath): Guard {
  return checkJson(guardSchema, parseJson(readTextFile(path, 'the recorded ratios', 1024 ** 2), path), path);
}

/** From a report of the guard's suites at the guard's sizes. */
export function ratiosOf(report: BenchReport): Ratios {
  const { scaling, yardstick, decide } = report.suites as {
    scaling: ScalingResult;
    yardstick: YardstickResult;
    decide: DecideResult;
  };
  const reading = readingOf(report);
  const native = yardstick.native?.steppings.tickwise;
  const { size, readback } = scalingRatios(scaling, reading);
  return {
    ...(native === undefined
      ? {}
      : {
          'kernels over native code, tick by tick': (reading.runsOnCpu ? native.cpuRatio : native.ratio)
            .highest,
        }),
    'cost of an environment, 1024 over 256': size,
    'time with readback over stepping alone': readback,
    ...(decide.kernelShare === null ? {} : { 'wall time of a round in kernels': decide.kernelShare.highest }),
  };
}

/** The worst that is let through. */
export function limitOf(name: GuardedRatio, recorded: number): number {
  const { better, margin } = guardedRatios[name];
  return recorded * (better === 'higher' ? 1 - margin : 1 + margin);
}

export interface GuardResult {
  readonly text: string;
  /** Ratios beyond their limits. */
  readonly failed: readonly GuardedRatio[];
}

/** Holds the ratios of a report against the recorded ones of the same kind of adapter. */
export function checkGuard(report: BenchReport, guard: Guard): GuardResult {
  const recorded = guard.adapters[report.adapter.kind];
  if (recorded === undefined) {
    return { text: `no ratios are recorded for ${report.adapter.kind}: nothing was checked\n`, failed: [] };
  }
  const measured = ratiosOf(report);
  const failed: GuardedRatio[] = [];
  const rows = ratioNames.map((name) => {
    const found = measured[name];
    const known = recorded.ratios[name];
    if (found === undefined || known === undefined)
      return [name, found === undefined ? 'not measured' : threeDigits(found), '', '', 'not checked'];
    const limit = limitOf(name, known);
    const isWorse = guardedRatios[name].better === 'higher' ? found < limit : found > limit;
    if (isWorse) failed.push(name);
    const bound = `${guardedRatios[name].better === 'higher' ? 'at least' : 'at most'} ${threeDigits(limit)}`;
    return [name, threeDigits(found), threeDigits(known), bound, isWorse ? 'TOO SLOW' : 'ok'];
  });
  return {
    text:
      `${report.adapter.description}; recorded ${recorded.measuredAt.slice(0, 10)} on ${recorded.cpu}\n` +
      formatTable(
        [
          { title: 'ratio within one run' },
          { title: 'measured', align: 'right' },
          { title: 'recorded', align: 'right' },
          { title: 'allowed', align: 'right' },
          { title: '' },
        ],
        rows,
      ),
    failed,
  };
}

/** Records the ratios of a report for its kind of adapter; the others stay. */
export function recordGuard(report: BenchReport, guard: Guard, path = guardPath): void {
  const ratios = Object.fromEntries(
    Object.entries(ratiosOf(report)).map(([name, value]) => [name, Number(value.toPrecision(3))]),
  );
  const adapters = {
    ...guard.adapters,
    [report.adapter.kind]: { measuredAt: report.measuredAt, cpu: report.machine.cpu, ratios },
  };
  writeTextFile(path, `${JSON.stringify({ ...guard, adapters }, null, 2)}\n`);
}
