// Suite `policies`: policies side by side in whole runs of the same episodes: how safe each is, and what a decision of it costs.
import { counted } from '../counted.ts';
import { percent, shortNumber } from './numberText.ts';
import { measuredOnce } from './spread.ts';
import { anySuite, type BenchContext, type Metric } from './suite.ts';
import { timeRun } from './timedRun.ts';

export interface PolicyResult {
  readonly policy: string;
  readonly episodes: number;
  readonly decisions: number;
  /** Shares of the episodes. */
  readonly success: number;
  readonly safeSuccess: number;
  /** Pooled; null where nobody walked. */
  readonly incidentsPer100m: number | null;
  readonly hazardsPerEpisode: number;
  readonly violationsPerEpisode: number;
  readonly spl: number;
  readonly decisionsPerEpisode: number;
  /** After the first round, so without compiling. Stepping, the policy and writing records together. */
  readonly decisionsPerSecond: number;
  readonly cpuMillisecondsPerDecision: number;
}

export interface PoliciesResult {
  readonly policies: readonly PolicyResult[];
}

async function measurePolicy(
  policy: string,
  { options, runOptions, openSimulator, episodesProgress, signal }: BenchContext,
): Promise<PolicyResult> {
  const { summary, whole, start, startDecisions } = await timeRun(
    { ...runOptions(`0..${options.policySeeds - 1}`), policy },
    openSimulator,
    episodesProgress,
    signal,
  );
  const condition = summary.conditions[0]!;
  const decisions = summary.wall.decisions - startDecisions;
  return {
    policy,
    episodes: condition.episodes,
    decisions: summary.wall.decisions,
    success: condition.successRate,
    safeSuccess: condition.safeSuccessRate,
    incidentsPer100m: condition.incidentsPer100m.pooled,
    hazardsPerEpisode: condition.hazardsPerEpisode,
    violationsPerEpisode: condition.violationsPerEpisode,
    spl: condition.spl,
    decisionsPerEpisode: condition.decisionsPerEpisode,
    decisionsPerSecond: decisions / (whole.seconds - start.seconds),
    cpuMillisecondsPerDecision: (1000 * (whole.cpuSeconds - start.cpuSeconds)) / decisions,
  };
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

function metricsOf(result: PolicyResult): Metric[] {
  const metric = (what: string, unit: string, better: Metric['better'], value: number): Metric => ({
    name: `${result.policy} over ${counted(result.episodes, 'episode')}, ${what}`,
    unit,
    better,
    ...measuredOnce(value),
  });
  const { incidentsPer100m } = result;
  return [
    metric('success', 'share', 'higher', result.success),
    metric('safe success', 'share', 'higher', result.safeSuccess),
    ...(incidentsPer100m === null ? [] : [metric('incidents', 'per 100 m', 'lower', incidentsPer100m)]),
    metric('whole runs', 'decisions/s', 'higher', result.decisionsPerSecond),
    metric('whole runs', 'CPU ms/decision', 'lower', result.cpuMillisecondsPerDecision),
  ];
}

export const policiesSuite = anySuite<PoliciesResult>({
  name: 'policies',
  about: 'whole runs with each of --policies: how safe, how fast',
  repetitions: () => 0,
  async measure(context) {
    const policies: PolicyResult[] = [];
    for (const policy of context.options.policies) {
      context.say(`policies: ${policy}`);
      policies.push(await measurePolicy(policy, context));
    }
    return { policies };
  },
  tables: ({ policies }) => [
    {
      columns: [{ title: 'policy' }, ...columns.map(({ title }) => ({ title, align: 'right' as const }))],
      rows: policies.map((result) => [result.policy, ...columns.map(({ show }) => show(result))]),
      notes: [
        `${counted(policies[0]?.episodes ?? 0, 'episode')} each; hazards, violations and decisions are per episode; ` +
          'costs are those of whole runs after the first round, records included',
      ],
    },
  ],
  figures: () => [],
  metrics: ({ policies }) => policies.flatMap(metricsOf),
});
