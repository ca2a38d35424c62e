// How long a decision's thinking is charged. A latency is a property of the run, chosen by name; every charged value is in
// the record, so that any run can be replayed exactly.

import type { EpisodeIdentity } from '../episodes/episodeIdentity.ts';
import type { Thought } from '../policies/policy.ts';

/** Longest latency that can be charged for one decision. */
export const maximumLatencySeconds = 3600;
export const maximumLatencyCentiseconds = maximumLatencySeconds * 100;

/** An episode, and who decides in it where that is known. */
export interface DecidedEpisode extends EpisodeIdentity {
  readonly policy?: string;
}

export interface LatencyModel {
  /** As one would write it on the command line. */
  readonly name: string;
  /**
   * Charged for a decision, the first being 1: centiseconds, 0 to 360000. Depends on the episode and the decision only,
   * never on the environment's place in the batch or on earlier draws; where `needsThought`, on what asking took.
   */
  draw(episode: DecidedEpisode, decision: number, thought?: Thought): number;
  /** True for a latency that is made of what asking took: the policy must be one that is asked. */
  readonly needsThought?: boolean;
  /**
   * Says before a run whether all its episodes can be drawn for; absent where they always can.
   *
   * @throws UsageError for the first that cannot.
   */
  checkEpisodes?(episodes: Iterable<DecidedEpisode>): void;
}

/** Seconds to centiseconds, capped. */
export function toCentiseconds(seconds: number): number {
  return Math.min(Math.round(seconds * 100), maximumLatencyCentiseconds);
}
