// The result of the benchmark as tables for a terminal.
import { counted } from '../counted.ts';
import { formatTable } from '../table.ts';
import { type BenchReport, readingOf } from './benchReport.ts';
import type { BenchTable } from './suite.ts';
import { suites } from './suites.ts';

/** What was measured, and on what: name and text. */
export function benchFacts({
  adapter,
  machine,
  simulator,
  workload,
  options,
}: BenchReport): [string, string][] {
  return [
    ['adapter', adapter.description],
    [
      'cpu',
      `${machine.cpu}, ${counted(machine.threads, 'thread')}, load ${machine.loadBefore.toFixed(2)} before`,
    ],
    [
      'versions',
      `rtsafe ${simulator.rtsafe}, webgpu ${simulator.webgpu}, Node ${machine.node}, ${machine.platform}`,
    ],
    [
      'work',
      `${counted(workload.routes, 'route')}, ${workload.difficulty}, ${workload.mode}, ${workload.profile}, ${workload.policy}, ` +
        `${workload.latency}: the first ${counted(options.decisions, 'decision')} of every episode`,
    ],
  ];
}

/** How to read all tables. */
export const readingNotes = [
  'All numbers: median (lowest .. highest). An actor-tick is one tick (0.1 s) of one pedestrian or robot dog that is present;',
  'falling objects, balls, boxes and cars are simulated as well but not counted.',
] as const;

function tableText({ columns, rows, notes }: BenchTable): string {
  return formatTable(columns, rows) + notes.map((note) => `${note}\n`).join('');
}

/** The whole report as text. */
export function formatBench(report: BenchReport): string {
  const facts = benchFacts(report);
  const width = Math.max(...facts.map(([name]) => name.length)) + 2;
  const tables = suites
    .filter(({ name }) => name in report.suites)
    .flatMap((suite) => suite.tables(report.suites[suite.name], readingOf(report)));
  return [
    ...facts.map(([name, text]) => `${name.padEnd(width)}${text}\n`),
    ...readingNotes.map((note) => `${note}\n`),
    ...tables.map((table) => `\n${tableText(table)}`),
  ].join('');
}
