// Policies that do not look: random, wait and forward.
import { randomU32, uniformBelow } from '../../kernels/random.ts';
import { actionCode, actionCount } from '../episodes/actions.ts';
import { drawPurposes } from '../episodes/drawPurposes.ts';
import { episodeSeed } from '../episodes/episodeSeed.ts';
import { type Policy, policyFrom } from './policy.ts';

/** Any of the 16 actions, evenly, keyed by seed, map, route and decision. */
export const randomPolicy: Policy = policyFrom('random', ({ episode, decision }) => {
  const seed = episodeSeed(episode.seed, episode.map, episode.route);
  return 1 + uniformBelow(randomU32(seed, drawPurposes.randomPolicy, decision, 0), actionCount);
});

const waitOneSecond = actionCode({ type: 'wait', param: 1 });
/** Never moves: waits 1 s, again and again. */
export const waitPolicy: Policy = policyFrom('wait', () => waitOneSecond);

const fourMetresAhead = actionCode({ type: 'move_to', param: 5 });
/** Always 4 m straight ahead. */
export const forwardPolicy: Policy = policyFrom('forward', () => fourMetresAhead);
