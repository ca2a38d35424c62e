// The benchmark of collecting as a table for a terminal.
import { type CollectionReport, type CollectionResult, memoryShares } from '../bench/collectionBench.ts';
import { formatTable } from '../table.ts';
import { shortNumber } from './benchTables.ts';

const columns: readonly { title: string; show: (result: CollectionResult) => string }[] = [
  { title: 'episodes', show: ({ episodes }) => String(episodes) },
  { title: 'decisions', show: ({ decisions }) => String(decisions) },
  { title: 'decisions/s', show: ({ decisionsPerSecond }) => shortNumber(decisionsPerSecond) },
  {
    title: 'CPU ms/decision',
    show: ({ cpuMillisecondsPerDecision }) => shortNumber(cpuMillisecondsPerDecision),
  },
  { title: 'threads busy', show: ({ busyThreads }) => busyThreads.toFixed(1) },
  {
    title: 'ms/decision to write',
    show: ({ writeMillisecondsPerDecision }) => shortNumber(writeMillisecondsPerDecision),
  },
  ...memoryShares.map((share, place) => ({
    title: `MiB at ${100 * share} %`,
    show: ({ residentMebibytes }: CollectionResult) => (residentMebibytes[place] ?? 0).toFixed(0),
  })),
];

/** One line per policy. */
export function formatCollectionBench({ adapter, machine, workload, policies }: CollectionReport): string {
  const { difficulty, mode, profile, latency, observation, format } = workload;
  return (
    `${difficulty}, ${mode}, ${profile}, ${latency}, observation ${observation}, format ${format}, on ${adapter.description}; ` +
    `${machine.cpu}, ${machine.threads} threads, load ${machine.loadBefore.toFixed(2)} before\n\n` +
    formatTable(
      [{ title: 'policy' }, ...columns.map(({ title }) => ({ title, align: 'right' as const }))],
      policies.map((result) => [result.policy, ...columns.map(({ show }) => show(result))]),
    )
  );
}
