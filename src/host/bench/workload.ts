// What the benchmark steps: hard episodes over all bundled routes, real-time, greedy, a fixed latency. As in a run, neighbours
// play the same route (src/host/run/seating.ts); block b of them plays route b mod 36, so a smaller batch is the beginning of a
// larger one.

import type { PlannedEpisode } from '../episodes/plan.ts';
import type { LatencyModel } from '../latency/latencyModel.ts';
import type { Policy } from '../policies/policy.ts';
import { defaultRunOptions, prepareRun, type RunOptions } from '../run/prepareRun.ts';
import type { RunWorld } from '../run/runWorld.ts';
import { neighbours } from '../run/seating.ts';
import type { ResetRequest } from '../run/simulator.ts';

export const latencySeconds = 3;

/** All 36 routes under full rules; `seeds` as `rtsafe run` takes them. */
export function benchRunOptions(seeds: string): RunOptions {
  return {
    ...defaultRunOptions,
    routes: 'all',
    difficulty: 'hard',
    mode: 'realtime',
    profile: 'rt-safe',
    policy: 'greedy',
    latency: `fixed:${latencySeconds}`,
    seeds,
  };
}

export interface Workload {
  readonly runWorld: RunWorld;
  readonly routes: number;
  readonly policy: Policy;
  readonly latency: LatencyModel;
  /** [environment], for the largest batch. */
  readonly episodes: readonly PlannedEpisode[];
  /** [environment] */
  readonly starts: readonly ResetRequest[];
}

/** The episodes of the largest batch that is to be measured. */
export async function makeWorkload(
  environments: number,
  options: (seeds: string) => RunOptions = benchRunOptions,
): Promise<Workload> {
  const { plan: onePlan } = await prepareRun(options('0'));
  const routes = onePlan.size;
  const { plan, runWorld, policies, latencies } = await prepareRun(
    options(`0..${Math.ceil(environments / (routes * neighbours)) * neighbours - 1}`),
  );
  const episodes = Array.from({ length: environments }, (_, env) => {
    const block = Math.floor(env / neighbours);
    const seed = Math.floor(block / routes) * neighbours + (env % neighbours);
    return plan.at(seed * routes + (block % routes));
  });
  const [policy] = policies.values();
  const [latency] = latencies.values();
  return {
    runWorld,
    routes,
    policy: policy!,
    latency: latency!,
    episodes,
    starts: episodes.map((episode, env) => ({ env, ...runWorld.start(episode) })),
  };
}
