// Requests to policies, from what the simulator says of an environment that awaits a decision.

import type { SummaryView } from '../../kernels/summaryView.ts';
import type { WorldRoute } from '../../kernels/world.ts';
import type { EpisodeIdentity } from '../episodes/episodeIdentity.ts';
import type { PolicyRequest } from './policy.ts';

/** A request that is filled in anew for every decision. */
export type MutableRequest = { -readonly [Member in keyof PolicyRequest]: PolicyRequest[Member] };

/** One for each episode; `fillRequest` says the rest. */
export function emptyRequest(episode: EpisodeIdentity): MutableRequest {
  return {
    episode,
    decision: 0,
    clockCentiseconds: 0,
    x: 0,
    y: 0,
    heading: 0,
    subgoalX: 0,
    subgoalY: 0,
    isFinalSubgoal: false,
    edgeStartX: 0,
    edgeStartY: 0,
  };
}

/** Takes what the environment's summary says; `points` are those of its route. */
export function fillRequest(
  request: MutableRequest,
  summary: Pick<SummaryView, 'get'>,
  env: number,
  { points }: Pick<WorldRoute, 'points'>,
): void {
  const subgoal = summary.get(env, 'subgoal');
  request.decision = summary.get(env, 'decisions') + 1;
  request.clockCentiseconds = summary.get(env, 'clockCentiseconds');
  request.x = summary.get(env, 'x');
  request.y = summary.get(env, 'y');
  request.heading = summary.get(env, 'heading');
  request.subgoalX = points[2 * subgoal]!;
  request.subgoalY = points[2 * subgoal + 1]!;
  request.edgeStartX = points[2 * subgoal - 2]!;
  request.edgeStartY = points[2 * subgoal - 1]!;
  request.isFinalSubgoal = 2 * (subgoal + 1) === points.length;
}
