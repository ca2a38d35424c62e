// The whole tick: seven systems in order (docs/rules.md, section 5). This is the file to read first.
import { moveAgent } from './agent.ts';
import { type Interval, intervals } from './contacts.ts';
import { type Environment, statuses } from './environment.ts';
import { moveFallingObjects } from './falling.ts';
import { holdWalkers } from './holding.ts';
import { isMoving } from './move.ts';
import { moveProps } from './props.ts';
import { driveVehicles } from './vehicles.ts';
import { moveWalkers } from './walkers.ts';

/** Ticks between two looks of the walkers at each other: the published control period of 0.5 s. */
const holdingPeriod = 5;
const centisecondsPerTick = 10;

/** Advances the world by 0.1 s. */
export function tick(env: Environment): void {
  const interval = intervalOf(env);
  if (env.state.worldTick % holdingPeriod === 0) holdWalkers(env);
  const step = moveAgent(env);
  moveWalkers(env, step, interval);
  moveFallingObjects(env, step, interval);
  moveProps(env, step, interval);
  driveVehicles(env, step, interval);
  advanceClocks(env);
}

/** Thinking is passive, except that a profile may count the first thought of an episode as active. */
function intervalOf(env: Environment): Interval {
  const { state, rules } = env;
  if (state.status !== statuses.planning) return intervals.active;
  const isFirstDecision = state.decisions === 1;
  return isFirstDecision && rules.firstPlanning === 0 ? intervals.active : intervals.passive;
}

/** The clock was charged the whole thought when it began, so that planning ticks do not advance it. */
function advanceClocks(env: Environment): void {
  const { state } = env;
  state.worldTick++;
  state.phaseTicksLeft--;
  if (state.status !== statuses.planning) state.clockCentiseconds += centisecondsPerTick;
  if (isMoving(state)) state.moveTick++;
}
