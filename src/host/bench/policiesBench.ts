// Policies side by side on the benchmark's workload: how safe each is, and what a decision of it costs.
import type { AdapterReport } from '../adapters/adapterReport.ts';
import type { OpenSimulator, RunProgress } from '../run/executeRun.ts';
import { splitForms } from '../run/optionLists.ts';
import type { RunOptions } from '../run/prepareRun.ts';
import { type BenchMachine, describeMachine, simulatorVersions } from './benchReport.ts';
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

export interface PoliciesReport {
  readonly format: 'rtsafe-bench-policies';
  readonly version: 1;
  readonly measuredAt: string;
  readonly simulator: ReturnType<typeof simulatorVersions>;
  /** As the simulator's opener names it. */
  readonly adapter: Pick<AdapterReport, 'description'>;
  readonly machine: BenchMachine;
  readonly workload: {
    readonly difficulty: string;
    readonly mode: string;
    readonly profile: string;
    readonly latency: string;
  };
  readonly policies: readonly PolicyResult[];
}

/**
 * Plays the same episodes with each policy of a list, one run after the other.
 *
 * @throws UsageError for a policy that there is not; RunError when `signal` is aborted.
 */
export async function benchPolicies(
  policies: string,
  options: RunOptions,
  openSimulator: OpenSimulator,
  progress: RunProgress,
  signal?: AbortSignal,
): Promise<PoliciesReport> {
  const machine = describeMachine();
  const measuredAt = new Date().toISOString();
  const results: PolicyResult[] = [];
  let description = '';
  for (const policy of splitForms(policies)) {
    // oxlint-disable-next-line no-await-in-loop -- one at a time, so that each has the machine to itself
    const { summary, whole, start, startDecisions } = await timeRun(
      { ...options, policy },
      openSimulator,
      progress,
      signal,
    );
    const condition = summary.conditions[0]!;
    const decisions = summary.wall.decisions - startDecisions;
    description = summary.wall.adapter;
    results.push({
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
    });
  }
  const { difficulty, mode, profile, latency } = options;
  return {
    format: 'rtsafe-bench-policies',
    version: 1,
    measuredAt,
    simulator: simulatorVersions(),
    adapter: { description },
    machine,
    workload: { difficulty, mode, profile, latency },
    policies: results,
  };
}
