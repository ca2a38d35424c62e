// The state vector, field by field: what shaders/observe.wgsl writes and what a policy reads. The one list of the fields;
// the kernel's constants, the space's bounds and the table in docs/environment.md come from it.
import { centisecondsPerTick, ticksPerSecond, unitsPerCm } from '../units.ts';

/** One number of the vector. */
export interface StateField {
  readonly name: string;
  /** `m`, `s`, `m/s`, `1` for counts and ratios, `flag` for 0 or 1. */
  readonly unit: 'm' | 's' | 'm/s' | '1' | 'flag';
  /** The kernel's whole number divided by this is the value. */
  readonly scale: number;
  /** Values beyond are set to the bound. */
  readonly minimum: number;
  readonly maximum: number;
  readonly about: string;
}

/** Fields that belong together, `count` times over. */
export interface StateGroup {
  readonly name: string;
  readonly count: number;
  readonly about: string;
  readonly fields: readonly StateField[];
}

/** The kernel's numbers per metre, second, metre a second, and for a ratio of 1. */
const perMetre = 100 * unitsPerCm;
const perTickedSecond = ticksPerSecond;
const perClockSecond = ticksPerSecond * centisecondsPerTick;
const perMetreASecond = perMetre / ticksPerSecond;
const perOne = 16384;

/** Farthest that walkers, vehicles and things are seen, and hazards. The kernel takes them from here. */
export const sightMetres = { actor: 20, hazard: 10 } as const;

function flag(name: string, about: string): StateField {
  return { name, unit: 'flag', scale: 1, minimum: 0, maximum: 1, about };
}

function count(name: string, maximum: number, about: string): StateField {
  return { name, unit: '1', scale: 1, minimum: 0, maximum, about };
}

function ratio(name: string, about: string): StateField {
  return { name, unit: '1', scale: perOne, minimum: -1, maximum: 1, about };
}

function metres(name: string, minimum: number, maximum: number, about: string): StateField {
  return { name, unit: 'm', scale: perMetre, minimum, maximum, about };
}

function ticked(name: string, maximum: number, about: string): StateField {
  return { name, unit: 's', scale: perTickedSecond, minimum: 0, maximum, about };
}

function clocked(name: string, about: string): StateField {
  return { name, unit: 's', scale: perClockSecond, minimum: 0, maximum: 36_000, about };
}

function speed(name: string, about: string): StateField {
  return { name, unit: 'm/s', scale: perMetreASecond, minimum: -20, maximum: 20, about };
}

/** Where something is, in the agent's frame. */
function place(reach: number): StateField[] {
  return [
    metres('forward', -reach, reach, 'ahead of the agent'),
    metres('right', -reach, reach, 'to its visual right'),
    metres('distance', 0, reach, 'in a straight line'),
  ];
}

const velocity = [
  speed('velocityForward', 'along the direction the agent faces'),
  speed('velocityRight', 'to its visual right'),
] as const;

/** Far beyond any route's extent on the bundled maps. */
const routeReach = 2000;

export const stateGroups = [
  {
    name: 'agent',
    count: 1,
    about: 'the agent itself, and what its last decision brought',
    fields: [
      clocked('clock', 'of the episode, latencies included'),
      clocked('exposure', 'sum of the latencies charged'),
      count('decisionsLeft', 1_000_000, 'of the decision budget'),
      count('lastAction', 16, 'code of the last action; 0 before the first'),
      count('activeContacts', 255, 'with people and objects during the last action'),
      count('passiveContacts', 255, 'of all kinds during the last thought'),
      count('buildingContacts', 255, 'during the last action'),
      count('trips', 255, 'bottles tripped over in the last action'),
      count('buildingStreak', 255, 'decisions in a row with a building contact; three end the episode'),
      count('wedgeStreak', 255, 'moves in a row that led nowhere'),
      flag('slow', 'the next move is at half speed: oil'),
      flag('jaywalking', 'on a road outside every crosswalk'),
      flag('admitted', 'on a crosswalk entered while it was open'),
      flag('illegal', 'on a crosswalk entered while it was closed'),
    ],
  },
  {
    name: 'route',
    count: 1,
    about: 'the edge that leads to the subgoal, and the way beyond',
    fields: [
      metres('toGo', 0, routeReach, 'straight to the subgoal, and on along the route to its end'),
      metres('lateral', -routeReach, routeReach, "to the right of the edge's line"),
      metres('left', -routeReach, routeReach, 'along the edge to its end'),
      metres('halfWidth', 0, 10, "of the edge's corridor"),
      ratio('headingCos', "cosine of the agent's heading against the edge's direction"),
      ratio('headingSin', 'sine of it; above 0: the agent faces to the right of it'),
      flag('crosswalk', 'the edge is a crosswalk'),
      count('subgoalsLeft', 100, 'points of the route not reached yet, its end included'),
    ],
  },
  {
    name: 'subgoal',
    count: 3,
    about: 'the next points of the route, the active one first',
    fields: [
      flag('present', 'there is such a point'),
      ...place(routeReach),
      ratio('cos', 'cosine of the angle from the heading to it'),
      ratio('sin', 'sine of it; above 0: to the right'),
      flag('crosswalk', 'the edge that leads to it is a crosswalk'),
      flag('final', "it is the route's end"),
    ],
  },
  {
    name: 'crossing',
    count: 1,
    about: 'the next crosswalk of the route, the one the agent is on included',
    fields: [
      flag('present', 'there is one'),
      metres('ahead', 0, routeReach, 'along the route to its near kerb; 0 on it'),
      metres('length', 0, 100, 'from kerb to kerb'),
      flag('signalised', 'it has signals; one without is always open'),
      flag('walk', 'WALK now, or no signals'),
      ticked('walkLeft', 600, 'until WALK ends; 0 while it is not on'),
      ticked('untilWalk', 600, 'until WALK begins; 0 while it is on'),
    ],
  },
  {
    name: 'walker',
    count: 8,
    about: `the nearest pedestrians and robot dogs within ${sightMetres.actor} m, the nearest first`,
    fields: [
      flag('present', 'there is one'),
      flag('dog', 'a robot dog'),
      ...place(sightMetres.actor),
      ...velocity,
      flag('touching', 'in contact with the agent'),
      flag('held', 'stands behind another walker'),
    ],
  },
  {
    name: 'vehicle',
    count: 3,
    about: `the nearest conflict vehicles within ${sightMetres.actor} m, the nearest first`,
    fields: [
      flag('present', 'there is one, staged or driving'),
      flag('driving', 'it drives'),
      ...place(sightMetres.actor),
      ...velocity,
    ],
  },
  {
    name: 'object',
    count: 6,
    about: `the nearest falling objects, balls and boxes within ${sightMetres.actor} m, the nearest first`,
    fields: [
      flag('present', 'there is one'),
      flag('falling', 'a falling object, hanging or down'),
      flag('armed', 'it is about to fall, or falling'),
      flag('landed', 'it is down'),
      flag('ball', 'a ball'),
      flag('box', 'a box'),
      flag('movable', 'it can be pushed'),
      ...place(sightMetres.actor),
      metres('height', 0, 10, 'above ground, of a falling object'),
    ],
  },
  {
    name: 'hazard',
    count: 4,
    about: `the nearest patches within ${sightMetres.hazard} m, the nearest first`,
    fields: [
      flag('present', 'there is one'),
      flag('trip', 'bottles'),
      flag('oil', 'oil'),
      flag('water', 'water'),
      ...place(sightMetres.hazard),
    ],
  },
] as const satisfies readonly StateGroup[];

/** Every field in its place, named `group.field`, or `group[place].field` in a group of several. */
export const stateFields: readonly StateField[] = stateGroups.flatMap((group) =>
  Array.from({ length: group.count }, (_, member) =>
    group.fields.map((field) => ({
      ...field,
      name: `${group.name}${group.count === 1 ? '' : `[${member}]`}.${field.name}`,
    })),
  ).flat(),
);

function constantName(...words: readonly string[]): string {
  return words.map((word) => word.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()).join('_');
}

/**
 * The places as WGSL constants: of a group its first field, its members and the fields of one, of a field its place in it.
 *
 * @example stateConstants() // 'const GROUP_AGENT = 0u; ... const GROUP_WALKER_COUNT = 8u; ... const FIELD_WALKER_DOG = 1u;'
 */
export function stateConstants(): string {
  const lines: string[] = [];
  let first = 0;
  for (const { name, count: members, fields } of stateGroups) {
    const group = constantName('group', name);
    lines.push(
      `const ${group} = ${first}u;`,
      `const ${group}_COUNT = ${members}u;`,
      `const ${group}_FIELDS = ${fields.length}u;`,
      ...fields.map((field, offset) => `const ${constantName('field', name, field.name)} = ${offset}u;`),
    );
    first += members * fields.length;
  }
  lines.push(
    `const STATE_FIELDS = ${first}u;`,
    `const ACTOR_SIGHT = ${sightMetres.actor * perMetre};`,
    `const HAZARD_SIGHT = ${sightMetres.hazard * perMetre};`,
    '',
  );
  return lines.join('\n');
}
