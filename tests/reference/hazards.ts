// Trip, oil and water patches: what a move gathers, and what its end makes of it (docs/rules.md, section 6).
import { shapeKinds } from '../../src/kernels/world.ts';
import { agentPosition, type Environment, hasClass } from './environment.ts';
import { pointsWithin, type Vector } from './numbers.ts';
import type { Disc } from './world.ts';

/** Index of `hazards` and bit of `hazardMask`. */
export const hazardTypes = { trip: 0, oil: 1, water: 2 } as const;

/** Looks for patches at the pose that a tick of a move has come to. */
export function gatherHazards(env: Environment, before: Vector, after: Vector): void {
  const { state, rules } = env;
  if (!hasClass(state, 'hazards')) return;
  const isEndPose = state.moveTick + 1 === state.moveTicks;
  if (rules.hazardSwept === 0 && !isEndPose) return;
  const from = rules.hazardSwept === 1 ? before : { x: state.moveStartX, y: state.moveStartY };

  for (const patch of env.route.map.patches) {
    if (!isInPatch(env, patch, after)) continue;
    if (rules.hazardOncePerDecision === 1) state.hazardMask |= 1 << hazardType(patch);
    else if (!isInPatch(env, patch, from)) countHazard(env, hazardType(patch));
  }
}

/** At the end of a move, where one class counts per decision: the lowest one met, unless its latch holds. */
export function settleHazards(env: Environment): void {
  const { state, rules } = env;
  if (rules.hazardOncePerDecision === 0) return;
  const type = [hazardTypes.trip, hazardTypes.oil, hazardTypes.water].find(
    (candidate) => (state.hazardMask & (1 << candidate)) !== 0,
  );
  if (type === undefined) return;
  const latch = { x: state.hazardX, y: state.hazardY };
  const isSuppressed =
    state.hazardKind === type + 1 && pointsWithin(agentPosition(state), latch, rules.hazardRearm);
  if (isSuppressed) return;
  countHazard(env, type);
  state.hazardKind = type + 1;
  state.hazardX = state.x;
  state.hazardY = state.y;
}

function countHazard(env: Environment, type: number): void {
  const { state } = env;
  state.hazards[type]!++;
  if (type === hazardTypes.trip) state.decisionTrips++;
  if (type === hazardTypes.oil) state.decisionOil++;
}

function hazardType(patch: Disc): number {
  return patch.kind - shapeKinds.trip;
}

function isInPatch(env: Environment, patch: Disc, point: Vector): boolean {
  const { tripHalfWidth, oilHalfWidth, waterHalfWidth } = env.rules;
  const halfWidth = [tripHalfWidth, oilHalfWidth, waterHalfWidth][hazardType(patch)]!;
  return pointsWithin(point, patch.centre, halfWidth);
}
