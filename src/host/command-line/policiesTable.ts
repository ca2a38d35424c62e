// The comparison of policies as a table for a terminal.
import type { PoliciesReport, PolicyResult } from '../bench/policiesBench.ts';
import { formatTable } from '../table.ts';
import { shortNumber } from './benchTables.ts';

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

const columns: readonly { title: string; show: (result: PolicyResult) => string }[] = [
  { title: 'success', show: ({ success }) => percent(success) },
  { title: 'safe', show: ({ safeSuccess }) => percent(safeSuccess) },
  { title: 'incidents/100 m', show: ({ incidentsPer100m }) => incidentsPer100m?.toFixed(2) ?? '-' },
  { title: 'hazards', show: ({ hazardsPerEpisode }) => hazardsPerEpisode.toFixed(2) },
  { title: 'violations', show: ({ violationsPerEpisode }) => violationsPerEpisode.toFixed(2) },
  { title: 'SPL', show: ({ spl }) => spl.toFixed(3) },
  { title: 'decisions', show: ({ decisionsPerEpisode }) => decisionsPerEpisode.toFixed(1) },
  { title: 'decisions/s', show: ({ decisionsPerSecond }) => shortNumber(decisionsPerSecond) },
  {
    title: 'CPU ms/decision',
    show: ({ cpuMillisecondsPerDecision }) => shortNumber(cpuMillisecondsPerDecision),
  },
];

/** One line per policy; hazards, violations and decisions are means over episodes. */
export function formatPolicies({ adapter, machine, workload, policies }: PoliciesReport): string {
  const { difficulty, mode, profile, latency } = workload;
  return (
    `${difficulty}, ${mode}, ${profile}, ${latency}, ${policies[0]?.episodes ?? 0} episodes each, on ${adapter.description}; ` +
    `${machine.cpu}, ${machine.threads} threads, load ${machine.loadBefore.toFixed(2)} before\n\n` +
    formatTable(
      [{ title: 'policy' }, ...columns.map(({ title }) => ({ title, align: 'right' as const }))],
      policies.map((result) => [result.policy, ...columns.map(({ show }) => show(result))]),
    )
  );
}
