// Suite `step`: how fast the batch steps at each size, in three columns.

import * as Plot from '@observablehq/plot';
import { counted } from '../counted.ts';
import { drawPlot } from '../report/drawPlot.ts';
import { shortNumber, spreadText, twoDigits } from './numberText.ts';
import { type Column, columns } from './pass.ts';
import { benchStepping, type ColumnRates, type SteppingResult } from './steppingBench.ts';
import { anySuite, type BenchFigure, type BenchTable, type Metric, type Reading } from './suite.ts';

export interface StepResult {
  readonly sizes: readonly SteppingResult[];
}

const columnTitles: Record<Column, string> = {
  stepping: 'stepping alone',
  readback: '+ summary readback',
  policy: '+ greedy policy',
};

interface RateRow {
  readonly title: string;
  readonly show: (rates: ColumnRates) => string;
}

const rateRows: readonly RateRow[] = [
  { title: 'actor-ticks/s', show: (rates) => spreadText(rates.actorTicksPerSecond, shortNumber) },
  { title: 'env-ticks/s', show: (rates) => spreadText(rates.environmentTicksPerSecond, shortNumber) },
  { title: 'decisions/s', show: (rates) => spreadText(rates.decisionsPerSecond, shortNumber) },
  { title: 'time, relative', show: (rates) => spreadText(rates.relativeToStepping, twoDigits) },
];

/** Where the driver runs on the CPU, work per CPU second is what a busy machine does not falsify. */
function cpuRow({ work }: SteppingResult): RateRow {
  return {
    title: 'actor-ticks/CPU s',
    show: ({ cpuSeconds, seconds }) =>
      `${shortNumber(work.actorTicks / cpuSeconds.median)} (${(cpuSeconds.median / seconds.median).toFixed(1)} threads)`,
  };
}

function kernelNote({ kernelNanoseconds }: SteppingResult): string {
  if (kernelNanoseconds === null) return 'time per kernel: this adapter has no timestamp queries';
  const total = Object.values(kernelNanoseconds).reduce((sum, value) => sum + value, 0);
  const parts = Object.entries(kernelNanoseconds).map(
    ([kernel, value]) => `${kernel} ${(value / 1e6).toFixed(1)} ms (${((100 * value) / total).toFixed(1)} %)`,
  );
  return `time per kernel (a repetition with readback, starting the episodes included): ${parts.join(', ')}`;
}

function sizeTable(result: SteppingResult, { runsOnCpu }: Reading): BenchTable {
  const { environments, walkers, work, passesPerRepetition, repetitions, readySeconds } = result;
  return {
    columns: [
      { title: counted(environments, 'environment') },
      ...columns.map((column) => ({ title: columnTitles[column], align: 'right' as const })),
    ],
    rows: [...rateRows, ...(runsOnCpu ? [cpuRow(result)] : [])].map(({ title, show }) => [
      title,
      ...columns.map((column) => show(result.columns[column])),
    ]),
    notes: [
      `${counted(walkers, 'walker')}; ${counted(repetitions, 'repetition')} of ${passesPerRepetition} x ${counted(work.decisions / passesPerRepetition, 'decision')}, ` +
        `${shortNumber(work.environmentTicks)} env-ticks; ready after ${readySeconds.toFixed(1)} s`,
      kernelNote(result),
    ],
  };
}

/** CPU microseconds of stepping alone for one decision of one environment, at best. */
export function cpuMicroseconds({ columns: { stepping }, work }: SteppingResult): number {
  return (1e6 * stepping.cpuSeconds.lowest) / work.decisions;
}

interface ScalingColumn {
  readonly title: string;
  readonly show: (result: SteppingResult, first: SteppingResult) => string;
}

const wallColumns: readonly ScalingColumn[] = [
  { title: 'environments', show: ({ environments }) => String(environments) },
  {
    title: 'us per decision',
    show: ({ microsecondsPerDecision }) => spreadText(microsecondsPerDecision, shortNumber),
  },
  {
    title: 'relative',
    show: (result, first) =>
      twoDigits(result.microsecondsPerDecision.median / first.microsecondsPerDecision.median),
  },
];

const cpuColumns: readonly ScalingColumn[] = [
  { title: 'CPU us, least', show: (result) => shortNumber(cpuMicroseconds(result)) },
  {
    title: 'relative',
    show: (result, first) => twoDigits(cpuMicroseconds(result) / cpuMicroseconds(first)),
  },
];

function scalingTable({ sizes }: StepResult, { runsOnCpu }: Reading): BenchTable {
  const shown = [...wallColumns, ...(runsOnCpu ? cpuColumns : [])];
  return {
    columns: shown.map(({ title }) => ({ title, align: 'right' })),
    rows: sizes.map((result) => shown.map(({ show }) => show(result, sizes[0]!))),
    notes: [],
  };
}

function scalingFigure({ sizes }: StepResult): BenchFigure {
  const points = columns.map((column, place) => ({
    color: `var(--series-${place + 1})`,
    title: columnTitles[column],
    rates: sizes.map(({ environments, columns: rates }) => {
      const { median, lowest, highest } = rates[column].actorTicksPerSecond;
      return { environments, median, lowest, highest };
    }),
  }));
  const svg = drawPlot(
    {
      width: 480,
      height: 300,
      marginLeft: 64,
      marginBottom: 42,
      marginRight: 130,
      x: {
        type: 'log',
        label: 'environments in the batch',
        labelAnchor: 'center',
        labelArrow: 'none',
        ticks: sizes.map(({ environments }) => environments),
        tickFormat: String as never,
      },
      y: { grid: true, zero: true, ticks: 5, tickFormat: 's', label: 'actor-ticks/s', labelArrow: 'none' },
      marks: [
        Plot.ruleY([0], { stroke: 'currentColor', strokeOpacity: 0.5 }),
        ...points.flatMap(({ color, title, rates }): Plot.Markish[] => [
          Plot.line(rates, { x: 'environments', y: 'median', stroke: color, strokeWidth: 2 }),
          Plot.ruleX(rates, { x: 'environments', y1: 'lowest', y2: 'highest', stroke: color }),
          Plot.dot(rates, { x: 'environments', y: 'median', fill: color, r: 4 }),
          Plot.text(rates.slice(-1), {
            x: 'environments',
            y: 'median',
            text: () => title,
            textAnchor: 'start',
            dx: 8,
            fill: 'currentColor',
          }),
        ]),
      ],
    },
    'Actor-ticks per second against batch size, alone, with readback and with a policy; the numbers are in the tables',
  );
  return { svg, caption: 'Median and range of the repetitions. All columns do the same work.' };
}

function stepMetrics({ sizes }: StepResult, { runsOnCpu }: Reading): Metric[] {
  return sizes.flatMap((result) => [
    ...columns.map((column) => ({
      name: `${counted(result.environments, 'environment')}, ${columnTitles[column]}`,
      unit: 'actor-ticks/s',
      better: 'higher' as const,
      ...result.columns[column].actorTicksPerSecond,
    })),
    ...(runsOnCpu ? [cpuMetric(result)] : []),
  ]);
}

function cpuMetric({ environments, work, columns: { stepping } }: SteppingResult): Metric {
  const { median, lowest, highest } = stepping.cpuSeconds;
  return {
    name: `${counted(environments, 'environment')}, ${columnTitles.stepping}`,
    unit: 'actor-ticks/CPU s',
    better: 'higher',
    median: work.actorTicks / median,
    lowest: work.actorTicks / highest,
    highest: work.actorTicks / lowest,
  };
}

export const stepSuite = anySuite<StepResult>({
  name: 'step',
  about: 'stepping at each size, alone, with readback, with a policy',
  repetitions: ({ sizes, repetitions }) => sizes.length * columns.length * repetitions,
  async measure({ device, workload, options, onRepetition, say, signal }) {
    const walkers: number[] = [];
    const sizes: SteppingResult[] = [];
    for (const environments of options.sizes) {
      say(`step: ${counted(environments, 'environment')}`);
      sizes.push(await benchStepping(device, workload, environments, options, walkers, onRepetition, signal));
    }
    return { sizes };
  },
  tables: (result, reading) => [
    ...result.sizes.map((size) => sizeTable(size, reading)),
    scalingTable(result, reading),
  ],
  figures: (result) => [scalingFigure(result)],
  metrics: stepMetrics,
});
