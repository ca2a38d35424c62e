// What the end of a decision undoes: a building contact leads back to the checkpoint, being wedged to an earlier place
// (docs/rules.md, section 4, end of execution 5 and 6).
import { toUnits } from '../../src/kernels/units.ts';
import { restoreCheckpoint } from './checkpoint.ts';
import { type Environment, outcomes } from './environment.ts';
import { type Vector, within } from './numbers.ts';
import { type TrailEntry, trailLength } from './records.ts';

const wedgedBelow = toUnits(20);
const trailFrom = toUnits(50);
const trailApart = toUnits(300);

/** Rolls the decision back after a contact with a building. Returns penalty ticks. */
export function recoverFromBuilding(env: Environment): number {
  const { state, rules } = env;
  if (state.decisionBuilding === 0) {
    state.buildingStreak = 0;
    return 0;
  }
  state.buildingStreak++;
  restoreCheckpoint(state);
  state.arrived = 0;
  if (state.buildingStreak >= rules.buildingLimit) state.outcome = outcomes.repeatedBuildingCollision;
  return rules.buildingPenaltyTicks;
}

/** After so many moves that led nowhere, goes back to an earlier place of the trail. Returns penalty ticks. */
export function recoverFromWedge(env: Environment, displacement: Vector): number {
  const { state, rules } = env;
  if (state.decisionBuilding > 0) return 0;
  state.wedgeStreak = isShorter(displacement, wedgedBelow) ? state.wedgeStreak + 1 : 0;
  if (state.wedgeStreak < rules.wedgeLimit) return 0;
  state.wedgeStreak = 0;
  const entry = trailNewestFirst(env).find(
    ({ x, y }) => !isShorter({ x: state.x - x, y: state.y - y }, trailApart),
  );
  if (entry !== undefined) Object.assign(state, entry, { moveStop: 0 });
  return rules.wedgePenaltyTicks;
}

/** Remembers the end of a free move. */
export function extendTrail(env: Environment, displacement: Vector): void {
  const { state } = env;
  if (isShorter(displacement, trailFrom) || state.decisionContacts + state.decisionBuilding > 0) return;
  const { x, y, heading, subgoal } = state;
  state.trail[state.trailCount % trailLength] = { x, y, heading, subgoal };
  state.trailCount++;
}

function trailNewestFirst({ state }: Environment): TrailEntry[] {
  const kept = Math.min(state.trailCount, trailLength);
  return Array.from({ length: kept }, (_, age) => state.trail[(state.trailCount - 1 - age) % trailLength]!);
}

/** Strictly shorter than a whole number of units: the rules' `within` of one unit less. */
function isShorter(displacement: Vector, length: number): boolean {
  return within(displacement.x, displacement.y, length - 1);
}
