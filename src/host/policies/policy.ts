// What decides: requests in, actions out, in batches.
import type { EpisodeIdentity } from '../records/episodeIdentity.ts';

/** What one environment shows when it awaits a decision. */
export interface PolicyRequest {
  readonly episode: EpisodeIdentity;
  /** From 1. */
  readonly decision: number;
  readonly clockCentiseconds: number;
  /** Units (1/16 cm). */
  readonly x: number;
  readonly y: number;
  /** Tenths of a degree, 0 to 3599; yaw grows to the visual right. */
  readonly heading: number;
  /** Units. */
  readonly subgoalX: number;
  readonly subgoalY: number;
  readonly isFinalSubgoal: boolean;
}

export interface PolicyDecision {
  /** 0 none, 1-7 moves, 8-13 turns, 14-16 waits: see actions.ts. */
  readonly action: number;
}

export interface Policy {
  /** As one would write it on the command line. */
  readonly name: string;
  /** One decision per request, in the order of the requests. */
  decide(requests: readonly PolicyRequest[]): PolicyDecision[] | Promise<PolicyDecision[]>;
  /**
   * Says before a run whether the policy can play all its episodes; absent where it always can.
   *
   * @throws UsageError for the first that it cannot.
   */
  checkEpisodes?(episodes: Iterable<EpisodeIdentity>): void;
}

/** A policy that takes each request by itself. */
export function policyFrom(name: string, act: (request: PolicyRequest) => number): Policy {
  return { name, decide: (requests) => requests.map((request) => ({ action: act(request) })) };
}
