// The tables of a report as CSV and as Markdown.

import type { Estimate } from './estimates.ts';
import { boundForm, noNumber, numberText, valueAt } from './numberText.ts';
import type { Report } from './reportData.ts';
import {
  actionTable,
  type Cell,
  estimateTable,
  metricTable,
  pairTable,
  publishedTable,
  spreadTable,
  type Table,
} from './tables.ts';

/** How every Markdown report of ours begins. */
export const markdownMark = '<!-- rtsafe-report 1 -->\n';
/** How both CSV tables of ours begin. */
export const csvMark = 'rtsafe_report,';

type Leaf = string | number | boolean | null | undefined;

/** Members of members, named by their path, in the order in which they are there. */
function* leavesOf(value: unknown, path = ''): Generator<[path: string, value: Leaf]> {
  if (typeof value !== 'object' || value === null) {
    yield [path, value as Leaf];
    return;
  }
  for (const [key, member] of Object.entries(value))
    yield* leavesOf(member, path === '' ? key : `${path}.${key}`);
}

function csvField(value: Leaf): string {
  const text = value === null || value === undefined ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Every leaf of every entry, a column each; an entry without one leaves the field empty. */
function csvTable(kind: string, entries: readonly unknown[]): string {
  const rows = entries.map((entry) => new Map(leavesOf(entry)));
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const lines = [
    `${csvMark}${columns.map(csvField).join(',')}`,
    ...rows.map((row) => `${kind},${columns.map((column) => csvField(row.get(column))).join(',')}`),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** One row per condition with every aggregate and estimate, at full precision. */
export function conditionsCsv(report: Report): string {
  return csvTable(
    'condition',
    report.conditions.map(({ summary, label: _label, fullLabel: _fullLabel, ...rest }) => ({
      ...summary,
      ...rest,
    })),
  );
}

/** One row per episode. */
export function episodesCsv(report: Report): string {
  return csvTable('episode', report.episodes);
}

function markdownText(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>|#&]/g, (character) => `\\${character}`).replaceAll(/\s+/g, ' ');
}

function cellText(report: Report, cell: Cell): string {
  if ('text' in cell) return markdownText(cell.text);
  if (cell.between !== true) return numberText(valueAt(report, cell.path) as number | null, cell.form);
  const { value, low, high } = valueAt(report, cell.path) as Estimate;
  const bounds =
    low === null
      ? ''
      : ` (${numberText(low, boundForm(cell.form))} to ${numberText(high, boundForm(cell.form))})`;
  return value === null ? noNumber : `${numberText(value, cell.form)}${bounds}`;
}

function markdownRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`;
}

function markdownTable(report: Report, { caption, columns, rows }: Table): string {
  return (
    `${markdownText(caption)}\n\n` +
    markdownRow(columns.map(markdownText)) +
    markdownRow(columns.map((_, place) => (place === 0 ? '---' : '---:'))) +
    rows.map((cells) => markdownRow(cells.map((cell) => cellText(report, cell)))).join('')
  );
}

export function reportMarkdown(report: Report): string {
  const sections: [string, Table | undefined][] = [
    ['What latency costs', estimateTable(report)],
    ['Run to run', spreadTable(report)],
    ['Static against real-time', report.pairs.length === 0 ? undefined : pairTable(report)],
    ['What the policy did', actionTable(report, 'executed')],
    ['What the policy chose', actionTable(report, 'chosen')],
    ['Beside the published benchmark', publishedTable(report)],
    ['All numbers', metricTable(report)],
  ];
  return [
    `${markdownMark}# ${markdownText(report.title)}\n`,
    ...(report.notices.length === 0
      ? []
      : [report.notices.map((notice) => `- ${markdownText(notice)}\n`).join('')]),
    ...sections.flatMap(([title, table]) =>
      table === undefined ? [] : [`## ${title}\n\n${markdownTable(report, table)}`],
    ),
  ].join('\n');
}
