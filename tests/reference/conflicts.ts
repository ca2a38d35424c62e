// Surrogate safety measures: the least time-to-collision and post-encroachment time so far (docs/rules.md, section 5.8).
import type { AgentStep } from './agentStep.ts';
import type { Environment } from './environment.ts';
import { isMoving } from './move.ts';
import { pointsWithin, samePoint, subtract, type Vector } from './numbers.ts';

/** Ticks looked ahead and back. */
const horizon = 50;
/** Value of a measure that has found nothing. */
export const noConflict = horizon + 1;

/** One who has just made a step, and the straight run of such steps behind it. */
export interface Mover {
  readonly place: Vector;
  readonly step: Vector;
  /** Ticks for which it has come by equal steps. */
  readonly run: number;
  /** Distance at which it and the agent touch. */
  readonly radius: number;
}

export function noteCollision(env: Environment): void {
  env.state.timeToCollision = 0;
}

/** Measures one who does not touch the agent in this tick. */
export function measureConflict(env: Environment, mover: Mover, agent: AgentStep): void {
  const { state } = env;
  if (pointsWithin(mover.place, agent.after, mover.radius)) {
    noteCollision(env);
    return;
  }
  state.timeToCollision = Math.min(state.timeToCollision, timeToCollision(mover, agent));
  state.postEncroachment = Math.min(state.postEncroachment, postEncroachment(env, mover, agent));
}

function firstTick(found: (tick: number) => boolean): number {
  for (let tick = 1; tick <= horizon; tick++) if (found(tick)) return tick;
  return noConflict;
}

function after(place: Vector, step: Vector, ticks: number): Vector {
  return { x: place.x + step.x * ticks, y: place.y + step.y * ticks };
}

function timeToCollision({ place, step, radius }: Mover, agent: AgentStep): number {
  const agentStep = subtract(agent.after, agent.before);
  return firstTick((ticks) =>
    pointsWithin(after(place, step, ticks), after(agent.after, agentStep, ticks), radius),
  );
}

function postEncroachment(env: Environment, { place, step, run, radius }: Mover, agent: AgentStep): number {
  const { state } = env;
  const stands = samePoint(agent.before, agent.after);
  const stood = stands ? state.worldTick + 1 - state.lastStepTick : 0;
  const moved = Math.min(isMoving(state) ? state.moveTick + 1 : state.moveTick, state.moveStop);
  const stride = { x: state.strideX, y: state.strideY };
  return firstTick((ago) => {
    const strides = ago - stood;
    const otherWasHere = ago <= run && pointsWithin(after(place, step, -ago), agent.after, radius);
    const agentWasThere =
      strides > 0 && strides <= moved && pointsWithin(place, after(agent.after, stride, -strides), radius);
    return otherWasHere || agentWasThere;
  });
}
