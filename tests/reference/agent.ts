// The agent's part of a tick: its step, what refuses it or is entered by it, hazards and violations on the way
// (docs/rules.md, section 5.2).
import { shapeKinds } from '../../src/kernels/world.ts';
import type { AgentStep } from './agentStep.ts';
import { doubledDistanceToCentre, isInGrownBuilding } from './areas.ts';
import { type ContactType, contactTypes, countContact, countIncident, intervals } from './contacts.ts';
import { sampleCrossing, sampleJaywalk } from './crossing.ts';
import { actorBits, agentPosition, type Environment, isPresent } from './environment.ts';
import { gatherHazards } from './hazards.ts';
import { isMoving, poseAt } from './move.ts';
import { pointsWithin, samePoint, squaredDistance, subtract, type Vector } from './numbers.ts';
import type { Actor } from './records.ts';
import { touchesRest } from './touchesRest.ts';

/** Bits of `pressing`. */
const pressingBits = { object: 1, building: 2 } as const;

/** Moves the agent by one tick, where it moves at all. */
export function moveAgent(env: Environment): AgentStep {
  const { state, rules } = env;
  const before = agentPosition(state);
  if (!isMoving(state)) return { before, after: before, intended: { x: 0, y: 0 }, pressed: new Set() };

  const planned = poseAt(state, state.moveTick + 1);
  const refusal = refusalOf(env, before, planned);
  const after = refusal.isRefused ? before : planned;
  if (refusal.isRefused) state.moveStop = state.moveTick;
  else if (!samePoint(before, after)) {
    state.pressing = 0;
    state.lastStepTick = state.worldTick + 1;
    state.strideX = after.x - before.x;
    state.strideY = after.y - before.y;
  }
  countRefusals(env, refusal);
  countEntered(env, before, after);

  state.x = after.x;
  state.y = after.y;
  gatherHazards(env, before, after);
  if (rules.violationEveryTick === 1 && !samePoint(before, after)) {
    sampleCrossing(env, after);
    sampleJaywalk(env, after);
  }
  return { before, after, intended: subtract(planned, before), pressed: new Set(refusal.walkers) };
}

interface Refusal {
  readonly isRefused: boolean;
  readonly walkers: readonly Actor[];
  readonly objects: number;
  readonly buildings: number;
}

/** Everything solid in the way of a step of a physical move. */
function refusalOf(env: Environment, before: Vector, after: Vector): Refusal {
  const { state, rules, route } = env;
  if (state.physical === 0 || state.moveTick >= state.moveStop) {
    return { isRefused: false, walkers: [], objects: 0, buildings: 0 };
  }
  const isInTheWay = (position: Vector, contactDistance: number) =>
    pointsWithin(after, position, contactDistance) &&
    squaredDistance(after, position) < squaredDistance(before, position);

  const walkers = env.walkers.filter(
    (walker) => isPresent(walker) && walker.timer >= 0 && isInTheWay(walker, rules.humanContact),
  );
  const fixedBoxes = env.props.filter(
    (prop) =>
      isPresent(prop) &&
      route.props[prop.link]!.kind === shapeKinds.box &&
      (prop.status & actorBits.movable) === 0 &&
      isInTheWay(prop, rules.agentRadius + rules.boxRadius),
  );
  const buildings = route.map.buildings.filter(
    (building) =>
      isInGrownBuilding(building, after, rules.agentRadius) &&
      (!isInGrownBuilding(building, before, rules.agentRadius) ||
        doubledDistanceToCentre(building, after) < doubledDistanceToCentre(building, before)),
  );
  const objects = fixedBoxes.length;
  return {
    isRefused: walkers.length + objects + buildings.length > 0,
    walkers,
    objects,
    buildings: buildings.length,
  };
}

/** One contact per refusing object, one for all refusing buildings; one incident each until the agent moves again. */
function countRefusals(env: Environment, { objects, buildings }: Refusal): void {
  const { state } = env;
  for (let object = 0; object < objects; object++) {
    countContact(state, contactTypes.object, intervals.active);
  }
  if (objects > 0) countPressingIncident(env, contactTypes.object, pressingBits.object);
  if (buildings > 0) {
    countContact(state, contactTypes.building, intervals.active);
    countPressingIncident(env, contactTypes.building, pressingBits.building);
  }
}

function countPressingIncident(env: Environment, type: ContactType, bit: number): void {
  const { state } = env;
  if ((state.pressing & bit) === 0) countIncident(state, type, intervals.active);
  state.pressing |= bit;
}

/** What stands still and does not stop the agent counts when it is walked into. */
function countEntered(env: Environment, before: Vector, after: Vector): void {
  if (!touchesRest(env)) return;
  const { state, rules, route } = env;
  for (const { centre, radius } of route.map.furniture) {
    const contactDistance = rules.agentRadius + radius;
    if (pointsWithin(after, centre, contactDistance) && !pointsWithin(before, centre, contactDistance)) {
      countContact(state, contactTypes.object, intervals.active);
      countIncident(state, contactTypes.object, intervals.active);
    }
  }
  if (state.physical === 1) return;
  const entersBuilding = route.map.buildings.some(
    (building) =>
      isInGrownBuilding(building, after, rules.agentRadius) &&
      !isInGrownBuilding(building, before, rules.agentRadius),
  );
  if (entersBuilding) {
    countContact(state, contactTypes.building, intervals.active);
    countIncident(state, contactTypes.building, intervals.active);
  }
}
