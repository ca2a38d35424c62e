// Two results of `rtsafe bench` side by side.
import { counted } from '../counted.ts';
import { checkJson } from '../input/jsonFault.ts';
import { parseJson, readTextFile } from '../input/readTextFile.ts';
import { formatTable } from '../table.ts';
import { benchOutput, type ComparableReport, comparableSchema } from './benchReport.ts';
import { shortNumber, spreadText, twoDigits } from './numberText.ts';
import type { Spread } from './spread.ts';
import type { Metric } from './suite.ts';

const mostBytes = 16 * 1024 ** 2;

/** @throws UsageError for a file that is no result of `rtsafe bench --json`. */
export function readBenchReport(path: string): ComparableReport {
  const text = readTextFile(path, benchOutput, mostBytes);
  return checkJson(comparableSchema, parseJson(text, path), path);
}

/** Shares may be 0 in both, and are equal then. */
function over(numerator: number, denominator: number): number {
  return numerator === denominator ? 1 : numerator / denominator;
}

/** Second over first: the medians, and the range that both ranges leave. */
export function ratioOf(first: Spread, second: Spread): Spread {
  return {
    median: over(second.median, first.median),
    lowest: over(second.lowest, first.highest),
    highest: over(second.highest, first.lowest),
  };
}

/** Is the difference larger than what the repetitions differ by? */
export function verdictOf({ better }: Metric, { lowest, highest }: Spread): 'better' | 'worse' | '' {
  if (lowest <= 1 && highest >= 1) return '';
  return highest > 1 === (better === 'higher') ? 'better' : 'worse';
}

function conditionsOf({ adapter, machine, simulator, options }: ComparableReport): [string, string][] {
  return [
    ['adapter', adapter.description],
    ['cpu', `${machine.cpu}, ${counted(machine.threads, 'thread')}`],
    ['system', `${machine.platform}, Node ${machine.node}, webgpu ${simulator.webgpu}`],
    ['rtsafe', `${simulator.rtsafe}, shaders ${simulator.shaders.slice(0, 12)}`],
    [
      'work',
      `${counted(options.decisions, 'decision')} a pass, ${counted(options.repetitions, 'repetition')}`,
    ],
    ['load before', machine.loadBefore.toFixed(1)],
  ];
}

/** Where the two were measured under different conditions, a line each. */
export function differencesOf(first: ComparableReport, second: ComparableReport): string[] {
  const others = conditionsOf(second);
  return conditionsOf(first).flatMap(([name, text], place) => {
    const other = others[place]![1];
    return text === other ? [] : [`${name.padEnd(12)}${text}  ->  ${other}`];
  });
}

interface Compared {
  readonly suite: string;
  readonly metric: Metric;
  readonly other: Metric;
}

function pairsOf(first: ComparableReport, second: ComparableReport): Compared[] {
  const others = new Map(Object.entries(second.metrics));
  return Object.entries(first.metrics).flatMap(([suite, metrics]) =>
    metrics.flatMap((metric) => {
      const other = others.get(suite)?.find(({ name, unit }) => name === metric.name && unit === metric.unit);
      return other === undefined ? [] : [{ suite, metric, other }];
    }),
  );
}

function metricCount({ metrics }: ComparableReport): number {
  return Object.values(metrics).flat().length;
}

/** A table of ratios, second over first, as text. */
export function formatComparison(first: ComparableReport, second: ComparableReport): string {
  const pairs = pairsOf(first, second);
  const differences = differencesOf(first, second);
  const left = metricCount(first) + metricCount(second) - 2 * pairs.length;
  return [
    `${first.measuredAt}  ->  ${second.measuredAt}\n`,
    ...(differences.length === 0 ? [] : ['What differs besides the numbers:\n']),
    ...differences.map((line) => `  ${line}\n`),
    '\n',
    formatTable(
      [
        { title: 'suite' },
        { title: 'measured' },
        { title: 'unit' },
        ...['first', 'second', 'second / first'].map((title) => ({ title, align: 'right' as const })),
        { title: '' },
      ],
      pairs.map(({ suite, metric, other }) => {
        const ratio = ratioOf(metric, other);
        return [
          suite,
          metric.name,
          metric.unit,
          shortNumber(metric.median),
          shortNumber(other.median),
          Number.isFinite(ratio.median) ? spreadText(ratio, twoDigits) : 'from 0',
          verdictOf(metric, ratio),
        ];
      }),
    ),
    '\nRatio of the medians (lowest .. highest that the ranges of both leave); better or worse is said where that range is off 1.\n' +
      'What was measured once has no range: there any difference is called one.\n',
    ...(left === 0 ? [] : [`${counted(left, 'number is', 'numbers are')} in one of the two only.\n`]),
  ].join('');
}
