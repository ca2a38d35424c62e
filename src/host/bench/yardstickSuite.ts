// Suite `yardstick`: the kernels against the same walkers in native code on the same cores, by turns.

import { availableParallelism } from 'node:os';
import * as Plot from '@observablehq/plot';
import { counted } from '../counted.ts';
import { RunError } from '../errors.ts';
import { drawPlot } from '../report/drawPlot.ts';
import { countWalkers } from './benchDevice.ts';
import { buildNative } from './native/buildNative.ts';
import { differenceOf } from './native/compareWalkers.ts';
import { NativeScenarios, type NativeStepping, nativeSteppings } from './native/runNative.ts';
import { recordWaiting, waitingRunOptions } from './native/waitingPass.ts';
import { shortNumber, spreadText, threeDigits } from './numberText.ts';
import { PolicyDesk, timePass } from './pass.ts';
import { type Spread, spreadOf } from './spread.ts';
import { anySuite, type BenchFigure, type BenchTable, type Metric, type Reading, sizeUpTo } from './suite.ts';
import type { Duration } from './timer.ts';
import { makeWorkload } from './workload.ts';

const mostEnvironments = 1024;

interface Rates {
  readonly actorTicksPerSecond: Spread;
  readonly actorTicksPerCpuSecond: Spread;
}

interface NativeRates extends Rates {
  /** Kernels over native code, in the same repetition: by wall time, and by CPU seconds. */
  readonly ratio: Spread;
  readonly cpuRatio: Spread;
}

export interface YardstickResult {
  readonly environments: number;
  readonly walkers: number;
  readonly actorTicks: number;
  readonly repetitions: number;
  readonly kernels: Rates;
  readonly native: {
    readonly compiler: string;
    readonly threads: number;
    readonly steppings: Readonly<Record<NativeStepping, NativeRates>>;
  } | null;
  /** Why there is no native code; null where there is. */
  readonly missing: string | null;
}

const steppingTitles: Record<NativeStepping, string> = {
  tickwise: 'native, tick by tick',
  periodwise: 'native, 0.5 s at once far from the agent',
};

/** What was measured in one repetition: seconds of one pass. */
type Turn = Readonly<Record<'kernels' | NativeStepping, Duration>>;

function ratesOf(turns: readonly Turn[], which: keyof Turn, actorTicks: number): Rates {
  return {
    actorTicksPerSecond: spreadOf(turns.map((turn) => actorTicks / turn[which].seconds)),
    actorTicksPerCpuSecond: spreadOf(turns.map((turn) => actorTicks / turn[which].cpuSeconds)),
  };
}

function nativeRatesOf(turns: readonly Turn[], which: NativeStepping, actorTicks: number): NativeRates {
  return {
    ...ratesOf(turns, which, actorTicks),
    ratio: spreadOf(turns.map((turn) => turn[which].seconds / turn.kernels.seconds)),
    cpuRatio: spreadOf(turns.map((turn) => turn[which].cpuSeconds / turn.kernels.cpuSeconds)),
  };
}

function yardstickTable(result: YardstickResult, { runsOnCpu }: Reading): BenchTable {
  const { kernels, native, missing, environments, walkers, actorTicks, repetitions } = result;
  const row = (title: string, rates: Rates, ratios: Partial<NativeRates>) => [
    title,
    spreadText(rates.actorTicksPerSecond, shortNumber),
    ratios.ratio === undefined ? '' : spreadText(ratios.ratio, threeDigits),
    ...(runsOnCpu
      ? [
          spreadText(rates.actorTicksPerCpuSecond, shortNumber),
          ratios.cpuRatio === undefined ? '' : spreadText(ratios.cpuRatio, threeDigits),
        ]
      : []),
  ];
  const ratioTitle = 'kernels / native';
  return {
    columns: [
      { title: 'walkers only, agent standing' },
      { title: 'actor-ticks/s', align: 'right' },
      { title: ratioTitle, align: 'right' },
      ...(runsOnCpu
        ? [
            { title: 'actor-ticks/CPU s', align: 'right' as const },
            { title: ratioTitle, align: 'right' as const },
          ]
        : []),
    ],
    rows: [
      row('kernels', kernels, {}),
      ...(native === null
        ? []
        : nativeSteppings.map((stepping) =>
            row(steppingTitles[stepping], native.steppings[stepping], native.steppings[stepping]),
          )),
    ],
    notes: [
      `${counted(environments, 'environment')}, ${counted(walkers, 'walker')}, ${shortNumber(actorTicks)} actor-ticks; ${counted(repetitions, 'repetition')} by turns`,
      native === null
        ? `no native yardstick: ${missing}`
        : `native: ${counted(native.threads, 'thread')}, ${native.compiler}; every walker and count ended equal to the kernels' ` +
          '(the conflict measures, which the kernels cannot leave out, are not computed natively)',
    ],
  };
}

function yardstickFigure({ kernels, native }: YardstickResult): BenchFigure {
  const bars = [
    { title: 'kernels', ...kernels.actorTicksPerSecond },
    ...(native === null
      ? []
      : nativeSteppings.map((stepping) => ({
          title: steppingTitles[stepping],
          ...native.steppings[stepping].actorTicksPerSecond,
        }))),
  ];
  const svg = drawPlot(
    {
      width: 480,
      height: 50 + 30 * bars.length,
      marginLeft: 250,
      marginBottom: 42,
      x: {
        grid: true,
        zero: true,
        ticks: 4,
        tickFormat: 's',
        label: 'actor-ticks/s',
        labelAnchor: 'center',
        labelArrow: 'none',
      },
      y: { domain: bars.map(({ title }) => title), label: null, padding: 0.3 },
      marks: [
        Plot.barX(bars, { x: 'median', y: 'title', fill: 'var(--series-1)' }),
        Plot.ruleY(bars, { x1: 'lowest', x2: 'highest', y: 'title', stroke: 'currentColor' }),
      ],
    },
    'Actor-ticks per second of the kernels and of native code; the numbers are in the table',
  );
  return { svg, caption: 'Median and range of the repetitions, on all cores.' };
}

function yardstickMetrics(
  { environments, kernels, native }: YardstickResult,
  { runsOnCpu }: Reading,
): Metric[] {
  const name = `${counted(environments, 'environment')}, walkers only`;
  return [
    { name, unit: 'actor-ticks/s', better: 'higher', ...kernels.actorTicksPerSecond },
    ...(native === null
      ? []
      : nativeSteppings.map((stepping) => {
          const { ratio, cpuRatio } = native.steppings[stepping];
          return {
            name: `${name}, kernels over ${stepping} native code`,
            unit: runsOnCpu ? 'ratio of CPU s' : 'ratio',
            better: 'higher' as const,
            ...(runsOnCpu ? cpuRatio : ratio),
          };
        })),
  ];
}

export const yardstickSuite = anySuite<YardstickResult>({
  name: 'yardstick',
  about: 'the kernels against the same walkers in native code on the same cores',
  repetitions: ({ repetitions }) => repetitions,
  async measure({ device, options, runOptions, onRepetition, say, signal }) {
    const environments = sizeUpTo(options.sizes, mostEnvironments);
    const workload = await makeWorkload(environments, (seeds) => waitingRunOptions(seeds, runOptions));
    const built = await buildNative();
    const program = 'missing' in built ? undefined : built;
    say(`yardstick: ${counted(environments, 'environment')}, ${program?.compiler ?? 'kernels alone'}`);
    const batch = await device.createBatch(environments);
    const threads = availableParallelism();
    let native: NativeScenarios | undefined;
    try {
      const { pass, scenarios, after } = await recordWaiting(batch, workload, options.decisions);
      native = new NativeScenarios(scenarios);
      const counts = scenarios.starts.map(countWalkers);
      const actorTicks = pass.ticks.reduce((sum, ticks, env) => sum + ticks * counts[env]!, 0);
      const desk = new PolicyDesk(workload, environments);
      const runNatively = async (stepping: NativeStepping): Promise<Duration> => {
        const {
          runs,
          seconds,
          cpuSeconds,
          after: found,
        } = await native!.run(program!, stepping, threads, options.minimumSeconds / 2);
        const difference = differenceOf(after, found);
        if (difference !== undefined)
          throw new RunError(`bench: kernels and native code differ in ${difference}`);
        return { seconds: seconds / runs, cpuSeconds: cpuSeconds / runs };
      };
      const nothing: Duration = { seconds: Number.NaN, cpuSeconds: Number.NaN };
      const turns: Turn[] = [];
      for (let repetition = 0; repetition < options.repetitions; repetition++) {
        turns.push({
          kernels: await timePass(batch, workload, desk, pass, 'stepping'),
          tickwise: program === undefined ? nothing : await runNatively('tickwise'),
          periodwise: program === undefined ? nothing : await runNatively('periodwise'),
        });
        onRepetition(pass.decisions);
        if (signal?.aborted) throw new RunError('bench: stopped');
      }
      const rates = (stepping: NativeStepping) => nativeRatesOf(turns, stepping, actorTicks);
      return {
        environments,
        walkers: counts.reduce((sum, count) => sum + count, 0),
        actorTicks,
        repetitions: options.repetitions,
        kernels: ratesOf(turns, 'kernels', actorTicks),
        native:
          program === undefined
            ? null
            : {
                compiler: program.compiler,
                threads,
                steppings: { tickwise: rates('tickwise'), periodwise: rates('periodwise') },
              },
        missing: 'missing' in built ? built.missing : null,
      };
    } finally {
      native?.remove();
      await batch.destroy();
    }
  },
  tables: (result, reading) => [yardstickTable(result, reading)],
  figures: (result) => [yardstickFigure(result)],
  metrics: yardstickMetrics,
});
