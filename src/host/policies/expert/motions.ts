// The sixteen actions in the kernels' units: what each does to the pose, and how long it takes (docs/rules.md, section 4).
import { ticksPerSecond, toUnits } from '../../../kernels/units.ts';
import {
  actionCount,
  firstTurn,
  firstWait,
  moveCount,
  moveSpeedCmS,
  moves,
  turnAngle,
  turnParameters,
  turnSeconds,
  waitCount,
} from '../../episodes/actions.ts';

/** [action code] units ahead; 0 for what is not a move. */
export const moveDistances = new Int32Array(actionCount + 1);
/** [action code] change of heading in tenths of a degree: before a move, at the end of a turn. */
export const headingChanges = new Int32Array(actionCount + 1);
/** [action code] without a slow-down by oil. */
export const durations = new Int32Array(actionCount + 1);

for (let move = 0; move < moveCount; move++) {
  const { distanceCm, turn } = moves[move]!;
  moveDistances[1 + move] = toUnits(distanceCm);
  headingChanges[1 + move] = turn;
  durations[1 + move] = (distanceCm * ticksPerSecond) / moveSpeedCmS;
}
for (const [turn, parameter] of turnParameters.entries()) {
  headingChanges[firstTurn + turn] = turnAngle(parameter);
  durations[firstTurn + turn] = turnSeconds * ticksPerSecond;
}
for (let wait = 0; wait < waitCount; wait++) durations[firstWait + wait] = (wait + 1) * ticksPerSecond;

/** Units of the longest move, and its ticks. */
export const longestMove = moveDistances.reduce((longest, distance) => Math.max(longest, distance));
export const longestMoveTicks = (longestMove / toUnits(moveSpeedCmS)) * ticksPerSecond;
export const turnTicks = turnSeconds * ticksPerSecond;
export const longestWaitTicks = waitCount * ticksPerSecond;
