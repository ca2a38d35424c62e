// The beginning of an episode: how many actors of each class, and where they stand (docs/rules.md, section 3).
import { permutedRank, uniformBelow } from '../../src/kernels/random.ts';
import { toUnits } from '../../src/kernels/units.ts';
import { vehicleCount } from '../../src/kernels/world.ts';
import { saveCheckpoint } from './checkpoint.ts';
import { noConflict } from './conflicts.ts';
import { actorBits, draw, type Environment, hasClass, isPresent, purposes, statuses } from './environment.ts';
import { divide, pointsWithin, type Vector } from './numbers.ts';
import {
  type Actor,
  type EnvState,
  emptyActor,
  emptyEnvState,
  type ResetRequest,
  type Rules,
} from './records.ts';
import { decodeRoute, pointOnSegment, type ReferenceTables, type RouteWorld } from './world.ts';

/** Distances that a new walker keeps, in units. */
interface Spacing {
  readonly toOthers: number;
  readonly toStart: number;
  readonly toGroundObjects: number;
}

const pedestrianSpacing: Spacing = {
  toOthers: toUnits(325),
  toStart: toUnits(325),
  toGroundObjects: toUnits(250),
};
const dogSpacing: Spacing = { toOthers: toUnits(200), toStart: toUnits(200), toGroundObjects: toUnits(100) };

const pedestrianAttempts = 32;
const drawsPerAttempt = 4;
/** Pedestrians start on segments of at least 1000 cm, 500 cm or more from both ends. */
const shortestSegmentCm = 1000;
const endMarginCm = 500;
/** Units per tick: 1, 1.5 and 2 m/s. */
const pedestrianSpeeds: readonly number[] = [160, 240, 320];

/** An environment at the start of an episode, awaiting its first decision. */
export function resetEnvironment(tables: ReferenceTables, rules: Rules, request: ResetRequest): Environment {
  const route = decodeRoute(tables, request.route);
  const state = emptyEnvState();
  const { mode, seed, maxDecisions, classes } = request;
  Object.assign(state, { route: request.route, rules: request.rules, mode, seed, maxDecisions, classes });
  countSlots(state, route, request.percent);
  placeAgent(state, route);

  const pedestrians = placePedestrians(state, route, request.speedChoices);
  const dogs = placeDogs(state, route, rules);
  const falling = hangFallingObjects(state, route, rules);
  const props = placeProps(state, route);
  const vehicles = slots(vehicleCount, emptyActor);
  const walkers = [...pedestrians, ...dogs];
  const actors = [...walkers, ...falling, ...props, ...vehicles];
  return { rules, route, state, pedestrians, dogs, falling, props, vehicles, walkers, actors };
}

function countSlots(state: EnvState, route: RouteWorld, percent: number): void {
  const share = (count: number) => divide(percent * count + 50, 100);
  if (hasClass(state, 'pedestrians')) state.pedestrians = share(route.pedestrianCount);
  if (hasClass(state, 'dogs')) state.dogs = share(route.dogCycles.length);
  if (hasClass(state, 'falling')) state.falling = share(route.falling.length);
  if (hasClass(state, 'objects')) {
    state.props = route.props.length;
    state.movableCount = share(route.groundObjectCount);
  }
}

function placeAgent(state: EnvState, route: RouteWorld): void {
  state.x = route.start.x;
  state.y = route.start.y;
  state.heading = route.startHeading;
  state.subgoal = 1;
  saveCheckpoint(state);
  state.status = statuses.awaiting;
  state.timeToCollision = noConflict;
  state.postEncroachment = noConflict;
}

function placePedestrians(state: EnvState, route: RouteWorld, speedChoices: number): Actor[] {
  const pedestrians: Actor[] = [];
  for (let index = 0; index < state.pedestrians; index++) {
    const place = pedestrianPlace(state, route, index, pedestrians);
    const speed =
      pedestrianSpeeds[uniformBelow(draw(state, purposes.pedestrianSpeed, index, 0), speedChoices)]!;
    pedestrians.push(place === undefined ? emptyActor() : walkerAt(place, speed));
  }
  return pedestrians;
}

/** The first place out of 32 drawn ones that fits. */
function pedestrianPlace(
  state: EnvState,
  route: RouteWorld,
  index: number,
  earlier: readonly Actor[],
): WalkerPlace | undefined {
  for (let attempt = 0; attempt < pedestrianAttempts; attempt++) {
    const random = (number: number) =>
      draw(state, purposes.pedestrianPlacement, index, drawsPerAttempt * attempt + number);
    const cycle = route.pedestrianCycles[uniformBelow(random(0), route.pedestrianCycles.length)];
    if (cycle === undefined) return undefined;
    const link = cycle.first + uniformBelow(random(1), cycle.count);
    const lengthCm = route.segments[link]!.length >> 4;
    if (lengthCm < shortestSegmentCm) continue;
    const freeCm = lengthCm - 2 * endMarginCm + 1;
    const along = toUnits(endMarginCm + uniformBelow(random(2), freeCm));
    const position = pointOnSegment(route.segments[link]!, along);
    if (fits(route, position, earlier, pedestrianSpacing)) return { position, link, along };
  }
  return undefined;
}

/** A dog stands at the first free segment of its cycle; which cycle is a rank, so that fewer dogs are a prefix of more. */
function placeDogs(state: EnvState, route: RouteWorld, rules: Rules): Actor[] {
  const dogs: Actor[] = [];
  for (let slot = 0; slot < state.dogs; slot++) {
    const rank = permutedRank(slot, route.dogCycles.length, draw(state, purposes.dogRank, 0, 0));
    const { first, count } = route.dogCycles[rank]!;
    const links = Array.from({ length: count }, (_, attempt) => first + attempt);
    const link = links.find((candidate) =>
      fits(route, pointOnSegment(route.segments[candidate]!, 0), dogs, dogSpacing),
    );
    if (link === undefined) dogs.push(emptyActor());
    else
      dogs.push(
        walkerAt({ position: pointOnSegment(route.segments[link]!, 0), link, along: 0 }, rules.dogSpeed),
      );
  }
  return dogs;
}

function hangFallingObjects(state: EnvState, route: RouteWorld, rules: Rules): Actor[] {
  return slots(state.falling, (slot) => {
    const link = permutedRank(slot, route.falling.length, draw(state, purposes.fallingRank, 0, 0));
    const { x, y } = route.falling[link]!.centre;
    return { ...emptyActor(), x, y, link, along: rules.fallingHeight, status: actorBits.present };
  });
}

function placeProps(state: EnvState, route: RouteWorld): Actor[] {
  return slots(state.props, (link) => {
    const shape = route.props[link]!;
    const rank = permutedRank(shape.link, route.groundObjectCount, draw(state, purposes.movableRank, 0, 0));
    const status = rank < state.movableCount ? actorBits.present | actorBits.movable : actorBits.present;
    return { ...emptyActor(), x: shape.centre.x, y: shape.centre.y, link, status };
  });
}

interface WalkerPlace {
  readonly position: Vector;
  readonly link: number;
  readonly along: number;
}

function walkerAt({ position, link, along }: WalkerPlace, speed: number): Actor {
  return { ...emptyActor(), x: position.x, y: position.y, link, along, speed, status: actorBits.present };
}

function fits(route: RouteWorld, position: Vector, earlier: readonly Actor[], spacing: Spacing): boolean {
  return (
    !earlier.some((other) => isPresent(other) && pointsWithin(position, other, spacing.toOthers)) &&
    !pointsWithin(position, route.start, spacing.toStart) &&
    !route.map.groundObjects.some(({ centre }) => pointsWithin(position, centre, spacing.toGroundObjects))
  );
}

function slots(count: number, make: (slot: number) => Actor): Actor[] {
  return Array.from({ length: count }, (_, slot) => make(slot));
}
