// Suite `roofline`: each kernel's time beside the time that this machine needs at least for its bytes, operations and dispatches,
// by ceilings measured in the same run.

import * as Plot from '@observablehq/plot';
import { type Ceiling, ceilingWork } from '../../kernels/ceilings.ts';
import { counted } from '../counted.ts';
import { RunError } from '../errors.ts';
import { drawPlot } from '../report/drawPlot.ts';
import { type KernelName, type KernelWork, kernelWork } from './kernelWork.ts';
import { percent, shortNumber, spreadText, twoDigits } from './numberText.ts';
import { PolicyDesk, recordPass, timePass } from './pass.ts';
import { measuredOnce, type Spread, spreadOf } from './spread.ts';
import type { BenchContext } from './suite.ts';
import { anySuite, type BenchFigure, type BenchTable, type Metric, sizeUpTo } from './suite.ts';
import { startTimer } from './timer.ts';

const mostEnvironments = 1024;
/** A measurement of a ceiling is so long at least. */
const ceilingSeconds = 0.1;
const mostDispatches = 100_000;

interface KernelRoof extends KernelWork {
  /** The shortest of the repetitions: the one that other work on the machine met least. */
  readonly seconds: number;
}

export interface RooflineResult {
  readonly environments: number;
  readonly repetitions: number;
  readonly ceilings: {
    /** Bytes read and written by a kernel that only copies; by the driver's own copy of a buffer. */
    readonly bytesPerSecond: Spread;
    readonly transferBytesPerSecond: Spread;
    readonly operationsPerSecond: Spread;
    readonly secondsPerDispatch: Spread;
    /** One submission of one empty dispatch, and waiting for it. */
    readonly secondsPerSubmission: Spread;
  };
  /** Null where the adapter has no timestamp queries. */
  readonly kernels: Readonly<Record<KernelName, KernelRoof>> | null;
}

async function measureCeilings({ device, options }: BenchContext): Promise<RooflineResult['ceilings']> {
  const kernels = await device.createCeilings();
  try {
    const secondsOf = async (ceiling: Ceiling, dispatches: number) => {
      const readTimer = startTimer();
      await kernels.run(ceiling, dispatches);
      return readTimer().seconds;
    };
    /** Seconds of one dispatch, in each repetition. */
    const measure = async (ceiling: Ceiling): Promise<number[]> => {
      await kernels.run(ceiling, 1);
      let dispatches = 1;
      while (dispatches < mostDispatches && (await secondsOf(ceiling, dispatches)) < ceilingSeconds)
        dispatches *= 4;
      const seconds: number[] = [];
      for (let repetition = 0; repetition < options.repetitions; repetition++)
        seconds.push((await secondsOf(ceiling, dispatches)) / dispatches);
      return seconds;
    };
    const rate = async (ceiling: Ceiling) =>
      spreadOf((await measure(ceiling)).map((seconds) => ceilingWork[ceiling] / seconds));
    const bytesPerSecond = await rate('copy');
    const transferBytesPerSecond = await rate('transfer');
    const operationsPerSecond = await rate('integer');
    const secondsPerDispatch = spreadOf(await measure('dispatch'));
    const submissions: number[] = [];
    for (let repetition = 0; repetition < options.repetitions; repetition++)
      submissions.push(await secondsOf('dispatch', 1));
    return {
      bytesPerSecond,
      transferBytesPerSecond,
      operationsPerSecond,
      secondsPerDispatch,
      secondsPerSubmission: spreadOf(submissions),
    };
  } finally {
    kernels.destroy();
  }
}

async function measureKernels(
  { device, workload, options, onRepetition, signal }: BenchContext,
  environments: number,
): Promise<RooflineResult['kernels']> {
  const batch = await device.createBatch(environments);
  try {
    const { simulator } = batch;
    const { kernelTimes } = simulator;
    if (kernelTimes === undefined) return null;
    const desk = new PolicyDesk(workload, environments);
    const pass = await recordPass(batch, workload, desk, options.decisions);
    // As they end the pass: who is there does not change.
    const ends = await batch.readEnvironments(Array.from({ length: environments }, (_, env) => env));
    const work = kernelWork(pass, ends);
    const names = Object.keys(work) as KernelName[];
    const shortest = Object.fromEntries(names.map((name) => [name, Number.POSITIVE_INFINITY]));
    for (let repetition = 0; repetition < options.repetitions; repetition++) {
      const before = { ...kernelTimes };
      await timePass(batch, workload, desk, pass, 'readback');
      for (const name of names)
        shortest[name] = Math.min(shortest[name]!, (kernelTimes[name] - before[name]) / 1e9);
      onRepetition(pass.decisions);
      if (signal?.aborted) throw new RunError('bench: stopped');
    }
    return Object.fromEntries(
      names.map((name) => [name, { ...work[name], seconds: shortest[name]! }]),
    ) as RooflineResult['kernels'];
  } finally {
    await batch.destroy();
  }
}

/** The faster of a copying kernel and the driver's own copy: on a CPU driver a kernel's loads come nowhere near the memory's. */
function memoryCeiling({ bytesPerSecond, transferBytesPerSecond }: RooflineResult['ceilings']): number {
  return Math.max(bytesPerSecond.highest, transferBytesPerSecond.highest);
}

/** The least seconds that the ceilings leave for a kernel's work, and which of them it is. */
export function roofOf(
  { bytes, operations, dispatches }: KernelWork,
  ceilings: RooflineResult['ceilings'],
): { readonly seconds: number; readonly limit: 'memory' | 'arithmetic' | 'dispatch' } {
  const { operationsPerSecond, secondsPerDispatch } = ceilings;
  const limits = [
    { limit: 'memory' as const, seconds: bytes / memoryCeiling(ceilings) },
    { limit: 'arithmetic' as const, seconds: (operations ?? 0) / operationsPerSecond.highest },
    { limit: 'dispatch' as const, seconds: dispatches * secondsPerDispatch.lowest },
  ];
  return limits.reduce((longest, other) => (other.seconds > longest.seconds ? other : longest));
}

function microseconds(seconds: number): string {
  return shortNumber(1e6 * seconds);
}

function ceilingTable({ ceilings }: RooflineResult): BenchTable {
  return {
    columns: [{ title: 'ceilings of this machine' }, { title: '', align: 'right' }],
    rows: [
      ['copying kernel, bytes/s', spreadText(ceilings.bytesPerSecond, shortNumber)],
      ['copy by the driver, bytes/s', spreadText(ceilings.transferBytesPerSecond, shortNumber)],
      ['integer operations/s', spreadText(ceilings.operationsPerSecond, shortNumber)],
      ['a dispatch, us', spreadText(ceilings.secondsPerDispatch, microseconds)],
      ['a submission and its end, us', spreadText(ceilings.secondsPerSubmission, microseconds)],
    ],
    notes: [],
  };
}

function kernelTable({ kernels, ceilings, environments, repetitions }: RooflineResult): BenchTable {
  const titles = [
    'ms',
    'MB',
    'GB/s',
    'M ops',
    'G ops/s',
    'ops/byte',
    'dispatches',
    'at least, ms',
    'of its time',
    'by',
  ];
  const rows = Object.entries(kernels ?? {}).map(([name, kernel]) => {
    const { seconds, bytes, operations, dispatches } = kernel;
    const roof = roofOf(kernel, ceilings);
    return [
      name,
      twoDigits(1000 * seconds),
      twoDigits(bytes / 1e6),
      twoDigits(bytes / seconds / 1e9),
      operations === null ? '–' : twoDigits(operations / 1e6),
      operations === null ? '–' : twoDigits(operations / seconds / 1e9),
      operations === null ? '–' : twoDigits(operations / bytes),
      String(dispatches),
      twoDigits(1000 * roof.seconds),
      percent(roof.seconds / seconds),
      roof.limit,
    ];
  });
  return {
    columns: [{ title: 'kernel' }, ...titles.map((title) => ({ title, align: 'right' as const }))],
    rows,
    notes: [
      kernels === null
        ? 'time per kernel: this adapter has no timestamp queries'
        : `${counted(environments, 'environment')}, the shortest of ${counted(repetitions, 'pass', 'passes')}. Bytes and operations are what the rules ask for at least (docs/performance.md), not what the compiled kernel executes`,
    ],
  };
}

function rooflineFigure({ kernels, ceilings }: RooflineResult): BenchFigure[] {
  const points = Object.entries(kernels ?? {}).flatMap(([name, { seconds, bytes, operations }]) =>
    operations === null ? [] : [{ name, intensity: operations / bytes, rate: operations / seconds }],
  );
  if (points.length === 0) return [];
  const bandwidth = memoryCeiling(ceilings);
  const most = ceilings.operationsPerSecond.highest;
  const intensities = [...points.map(({ intensity }) => intensity), most / bandwidth];
  const low = Math.min(...intensities) / 4;
  const high = Math.max(...intensities) * 4;
  const roof = [low, most / bandwidth, high].map((intensity) => ({
    intensity,
    rate: Math.min(most, intensity * bandwidth),
  }));
  const svg = drawPlot(
    {
      width: 480,
      height: 300,
      marginLeft: 64,
      marginBottom: 42,
      marginRight: 80,
      x: {
        type: 'log',
        domain: [low, high],
        label: 'operations per byte',
        labelAnchor: 'center',
        labelArrow: 'none',
      },
      y: { type: 'log', grid: true, tickFormat: 's', label: 'operations/s', labelArrow: 'none' },
      marks: [
        Plot.line(roof, { x: 'intensity', y: 'rate', stroke: 'currentColor', strokeWidth: 2 }),
        Plot.dot(points, { x: 'intensity', y: 'rate', fill: 'var(--series-1)', r: 5 }),
        Plot.text(points, {
          x: 'intensity',
          y: 'rate',
          text: 'name',
          textAnchor: 'start',
          dx: 9,
          fill: 'currentColor',
        }),
      ],
    },
    'Roofline: rate of operations of each kernel under the ceilings of memory and arithmetic; the numbers are in the table',
  );
  return [
    {
      svg,
      caption:
        'The line is what this machine can do: copying on the slope, integer arithmetic on the flat. Kernels without counted operations are in the table only.',
    },
  ];
}

function rooflineMetrics({ kernels, ceilings, environments }: RooflineResult): Metric[] {
  return [
    { name: 'copying kernel', unit: 'bytes/s', better: 'higher', ...ceilings.bytesPerSecond },
    {
      name: 'copy by the driver',
      unit: 'bytes/s',
      better: 'higher',
      ...ceilings.transferBytesPerSecond,
    },
    { name: 'integer arithmetic', unit: 'operations/s', better: 'higher', ...ceilings.operationsPerSecond },
    { name: 'a dispatch', unit: 's', better: 'lower', ...ceilings.secondsPerDispatch },
    ...Object.entries(kernels ?? {}).map(([name, { seconds }]) => ({
      name: `${counted(environments, 'environment')}, kernel ${name}`,
      unit: 's',
      better: 'lower' as const,
      ...measuredOnce(seconds),
    })),
  ];
}

export const rooflineSuite = anySuite<RooflineResult>({
  name: 'roofline',
  about: 'bytes and operations of each kernel against what this machine can do at most',
  repetitions: ({ repetitions }) => repetitions,
  async measure(context) {
    const environments = sizeUpTo(context.options.sizes, mostEnvironments);
    context.say(`roofline: ceilings, then ${counted(environments, 'environment')}`);
    return {
      environments,
      repetitions: context.options.repetitions,
      ceilings: await measureCeilings(context),
      kernels: await measureKernels(context, environments),
    };
  },
  tables: (result) => [ceilingTable(result), kernelTable(result)],
  figures: rooflineFigure,
  metrics: rooflineMetrics,
});
