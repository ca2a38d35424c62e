// The result of the benchmark as tables for a terminal.
import type { BenchReport } from '../bench/benchReport.ts';
import { type Column as BenchColumn, columns } from '../bench/pass.ts';
import type { Spread } from '../bench/spread.ts';
import type { ColumnRates, SteppingResult } from '../bench/steppingBench.ts';
import { formatTable } from '../table.ts';

const columnTitles: Record<BenchColumn, string> = {
  stepping: 'stepping alone',
  readback: '+ summary readback',
  policy: '+ greedy policy',
};

/** Three digits and a letter: 21.3 M. */
export function shortNumber(value: number): string {
  for (const [size, letter] of [
    [1e9, ' G'],
    [1e6, ' M'],
    [1e3, ' k'],
  ] as const) {
    if (value >= size) return `${(value / size).toPrecision(3)}${letter}`;
  }
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}

/** `21.3 M (20.9 M .. 21.6 M)` */
export function spreadText({ median, lowest, highest }: Spread, show: (value: number) => string): string {
  return `${show(median)} (${show(lowest)} .. ${show(highest)})`;
}

interface RateRow {
  readonly title: string;
  readonly show: (rates: ColumnRates) => string;
}

const rateRows: readonly RateRow[] = [
  { title: 'actor-ticks/s', show: (rates) => spreadText(rates.actorTicksPerSecond, shortNumber) },
  { title: 'env-ticks/s', show: (rates) => spreadText(rates.environmentTicksPerSecond, shortNumber) },
  { title: 'decisions/s', show: (rates) => spreadText(rates.decisionsPerSecond, shortNumber) },
  {
    title: 'time, relative',
    show: (rates) => spreadText(rates.relativeToStepping, (value) => value.toFixed(2)),
  },
];

function kernelLine({ kernelNanoseconds }: SteppingResult): string {
  if (kernelNanoseconds === null) return 'time per kernel: this adapter has no timestamp queries\n';
  const total = Object.values(kernelNanoseconds).reduce((sum, value) => sum + value, 0);
  const parts = Object.entries(kernelNanoseconds).map(
    ([kernel, value]) => `${kernel} ${(value / 1e6).toFixed(1)} ms (${((100 * value) / total).toFixed(1)} %)`,
  );
  return `time per kernel (a repetition with readback, starting the episodes included): ${parts.join(', ')}\n`;
}

/** Where the driver runs on the CPU, work per CPU second is what a busy machine does not falsify. */
function cpuRow({ work }: SteppingResult): RateRow {
  return {
    title: 'actor-ticks/CPU s',
    show: ({ cpuSeconds, seconds }) =>
      `${shortNumber(work.actorTicks / cpuSeconds.median)} (${(cpuSeconds.median / seconds.median).toFixed(1)} threads)`,
  };
}

function formatSize(result: SteppingResult, repetitions: number, runsOnCpu: boolean): string {
  const { environments, walkers, work, passesPerRepetition, readySeconds } = result;
  const heading = { title: `${environments} environments` };
  return (
    formatTable(
      [heading, ...columns.map((column) => ({ title: columnTitles[column], align: 'right' as const }))],
      [...rateRows, ...(runsOnCpu ? [cpuRow(result)] : [])].map(({ title, show }) => [
        title,
        ...columns.map((column) => show(result.columns[column])),
      ]),
    ) +
    `${walkers} walkers; ${repetitions} repetitions of ${passesPerRepetition} x ${work.decisions / passesPerRepetition} decisions, ` +
    `${shortNumber(work.environmentTicks)} env-ticks; ready after ${readySeconds.toFixed(1)} s\n` +
    `${kernelLine(result)}\n`
  );
}

interface SizeColumn {
  readonly title: string;
  readonly show: (result: SteppingResult, first: SteppingResult) => string;
}

function cpuMicroseconds({ columns: { stepping }, work }: SteppingResult): number {
  return (1e6 * stepping.cpuSeconds.median) / work.decisions;
}

const sizeColumns: readonly SizeColumn[] = [
  { title: 'environments', show: ({ environments }) => String(environments) },
  {
    title: 'us per decision',
    show: ({ microsecondsPerDecision }) => spreadText(microsecondsPerDecision, shortNumber),
  },
  {
    title: 'relative',
    show: (result, first) =>
      (result.microsecondsPerDecision.median / first.microsecondsPerDecision.median).toFixed(2),
  },
];

const cpuColumns: readonly SizeColumn[] = [
  { title: 'CPU us', show: (result) => shortNumber(cpuMicroseconds(result)) },
  {
    title: 'relative',
    show: (result, first) => (cpuMicroseconds(result) / cpuMicroseconds(first)).toFixed(2),
  },
];

const memoryColumns: readonly SizeColumn[] = [
  { title: 'GPU memory', show: ({ memory }) => mebibytes(memory.worldBytes + memory.batchBytes) },
  { title: 'of it maps', show: ({ memory }) => mebibytes(memory.worldBytes) },
  { title: 'KiB per env', show: ({ memory }) => (memory.batchBytesPerEnvironment / 1024).toFixed(1) },
];

function formatSizes(sizes: readonly SteppingResult[], runsOnCpu: boolean): string {
  const shown = [...sizeColumns, ...(runsOnCpu ? cpuColumns : []), ...memoryColumns];
  return formatTable(
    shown.map(({ title }) => ({ title, align: 'right' as const })),
    sizes.map((result) => shown.map(({ show }) => show(result, sizes[0]!))),
  );
}

function formatEpisodes({ episodes, workload }: BenchReport, runsOnCpu: boolean): string {
  if (episodes === null) return '';
  const { mode, difficulty, policy, latency, profile } = workload;
  return (
    `\n${episodes.episodes} episodes end to end (${difficulty}, ${mode}, ${profile}, ${policy}, ${latency}; ${episodes.environments} environments, records written):\n` +
    `${episodes.seconds.toFixed(1)} s, of it ${episodes.startSeconds.toFixed(1)} s until the first decisions were through` +
    `${runsOnCpu ? ` (${episodes.cpuSeconds.toFixed(1)} CPU seconds)` : ''}; ` +
    `${shortNumber(episodes.episodesPerSecond)} episodes/s, ${shortNumber(episodes.decisionsPerSecond)} decisions/s, ` +
    `${shortNumber(episodes.simSecondsPerSecond)} simulated s/s\n`
  );
}

/** The whole report as text. */
export function formatBench(report: BenchReport): string {
  const { adapter, machine, simulator, workload, options } = report;
  const runsOnCpu = adapter.kind !== 'hardware';
  return [
    `adapter   ${adapter.description}\n`,
    `cpu       ${machine.cpu}, ${machine.threads} threads, load ${machine.loadBefore.toFixed(2)} before\n`,
    `versions  rtsafe ${simulator.rtsafe}, webgpu ${simulator.webgpu}, Node ${machine.node}, ${machine.platform}\n`,
    `work      ${workload.routes} routes, ${workload.difficulty}, ${workload.mode}, ${workload.profile}, ${workload.policy}, ` +
      `${workload.latency}: the first ${options.decisions} decisions of every episode\n`,
    'All numbers: median (lowest .. highest). An actor-tick is one tick (0.1 s) of one pedestrian or robot dog that is present;\n',
    'falling objects, balls, boxes and cars are simulated as well but not counted.\n\n',
    ...report.sizes.map((result) => formatSize(result, options.repetitions, runsOnCpu)),
    formatSizes(report.sizes, runsOnCpu),
    formatEpisodes(report, runsOnCpu),
  ].join('');
}
