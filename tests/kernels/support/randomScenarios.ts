// Random scenarios and what their agents do. Each is a function of its index and a seed alone, so that any one can be played
// again by itself; whoever plays it sees the same decisions, because they depend on the state only through its bits.
import { greedyAction } from '../../../src/host/policies/greedy.ts';
import type { ResetRequest } from '../../../src/kernels/batchSimulator.ts';
import { randomU32 } from '../../../src/kernels/random.ts';
import type { WorldTables } from '../../../src/kernels/world.ts';
import type { ReferenceEpisode } from '../../reference/episode.ts';
import { bundledProfileCount, testProfiles } from './testProfiles.ts';

/** How an agent chooses: every style has parts that lead it into trouble. */
export const styles = ['greedy', 'wandering', 'stubborn', 'ramming', 'crossing', 'anything'] as const;
export type Style = (typeof styles)[number];

/**
 * Longest thought of a scenario, in centiseconds. Scenarios that follow one another share it, since a round of a batch takes
 * as long as its longest thought.
 */
const longestThoughts = [0, 7, 99, 301, 999, 6000] as const;
const alikeInARow = 16;

export interface Scenario {
  readonly index: number;
  readonly seed: number;
  readonly start: Omit<ResetRequest, 'env'>;
  readonly style: Style;
  readonly longestThought: number;
}

export interface ScenarioDecision {
  readonly action: number;
  readonly latencyCentiseconds: number;
}

const fourMetresAhead = 5;
/** Ninety degrees to the left and to the right. */
const sideways = [10, 13] as const;
/** One beyond the last known action: counts as none. */
const unknownAction = 17;
const allClasses = 63;

/** Whole numbers in [0, count) by number of draw; `purpose` keeps the streams apart. */
function drawsOf(seed: number, purpose: number, entity: number): (draw: number, count: number) => number {
  return (draw, count) => randomU32(seed, purpose, entity, draw) % count;
}

/**
 * Scenario `index` of the family of `seed`.
 *
 * @example const scenario = drawScenario(bundledWorld(), 1, 17);
 */
export function drawScenario(world: WorldTables, seed: number, index: number): Scenario {
  const draw = drawsOf(seed, 1001, index);
  const style = styles[draw(0, styles.length)]!;
  const longestThought = longestThoughts[Math.floor(index / alikeInARow) % longestThoughts.length]!;
  return {
    index,
    seed,
    style,
    longestThought,
    start: {
      route: drawRoute(world, draw(1, 2 ** 16), draw(11, 2 ** 16)),
      rules: draw(9, 2) === 0 ? index % bundledProfileCount : draw(10, testProfiles.length),
      mode: draw(2, 4) === 0 ? 'static' : 'realtime',
      seed: randomU32(seed, 1002, index, 0),
      maxDecisions: (longestThought === 0 ? 45 : 1) + draw(3, mostDecisions(longestThought)),
      percent: [60, 80, 100, draw(4, 101)][draw(5, 4)]!,
      speedChoices: draw(6, 2) === 0 ? 1 : 3,
      classes: draw(7, 4) === 0 ? draw(8, allClasses + 1) : allClasses,
    },
  };
}

/** A map first, so that one with few routes is played as often as another; the last, made for this, three times as often. */
function drawRoute({ routeList }: WorldTables, mapDraw: number, routeDraw: number): number {
  const maps = [...new Set(routeList.map(({ map }) => map))];
  const map = maps[mapDraw % (maps.length + 2)] ?? maps.at(-1);
  const routes = [...routeList.keys()].filter((index) => routeList[index]!.map === map);
  return routes[routeDraw % routes.length]!;
}

/** Long thoughts make long decisions: fewer of them. Without any, some episodes outlast the trail. */
function mostDecisions(longestThought: number): number {
  return longestThought > 1000 ? 12 : 60;
}

/** What the scenario's agent does next; `episode` stands before its decision number `episode.state.decisions + 1`. */
export function drawDecision(scenario: Scenario, episode: ReferenceEpisode): ScenarioDecision {
  const draw = drawsOf(scenario.start.seed, 1003, episode.state.decisions);
  return {
    action: drawAction(scenario.style, episode, draw),
    latencyCentiseconds: draw(0, scenario.longestThought + 1),
  };
}

function drawAction(
  style: Style,
  episode: ReferenceEpisode,
  draw: (draw: number, count: number) => number,
): number {
  const anything = draw(1, unknownAction + 1);
  const chance = draw(2, 100);
  if (style === 'greedy') return greedy(episode);
  if (style === 'wandering') return chance < 60 ? greedy(episode) : anything;
  // Turns now and then, and then goes straight on, whatever it meets.
  if (style === 'stubborn') return episode.state.decisions % 16 < 3 ? anything : fourMetresAhead;
  // Turns to one side of the street and never lets go.
  if (style === 'ramming') return episode.state.decisions === 0 ? sideways[draw(3, 2)]! : fourMetresAhead;
  // Walks to and fro across the street.
  if (style === 'crossing') return chance < 25 ? sideways[draw(3, 2)]! : 1 + draw(3, 7);
  return anything;
}

function greedy({ state, environment: { route } }: ReferenceEpisode): number {
  const goal = route.edges[state.subgoal]?.start ?? route.end;
  return greedyAction(state.x, state.y, state.heading, goal.x, goal.y);
}

/** One line that says which scenario it is. */
export function describeScenario(world: WorldTables, scenario: Scenario): string {
  const { start, index, style, longestThought } = scenario;
  const { map, id } = world.routeList[start.route]!;
  const { rules, mode, seed, percent, classes, speedChoices, maxDecisions } = start;
  return (
    `scenario ${index} of family ${scenario.seed} (${map}:${id}, ${testProfiles[rules]!.name}, ${mode}, episode seed ${seed}, ` +
    `${percent} %, classes ${classes}, ${speedChoices} speeds, ${maxDecisions} decisions, ${style}, ` +
    `thoughts up to ${longestThought / 100} s)`
  );
}
