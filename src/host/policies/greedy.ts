// The published greedy baseline (RT-SAFE protocol §13a): turn towards the subgoal, then walk at it.
import { directionTable, headingCount } from '../../kernels/directions.ts';
import { actionCode } from '../episodes/actions.ts';
import { type Policy, policyFrom } from './policy.ts';

const directions = directionTable();

const fourMetresAhead = actionCode({ type: 'move_to', param: 5 });

/** More than `beyond` tenths of a degree off: turn so far. Widest first. */
const turns = [
  { beyond: 750, left: 'L90', right: 'R90' },
  { beyond: 450, left: 'L60', right: 'R60' },
  { beyond: 200, left: 'L30', right: 'R30' },
].map(({ beyond, left, right }) => ({
  beyond,
  left: actionCode({ type: 'turn_around', param: left as 'L90' }),
  right: actionCode({ type: 'turn_around', param: right as 'R90' }),
}));

/** The sine of the angle from a heading to (dx, dy), times positive lengths: above 0 when that is to the right. Exact. */
function crossFrom(heading: number, dx: number, dy: number): number {
  const index = 2 * ((heading + headingCount) % headingCount);
  return directions[index]! * dy - directions[index + 1]! * dx;
}

/** True when (dx, dy) is at most `half` tenths of a degree, below 900, off the heading. */
function isWithin(heading: number, half: number, dx: number, dy: number): boolean {
  return crossFrom(heading - half, dx, dy) >= 0 && crossFrom(heading + half, dx, dy) <= 0;
}

/**
 * The greedy action at a pose (units, tenths of a degree) for a subgoal. All arithmetic is on whole numbers below 2^53
 * for coordinates within 2^31 units.
 *
 * The published rule turns when the subgoal is more than 20° off (by 90° beyond 75°, by 60° beyond 45°, else by 30°) and
 * otherwise takes the best of the seven moves by alignment, then length. Within 20° the three moves straight ahead are
 * nearer to the subgoal's direction (at most 20° off) than any diagonal (at least 25°), and of those 4 m is the longest:
 * always marker 5. The rule's last clause, a turn when even the best move makes no progress on a subgoal beyond
 * 250 cm, never applies: 4 m at 20° off bring the agent nearer whenever the distance is above 200 / cos 20° = 213 cm.
 *
 * Choices where the release is silent: a subgoal straight behind is to the left; one at distance 0 counts as ahead.
 *
 * @example greedyAction(0, 0, 0, 0, 16000) // R90: +y is to the right of +x
 */
export function greedyAction(
  x: number,
  y: number,
  heading: number,
  subgoalX: number,
  subgoalY: number,
): number {
  const dx = subgoalX - x;
  const dy = subgoalY - y;
  for (const { beyond, left, right } of turns) {
    if (!isWithin(heading, beyond, dx, dy)) return crossFrom(heading, dx, dy) > 0 ? right : left;
  }
  return fourMetresAhead;
}

export const greedyPolicy: Policy = policyFrom('greedy', ({ x, y, heading, subgoalX, subgoalY }) =>
  greedyAction(x, y, heading, subgoalX, subgoalY),
);
