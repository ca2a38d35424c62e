// A move under way: where it is planned to be at each of its ticks.
import { moveOf } from './actions.ts';
import { statuses } from './environment.ts';
import { divide, type Vector } from './numbers.ts';
import type { EnvState } from './records.ts';

/** Whether the agent executes a move (and neither thinks, turns, waits nor recovers). */
export function isMoving(state: EnvState): boolean {
  return state.status === statuses.executing && moveOf(state.action) !== undefined;
}

/** The pose after `ticks` ticks of the move, which ends where it was stopped. */
export function poseAt(state: EnvState, ticks: number): Vector {
  const done = Math.min(ticks, state.moveStop);
  return {
    x: state.moveStartX + divide((state.moveTargetX - state.moveStartX) * done, state.moveTicks),
    y: state.moveStartY + divide((state.moveTargetY - state.moveStartY) * done, state.moveTicks),
  };
}
