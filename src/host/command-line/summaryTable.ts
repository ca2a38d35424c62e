// The central table of the benchmark: one column per condition, static beside real-time (paper, Table 11).
import type { ReplyCounts } from '../metrics/replyCounts.ts';
import type { ConditionSummary } from '../metrics/summarise.ts';
import { formatTable } from '../table.ts';

interface Row {
  readonly title: string;
  readonly show: (summary: ConditionSummary) => string;
}

function percent(share: number | null): string {
  return share === null ? '-' : `${(100 * share).toFixed(1)} %`;
}

function decimals(digits: number) {
  return (value: number) => value.toFixed(digits);
}
const two = decimals(2);

const rows: readonly Row[] = [
  { title: 'episodes', show: (summary) => String(summary.episodes) },
  { title: 'success', show: (summary) => percent(summary.successRate) },
  { title: 'safe success', show: (summary) => percent(summary.safeSuccessRate) },
  { title: 'contacts per episode', show: (summary) => two(summary.contactsPerEpisode) },
  { title: '  active', show: (summary) => two(summary.activePerEpisode) },
  { title: '  passive', show: (summary) => two(summary.passivePerEpisode) },
  { title: '  passive share', show: (summary) => percent(summary.passiveShare) },
  { title: 'incidents per episode', show: (summary) => two(summary.incidentsPerEpisode) },
  { title: 'hazards per episode', show: (summary) => two(summary.hazardsPerEpisode) },
  { title: 'violations per episode', show: (summary) => two(summary.violationsPerEpisode) },
  { title: 'decisions per episode', show: (summary) => decimals(1)(summary.decisionsPerEpisode) },
  { title: 'exposure per episode', show: (summary) => `${decimals(1)(summary.exposurePerEpisode)} s` },
  { title: 'SPL', show: (summary) => decimals(3)(summary.spl) },
];

/** Only for policies that are asked; a dash beside one that was not. */
const replyRows: readonly { title: string; show: (replies: ReplyCounts) => string }[] = [
  { title: 'replies', show: ({ asked }) => String(asked) },
  { title: '  parse errors', show: ({ parseErrors }) => String(parseErrors) },
  { title: '    without a reply', show: ({ faults }) => String(faults) },
  { title: '  invalid', show: ({ invalid }) => String(invalid) },
  { title: '  retries', show: ({ retries }) => String(retries) },
  { title: '  prompt tokens', show: ({ promptTokens }) => String(promptTokens) },
  { title: '  completion tokens', show: ({ completionTokens }) => String(completionTokens) },
];

function rowsFor(conditions: readonly ConditionSummary[]): readonly Row[] {
  if (conditions.every(({ replies }) => replies === undefined)) return rows;
  const latency: Row = {
    title: 'latency, median',
    show: ({ latencySeconds }) => (latencySeconds === null ? '-' : `${two(latencySeconds.median)} s`),
  };
  const asked = replyRows.map(
    ({ title, show }): Row => ({
      title,
      show: ({ replies }) => (replies === undefined ? '-' : show(replies)),
    }),
  );
  return [...rows, latency, ...asked];
}

const modeNames = { static: 'static', realtime: 'real-time' } as const;

/** What a heading must say: the parts in which the conditions differ, and always the mode. */
function headings(conditions: readonly ConditionSummary[]): string[] {
  const parts = (['profile', 'policy', 'latency', 'difficulty'] as const).filter(
    (part) => new Set(conditions.map((condition) => condition[part])).size > 1,
  );
  return conditions.map((condition) =>
    [...parts.map((part) => condition[part]), modeNames[condition.mode]].join(' '),
  );
}

/** What all conditions have in common, in a line: `hard, rt-safe, greedy, fixed:3`. */
export function commonConditions(conditions: readonly ConditionSummary[]): string {
  return (['difficulty', 'profile', 'policy', 'latency'] as const)
    .filter((part) => new Set(conditions.map((condition) => condition[part])).size === 1)
    .map((part) => conditions[0]![part])
    .join(', ');
}

/**
 * The table as text; static and real-time of one condition stand side by side.
 *
 * @example process.stdout.write(formatSummaries(summary.conditions));
 */
export function formatSummaries(conditions: readonly ConditionSummary[]): string {
  const columns = [
    { title: commonConditions(conditions) },
    ...headings(conditions).map((title) => ({ title, align: 'right' as const })),
  ];
  return formatTable(
    columns,
    rowsFor(conditions).map(({ title, show }) => [title, ...conditions.map(show)]),
  );
}

const conditionParts = ['profile', 'policy', 'difficulty', 'mode', 'latency'] as const;

function meters(centimetres: number | null): string {
  return centimetres === null ? '-' : (centimetres / 100).toFixed(2);
}

const sweepColumns: readonly Row[] = [
  { title: 'episodes', show: (summary) => String(summary.episodes) },
  { title: 'success', show: (summary) => percent(summary.successRate) },
  { title: 'safe', show: (summary) => percent(summary.safeSuccessRate) },
  { title: 'contacts', show: (summary) => two(summary.contactsPerEpisode) },
  { title: 'active', show: (summary) => two(summary.activePerEpisode) },
  { title: 'passive', show: (summary) => two(summary.passivePerEpisode) },
  { title: 'incidents', show: (summary) => two(summary.incidentsPerEpisode) },
  { title: 'hazards', show: (summary) => two(summary.hazardsPerEpisode) },
  { title: 'violations', show: (summary) => two(summary.violationsPerEpisode) },
  { title: 'exposure s', show: (summary) => decimals(1)(summary.exposurePerEpisode) },
  { title: 'm/decision', show: (summary) => meters(summary.netProgressCmPerDecision) },
];

/**
 * The table of a sweep as text: one line per condition. What all have in common stands above it; counts are means over
 * episodes.
 */
export function formatConditions(conditions: readonly ConditionSummary[]): string {
  const isShared = (part: (typeof conditionParts)[number]) =>
    new Set(conditions.map((condition) => condition[part])).size === 1;
  const shared = conditionParts.filter(isShared).map((part) => conditions[0]![part]);
  const parts = conditionParts.filter((part) => !isShared(part));
  const columns = [
    ...parts.map((title) => ({ title })),
    ...sweepColumns.map(({ title }) => ({ title, align: 'right' as const })),
  ];
  const table = formatTable(
    columns,
    conditions.map((condition) => [
      ...parts.map((part) => condition[part]),
      ...sweepColumns.map(({ show }) => show(condition)),
    ]),
  );
  return `${shared.join(', ')}; per episode\n\n${table}`;
}
