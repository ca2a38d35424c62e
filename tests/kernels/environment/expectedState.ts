// The state vector as the CPU reference has it, in floats and by name: written from the list of fields, not from the kernel.
import { shapeKinds } from '../../../src/kernels/world.ts';
import { actorBits, isPresent } from '../../reference/environment.ts';
import type { ReferenceEpisode } from '../../reference/episode.ts';
import { unpackDirection, type Vector } from '../../reference/numbers.ts';
import type { Actor } from '../../reference/records.ts';
import type { Strip } from '../../reference/world.ts';

const perMetre = 1600;
const actorSight = 20;
const hazardSight = 10;
const one = 16384;

const moves = [
  [1, 0],
  [2, 0],
  [2, -45],
  [2, 45],
  [4, 0],
  [4, -45],
  [4, 45],
] as const;

type Values = Record<string, number>;

class Frame {
  readonly #state;
  readonly #forward: Vector;

  constructor({ state }: ReferenceEpisode) {
    this.#state = state;
    const radians = (state.heading / 1800) * Math.PI;
    this.#forward = { x: Math.cos(radians), y: Math.sin(radians) };
  }

  /** Metres from the agent. */
  from({ x, y }: Vector): Vector {
    return { x: (x - this.#state.x) / perMetre, y: (y - this.#state.y) / perMetre };
  }

  turn({ x, y }: Vector): { forward: number; right: number } {
    const forward = this.#forward;
    return { forward: x * forward.x + y * forward.y, right: y * forward.x - x * forward.y };
  }

  place(position: Vector): { forward: number; right: number; distance: number } {
    const d = this.from(position);
    return { ...this.turn(d), distance: Math.hypot(d.x, d.y) };
  }

  velocity(metresASecond: number, axis: Vector): { velocityForward: number; velocityRight: number } {
    const { forward, right } = this.turn({ x: axis.x / one, y: axis.y / one });
    return { velocityForward: metresASecond * forward, velocityRight: metresASecond * right };
  }
}

/** The nearest first, by whole units; of two at one distance the earlier. */
function nearest<Thing>(
  things: readonly Thing[],
  at: (thing: Thing) => Vector,
  { state }: ReferenceEpisode,
  sight: number,
  count: number,
): Thing[] {
  return things
    .map((thing) => ({ thing, squared: (at(thing).x - state.x) ** 2 + (at(thing).y - state.y) ** 2 }))
    .filter(({ squared }) => squared <= (sight * perMetre) ** 2)
    .sort((first, second) => first.squared - second.squared)
    .slice(0, count)
    .map(({ thing }) => thing);
}

function pointsOf({ environment: { route } }: ReferenceEpisode): Vector[] {
  return [...route.edges.map(({ start }) => start), route.end];
}

function isIn(strip: Strip, p: Vector): boolean {
  const d = { x: p.x - strip.start.x, y: p.y - strip.start.y };
  const along = (d.x * strip.axis.x + d.y * strip.axis.y) / one;
  const lateral = (d.y * strip.axis.x - d.x * strip.axis.y) / one;
  return along > 0.05 * strip.length && along < 0.95 * strip.length && Math.abs(lateral) <= strip.halfWidth;
}

function crossingOf(episode: ReferenceEpisode): Values {
  const { state, environment } = episode;
  const { edges, map } = environment.route;
  const frame = new Frame(episode);
  const active = state.subgoal - 1;
  const index = edges.findIndex(({ kind }, edge) => edge >= active && kind === shapeKinds.crosswalk);
  if (index < 0) return {};
  const edge = edges[index]!;
  const { axis } = edges[active]!;
  const start = frame.from(edges[active]!.start);
  const gone = (-start.x * axis.x - start.y * axis.y) / one;
  const between = edges.slice(active + 1, index).reduce((way, { length }) => way + length / perMetre, 0);
  const ahead = index === active ? 0 : Math.max(0, edges[active]!.length / perMetre - gone) + between;
  const middle = {
    x: edge.start.x + (edge.axis.x / one) * (edge.length / 2),
    y: edge.start.y + (edge.axis.y / one) * (edge.length / 2),
  };
  const groups = map.crosswalks.find((crosswalk) => isIn(crosswalk, middle))?.vehicleGroups ?? 0;
  const { greenTicks, yellowTicks, allRedTicks, walkTicks, clearanceTicks } = environment.rules;
  const vehicles = groups * (greenTicks + yellowTicks + allRedTicks);
  const cycle = vehicles + walkTicks + clearanceTicks;
  // Counted out, tick by tick.
  const walksAt = (tick: number) => tick % cycle >= vehicles && tick % cycle < vehicles + walkTicks;
  const ticksUntil = (walks: boolean) => {
    let ticks = 0;
    while (walksAt(state.worldTick + ticks) !== walks && ticks <= cycle) ticks++;
    return ticks / 10;
  };
  return {
    present: 1,
    ahead,
    length: edge.length / perMetre,
    signalised: groups === 0 ? 0 : 1,
    walk: groups === 0 || walksAt(state.worldTick) ? 1 : 0,
    walkLeft: groups === 0 ? 0 : ticksUntil(false),
    untilWalk: groups === 0 ? 0 : ticksUntil(true),
  };
}

function subgoalsOf(episode: ReferenceEpisode): Values[] {
  const frame = new Frame(episode);
  const points = pointsOf(episode);
  const { subgoal } = episode.state;
  return points.slice(subgoal, subgoal + 3).map((point, place) => {
    const at = frame.place(point);
    return {
      present: 1,
      ...at,
      cos: at.distance === 0 ? 1 : at.forward / at.distance,
      sin: at.distance === 0 ? 0 : at.right / at.distance,
      crosswalk: episode.environment.route.edges[subgoal + place - 1]!.kind === shapeKinds.crosswalk ? 1 : 0,
      final: subgoal + place === points.length - 1 ? 1 : 0,
    };
  });
}

function routeOf(episode: ReferenceEpisode): Values {
  const { state, environment } = episode;
  const { edges } = environment.route;
  const frame = new Frame(episode);
  const edge = edges[state.subgoal - 1]!;
  const from = frame.from(edge.start);
  const heading = frame.turn({ x: edge.axis.x / one, y: edge.axis.y / one });
  const points = pointsOf(episode)
    .slice(state.subgoal)
    .map((point) => frame.from(point));
  const toGo = points.reduce((way, point, place) => {
    const before = points[place - 1] ?? { x: 0, y: 0 };
    return way + Math.hypot(point.x - before.x, point.y - before.y);
  }, 0);
  return {
    toGo,
    lateral: (-from.y * edge.axis.x + from.x * edge.axis.y) / one,
    left: edge.length / perMetre - (-from.x * edge.axis.x - from.y * edge.axis.y) / one,
    halfWidth: edge.halfWidth / perMetre,
    headingCos: heading.forward,
    // Seen from the edge, not from the agent.
    headingSin: -heading.right,
    crosswalk: edge.kind === shapeKinds.crosswalk ? 1 : 0,
    subgoalsLeft: edges.length - state.subgoal + 1,
  };
}

function walkersOf(episode: ReferenceEpisode): Values[] {
  const { walkers, dogs, rules, route } = episode.environment;
  const frame = new Frame(episode);
  return nearest(walkers.filter(isPresent), (walker) => walker, episode, actorSight, 8).map((walker) => {
    const isDog = dogs.includes(walker);
    const { axis, next, length } = route.segments[walker.link]!;
    const ranOut = isDog && rules.dogsRepeat === 0 && next <= walker.link && walker.along >= length - 1;
    const isHeld = (walker.status & actorBits.held) !== 0 && walker.timer >= 0;
    return {
      present: 1,
      dog: isDog ? 1 : 0,
      ...frame.place(walker),
      ...frame.velocity(isHeld || ranOut ? 0 : (walker.speed * 10) / perMetre, axis),
      touching: (walker.status & actorBits.touching) === 0 ? 0 : 1,
      held: isHeld ? 1 : 0,
    };
  });
}

function vehiclesOf(episode: ReferenceEpisode): Values[] {
  const { vehicles, rules } = episode.environment;
  const frame = new Frame(episode);
  const driving = 2;
  const there = vehicles.filter(({ status }) => status !== 0);
  return nearest(there, (vehicle) => vehicle, episode, actorSight, 3).map((vehicle) => ({
    present: 1,
    driving: vehicle.status === driving ? 1 : 0,
    ...frame.place(vehicle),
    ...frame.velocity(
      vehicle.status === driving ? (rules.vehicleSpeed * 10) / perMetre : 0,
      unpackDirection(vehicle.link),
    ),
  }));
}

function objectsOf(episode: ReferenceEpisode): Values[] {
  const { falling, props, route } = episode.environment;
  const frame = new Frame(episode);
  const there: Actor[] = [...falling, ...props].filter(isPresent);
  return nearest(there, (object) => object, episode, actorSight, 6).map((object) => {
    const falls = falling.includes(object);
    const kind = falls ? -1 : route.props[object.link]!.kind;
    return {
      present: 1,
      falling: falls ? 1 : 0,
      armed: falls && (object.status >> 4 === 1 || object.status >> 4 === 2) ? 1 : 0,
      landed: falls && object.status >> 4 === 3 ? 1 : 0,
      ball: kind === shapeKinds.ball ? 1 : 0,
      box: kind === shapeKinds.box ? 1 : 0,
      movable: !falls && (object.status & actorBits.movable) !== 0 ? 1 : 0,
      ...frame.place(object),
      height: falls ? object.along / perMetre : 0,
    };
  });
}

function hazardsOf(episode: ReferenceEpisode): Values[] {
  const { state, environment } = episode;
  const hazardBit = 16;
  if ((state.classes & hazardBit) === 0) return [];
  const frame = new Frame(episode);
  return nearest(environment.route.map.patches, ({ centre }) => centre, episode, hazardSight, 4).map(
    ({ kind, centre }) => ({
      present: 1,
      trip: kind === shapeKinds.trip ? 1 : 0,
      oil: kind === shapeKinds.oil ? 1 : 0,
      water: kind === shapeKinds.water ? 1 : 0,
      ...frame.place(centre),
    }),
  );
}

/** Every field that is not 0, by name. */
export function expectedState(episode: ReferenceEpisode): Values {
  const { state } = episode;
  const several = (name: string, members: readonly Values[]) =>
    members.flatMap((values, member) =>
      Object.entries(values).map(([field, value]) => [`${name}[${member}].${field}`, value] as const),
    );
  const single = (name: string, values: Values) =>
    Object.entries(values).map(([field, value]) => [`${name}.${field}`, value] as const);
  return Object.fromEntries([
    ...single('agent', {
      clock: state.clockCentiseconds / 100,
      exposure: state.exposureCentiseconds / 100,
      decisionsLeft: state.maxDecisions - state.decisions,
      lastAction: state.action,
      activeContacts: state.decisionContacts,
      passiveContacts: state.decisionPassive,
      buildingContacts: state.decisionBuilding,
      trips: state.decisionTrips,
      buildingStreak: state.buildingStreak,
      wedgeStreak: state.wedgeStreak,
      slow: Math.min(1, state.slow),
      jaywalking: Math.min(1, state.jaywalking),
      admitted: Math.min(1, state.admitted),
      illegal: Math.min(1, state.illegal),
    }),
    ...single('route', routeOf(episode)),
    ...several('subgoal', subgoalsOf(episode)),
    ...single('crossing', crossingOf(episode)),
    ...several('walker', walkersOf(episode)),
    ...several('vehicle', vehiclesOf(episode)),
    ...several('object', objectsOf(episode)),
    ...several('hazard', hazardsOf(episode)),
  ]);
}

/** Which of the sixteen actions can be carried out. A move whose end is this near to a wall may be either. */
export function expectedMask({ state, environment }: ReferenceEpisode): (boolean | 'either')[] {
  const { rules, route } = environment;
  const slack = 2;
  return Array.from({ length: 16 }, (_, index) => {
    const move = moves[index];
    if (move === undefined) return true;
    const [distance, turn] = move;
    const radians = ((state.heading / 10 + turn) * Math.PI) / 180;
    const x = state.x + Math.cos(radians) * distance * perMetre;
    const y = state.y + Math.sin(radians) * distance * perMetre;
    const isIn = (margin: number) =>
      route.map.buildings.some(
        ({ minX, minY, maxX, maxY }) =>
          x >= minX - margin && y >= minY - margin && x <= maxX + margin && y <= maxY + margin,
      );
    const [surely, possibly] = [isIn(rules.agentRadius - slack), isIn(rules.agentRadius + slack)];
    return surely === possibly ? !surely : 'either';
  });
}
