// What the rest of the way costs, about: walking, turning, waiting for WALK, and getting back to the middle of the edge.
import { directionTable } from '../../../kernels/directions.ts';
import { mulQ14, wholeRoot } from '../../../kernels/fixedPoint.ts';
import { toUnits } from '../../../kernels/units.ts';
import type { Crossings } from './crossings.ts';
import type { PlanFrame } from './planFrame.ts';
import type { PlanNodes } from './planNodes.ts';

/** Off the middle of its edge by more than this, the agent will want back: the walkers' lanes are at 200 cm. */
const middleHalfWidth = toUnits(70);
/** Q14 tangents of 22.5 and 67.5 degrees. */
const narrow = 6786;
const wide = 39_556;
const one = 16_384;

const directions = directionTable();

export class Estimate {
  readonly #frame: PlanFrame;
  readonly #nodes: PlanNodes;
  readonly #crossings: Crossings;

  constructor(frame: PlanFrame, nodes: PlanNodes, crossings: Crossings) {
    this.#frame = frame;
    this.#nodes = nodes;
    this.#crossings = crossings;
  }

  /** Ticks from a node to the end of the route. Neither a bound from below nor above: good enough to be led by. */
  of(node: number): number {
    const { map, rules } = this.#frame;
    const frame = this.#frame;
    const x = this.#nodes.x[node]!;
    const y = this.#nodes.y[node]!;
    const subgoal = this.#nodes.subgoal[node]!;
    const edge = subgoal - 1;
    const way = Math.max(map.wayToGo(subgoal, x, y) - rules.reachDistance, 0);
    const offMiddle = Math.abs(map.lateralOf(map.edges + edge, x, y)) - middleHalfWidth;
    let cost = frame.walkingTicks(way) + frame.turnCycle * map.corners[subgoal]!;
    // Back to the middle and forth again: a diagonal move gains less than it is long.
    if (offMiddle > 0) cost += frame.walkingTicks(2 * offMiddle);
    cost += this.#turningTicks(node, map.pointX[subgoal]! - x, map.pointY[subgoal]! - y);
    return cost + this.#signalDelay(node, edge, x, y);
  }

  /** By how far the agent must turn towards (dx, dy). A diagonal move turns by 45° on its way. */
  #turningTicks(node: number, dx: number, dy: number): number {
    const { turnCycle } = this.#frame;
    const heading = 2 * this.#nodes.heading[node]!;
    const ux = directions[heading]!;
    const uy = directions[heading + 1]!;
    const ahead = mulQ14(dx, ux) + mulQ14(dy, uy);
    const aside = Math.abs(mulQ14(dy, ux) - mulQ14(dx, uy)) * one;
    if (ahead > 0 && aside <= ahead * narrow) return 0;
    if (ahead > 0 && aside <= ahead * wide) return turnCycle >> 1;
    return aside >= -ahead * narrow ? turnCycle : 2 * turnCycle;
  }

  /** Ticks of waiting for WALK at the crosswalks ahead. */
  #signalDelay(node: number, edge: number, x: number, y: number): number {
    const { map, rootWorldTick, thoughts } = this.#frame;
    const { tick, hasThought } = this.#nodes;
    const fromTick = rootWorldTick + tick[node]! + (hasThought[node] === 1 ? 0 : thoughts[1]!);
    let delay = 0;
    let way = 0;
    for (let ahead = edge; ahead < map.edgeCount; ahead++) {
      if (ahead === edge + 1) {
        const dx = map.pointX[ahead]! - x;
        const dy = map.pointY[ahead]! - y;
        way = wholeRoot(dx * dx + dy * dy);
      } else if (ahead > edge) way += map.length[ahead - 1]!;
      if (map.vehicleGroups[ahead] === 0) continue;
      const isOnIt = ahead === edge && 20 * map.alongOf(map.edges + ahead, x, y) > map.length[ahead]!;
      if (isOnIt) continue;
      delay += this.#crossings.entryDelay(ahead, fromTick + this.#frame.walkingTicks(way) + delay);
    }
    return delay;
  }
}
