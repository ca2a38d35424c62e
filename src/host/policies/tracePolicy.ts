// Plays back the actions of a recorded run.

import { noAction } from '../episodes/actions.ts';
import { inputFault } from '../input/jsonFault.ts';
import { RecordedEpisodes } from '../records/recordedEpisodes.ts';
import type { Policy } from './policy.ts';

/**
 * The actions recorded for the same map, route, difficulty, mode and seed, decision by decision. An episode that
 * outlives its recording (because a latency or a rule differs) gets no action to the end of its budget.
 *
 * @throws UsageError for a missing or faulty run; `decide` and `checkEpisodes` for an episode that it does not hold.
 * @example tracePolicy('runs/first').name // 'trace:runs/first'
 */
export function tracePolicy(folder: string, option = '--policy'): Policy {
  if (folder === '')
    throw inputFault(option, '"trace:" without a folder', 'trace:<DIR>, the folder of a run');
  const recorded = RecordedEpisodes.read(folder);
  return {
    name: `trace:${folder}`,
    decide: (requests) =>
      requests.map(({ episode, decision }) => ({
        action: recorded.find(episode, 'exact').actions[decision - 1] ?? noAction,
      })),
    checkEpisodes(episodes) {
      for (const episode of episodes) recorded.find(episode, 'exact');
    },
  };
}
