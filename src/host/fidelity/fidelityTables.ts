// A fidelity comparison as text: ours beside the published figure, and whether the aim is met.

import { counted } from '../counted.ts';
import type { Interval } from '../statistics/bootstrap.ts';
import { type Column, formatTable } from '../table.ts';
import type { Aim, ComparedRow, Fidelity } from './compare.ts';

type Row = readonly string[];

const rowColumns: readonly Column[] = [
  { title: 'stand-in' },
  { title: 'mode' },
  ...['success', 'safe', 'contacts', 'active', 'passive', 'latency s', 'decisions'].map((title) => ({
    title,
    align: 'right' as const,
  })),
];

const aimColumns: readonly Column[] = [
  { title: 'figure' },
  { title: 'here', align: 'right' },
  { title: 'published', align: 'right' },
  { title: 'aim' },
  { title: 'met' },
];

function both(ours: number, theirs: number, digits: number): string {
  return `${ours.toFixed(digits)} / ${theirs.toFixed(digits)}`;
}

function cells({ standIn, mode, ours, published }: ComparedRow): Row {
  return [
    standIn,
    mode,
    both(100 * ours.success, 100 * published.success, 0),
    both(100 * ours.safeSuccess, 100 * published.safeSuccess, 0),
    both(ours.contacts, published.contacts, 1),
    both(ours.active, published.active, 1),
    both(ours.passive, published.passive, 1),
    both(ours.latencySeconds, published.latencySeconds, 1),
    both(ours.decisions, published.decisions, 1),
  ];
}

function number(value: number): string {
  return Math.abs(value) < 0.1 ? value.toFixed(4) : value.toFixed(2);
}

function aimCells({ name, ours, published, allowed, isMet }: Aim): Row {
  return [name, number(ours), number(published), allowed, isMet ? 'yes' : 'NO'];
}

function markdownTable(columns: readonly Column[], rows: readonly Row[]): string {
  const line = (texts: Row) => `| ${texts.map((text) => text.trim()).join(' | ')} |\n`;
  return (
    line(columns.map(({ title }) => title)) +
    line(columns.map(({ align }) => (align === 'right' ? '---:' : '---'))) +
    rows.map(line).join('')
  );
}

function intervalText(name: string, interval: Interval | null): string {
  if (interval === null) return '';
  const { estimate, low, high, level, clusters, draws } = interval;
  return `${name}: ${estimate.toFixed(2)}, ${level} % interval ${low.toFixed(2)} to ${high.toFixed(2)} over ${counted(clusters, 'route')} (${draws} draws)\n`;
}

/** All tables of a comparison; `here / published` in each cell of the rows. */
export function fidelityText(fidelity: Fidelity, format: 'text' | 'markdown'): string {
  const table = format === 'text' ? formatTable : markdownTable;
  const parts = [
    table(aimColumns, fidelity.aims.map(aimCells)),
    [
      intervalText('contacts, static', fidelity.intervals.staticContacts),
      intervalText('contacts, real-time', fidelity.intervals.realtimeContacts),
      intervalText('real-time over static, paired by route', fidelity.intervals.ratio),
    ].join(format === 'markdown' ? '\n' : ''),
    table(rowColumns, fidelity.defaults.map(cells)),
  ];
  if (fidelity.effort.length > 0) parts.push(table(rowColumns, fidelity.effort.map(cells)));
  return parts.filter((part) => part !== '').join('\n');
}
