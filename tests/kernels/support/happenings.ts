// What a set of episodes has seen: tests of random scenarios assert that the rules they mean to test took part.
import { shapeKinds } from '../../../src/kernels/world.ts';
import { moveOf } from '../../reference/actions.ts';
import { noConflict } from '../../reference/conflicts.ts';
import { actorBits, isTouching, outcomes } from '../../reference/environment.ts';
import type { ReferenceEpisode } from '../../reference/episode.ts';
import { fallingStage, fallingStages } from '../../reference/falling.ts';
import { poseAt } from '../../reference/move.ts';
import { pointsWithin, samePoint } from '../../reference/numbers.ts';
import type { EnvState } from '../../reference/records.ts';
import { vehicleStatuses } from '../../reference/vehicles.ts';

/** Units that a move covers in a tick. */
const longestStep = 320;

const types = ['human', 'object', 'building', 'vehicle'] as const;
const intervals = ['active', 'passive'] as const;

/** Which of the things that can happen were seen, and in how many decisions each. */
export class Happenings {
  /** By name. Holds every name once `look` has been called. */
  readonly decisions = new Map<string, number>();

  /** Looks at an episode whose decision has just ended. */
  look(episode: ReferenceEpisode): void {
    for (const [name, happened] of seenIn(episode)) {
      this.decisions.set(name, (this.decisions.get(name) ?? 0) + Number(happened));
    }
  }

  /** What never happened. */
  get missing(): string[] {
    return [...this.decisions].flatMap(([name, decisions]) => (decisions === 0 ? [name] : []));
  }
}

function* seenIn(episode: ReferenceEpisode): Generator<readonly [string, boolean]> {
  const { state, environment: env } = episode;
  const { rules } = env;
  for (const [type, typeName] of types.entries()) {
    for (const [interval, intervalName] of intervals.entries()) {
      // A standing agent walks into no building.
      if (typeName === 'building' && intervalName === 'passive') continue;
      yield [`${typeName} contact, ${intervalName}`, state.contacts[type * 2 + interval]! > 0];
      yield [`${typeName} incident, ${intervalName}`, state.incidents[type * 2 + interval]! > 0];
    }
  }
  yield ['human contact repeated', state.contacts[0]! > state.incidents[0]!];
  yield ['object contact repeated', state.contacts[2]! > state.incidents[2]!];
  yield ['trip', state.hazards[0]! > 0];
  yield ['oil', state.hazards[1]! > 0];
  yield ['water', state.hazards[2]! > 0];
  yield ['hazard latch', state.hazardKind > 0];
  yield ['red light', state.violations[0]! > 0];
  yield ['jaywalk', state.violations[1]! > 0];
  yield ['admitted to a crosswalk', state.admitted > 0];
  yield ['on a crosswalk illegally', state.illegal > 0];
  yield ['on a road', state.jaywalking > 0];
  yield ['conflict launched', state.conflicts[0]! > 0];
  yield ['conflict hit', state.conflicts[1]! > 0];
  yield ['success', state.outcome === 1];
  yield ['vehicle collision', state.outcome === 2];
  yield ['repeated building collision', state.outcome === 3];
  yield ['decision budget', state.outcome === 4];
  yield ['success by more than one edge', state.outcome === 1 && state.subgoal > 1];
  yield ['rollback', state.decisionBuilding > 0];
  yield ['several buildings in a row', state.buildingStreak > 1];
  yield ['wedged', state.wedgeStreak > 0];
  yield ['nearly wedged for good', state.wedgeStreak === rules.wedgeLimit - 1];
  yield ['wedged for good', isWedgedForGood(state)];
  yield [
    'restored from the trail',
    isWedgedForGood(state) && !samePoint(state, poseAt(state, state.moveTicks)),
  ];
  yield ['trail wrapped round', state.trailCount > state.trail.length];
  yield ['physical move', state.physical === 1];
  yield ['refused step', state.moveStop < state.moveTicks];
  yield ['held by an object', (state.pressing & 1) !== 0];
  yield ['held by two objects', (state.pressing & 1) !== 0 && fixedBoxesNear(episode) > 1];
  yield ['held by a building', (state.pressing & 2) !== 0];
  yield ['slowed by oil', state.slow === 1];
  yield ['carried centiseconds', state.carryCentiseconds > 0];
  yield ['walker held', env.walkers.some(({ status }) => (status & actorBits.held) !== 0)];
  yield ['walker passing through', env.walkers.some(({ timer }) => timer < 0)];
  yield ['walker waiting', env.walkers.some(({ timer }) => timer > 0)];
  yield ['walker pressing for long', env.walkers.some((walker) => isTouching(walker) && walker.mark > 0)];
  yield ['walker absent', env.walkers.some(({ status }) => status === 0)];
  yield ['pedestrian touching', env.pedestrians.some(isTouching)];
  yield ['dog touching', env.dogs.some(isTouching)];
  yield ['close to a walker', state.closeTicks[0]! > 0];
  yield ['on a collision course', state.timeToCollision > 0 && state.timeToCollision < noConflict];
  yield ['crossed a way in time', state.postEncroachment < noConflict];
  for (const [name, stage] of Object.entries(fallingStages)) {
    yield [`falling object ${name}`, env.falling.some((object) => fallingStage(object) === stage)];
  }
  yield ['falling object touching', env.falling.some(isTouching)];
  yield ['prop pushed', env.props.some(({ timer }) => timer !== 0)];
  yield ['prop touching', env.props.some(isTouching)];
  yield ['vehicle staged', env.vehicles.some(({ status }) => status === vehicleStatuses.staged)];
  yield ['vehicle driving', env.vehicles.some(({ status }) => status === vehicleStatuses.driving)];
  yield [
    'two vehicles at once',
    env.vehicles.filter(({ status }) => status !== vehicleStatuses.free).length > 1,
  ];
  yield ['vehicle gone again', isVehicleGone(episode)];
}

/** Boxes that stand fast within a step of touching. */
function fixedBoxesNear({ state, environment: { props, route, rules } }: ReferenceEpisode): number {
  const reach = rules.agentRadius + rules.boxRadius + longestStep;
  return props.filter(
    (prop) =>
      route.props[prop.link]!.kind === shapeKinds.box &&
      (prop.status & actorBits.movable) === 0 &&
      pointsWithin(prop, state, reach),
  ).length;
}

/** The move led nowhere, and the streak of such moves has started anew. */
function isWedgedForGood(state: EnvState): boolean {
  const moveStart = { x: state.moveStartX, y: state.moveStartY };
  const isShort = pointsWithin(poseAt(state, state.moveTicks), moveStart, 319);
  const isFreeMove = moveOf(state.action) !== undefined && state.decisionBuilding === 0;
  return isFreeMove && isShort && state.wedgeStreak === 0 && state.outcome !== outcomes.vehicleCollision;
}

/** Launched, but neither on its way any more nor in a hit. */
function isVehicleGone({ state, environment: { vehicles } }: ReferenceEpisode): boolean {
  const busy = vehicles.filter(({ status }) => status !== vehicleStatuses.free).length;
  return state.conflicts[0]! > state.conflicts[1]! + busy;
}
