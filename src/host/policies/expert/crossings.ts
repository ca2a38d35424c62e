// Signals and roads along a plan: admission, red lights, jaywalking (docs/rules.md, section 7), and entering in time.
import { partOf } from './dangers.ts';
import { longestMove } from './motions.ts';
import type { PlanFrame } from './planFrame.ts';
import type { PlanNodes } from './planNodes.ts';
import { planCosts } from './planSettings.ts';
import { shapeWord, shapeWords } from './routeMap.ts';
import { isOpen, ticksUntilEntry } from './signals.ts';

/** Points of a move looked at for admission to a crosswalk, one more than its parts (docs/rules.md, section 7). */
const admissionParts = 20;

export class Crossings {
  readonly #frame: PlanFrame;
  readonly #nodes: PlanNodes;

  constructor(frame: PlanFrame, nodes: PlanNodes) {
    this.#frame = frame;
    this.#nodes = nodes;
  }

  /** Clears the latches of crosswalks left behind, then admits or counts where the node stands; returns the cost. */
  sampleCrossing(node: number, worldTick: number): number {
    const { map, surroundings } = this.#frame;
    const nodes = this.#nodes;
    const x = nodes.x[node]!;
    const y = nodes.y[node]!;
    const admitted = nodes.admitted[node]!;
    const illegal = nodes.illegal[node]!;
    if (admitted >= 0 && !map.isBetweenCurbs(admitted, x, y)) nodes.admitted[node] = -1;
    if (illegal >= 0 && !map.isBetweenCurbs(illegal, x, y)) nodes.illegal[node] = -1;
    if (surroundings.crosswalks.length === 0 || surroundings.isOnSidewalk(map, x, y)) return 0;
    const crosswalk = surroundings.paintedBandAt(map, x, y);
    if (crosswalk < 0 || nodes.admitted[node] === crosswalk || nodes.illegal[node] === crosswalk) return 0;
    if (this.#isOpenAt(crosswalk, worldTick)) {
      nodes.admitted[node] = crosswalk;
      return 0;
    }
    nodes.illegal[node] = crosswalk;
    return planCosts.violation;
  }

  /** Notes whether the node stands on a road; returns the cost where an excursion begins. */
  sampleJaywalk(node: number): number {
    const { map, surroundings } = this.#frame;
    const nodes = this.#nodes;
    const isJaywalk = surroundings.isJaywalk(map, nodes.x[node]!, nodes.y[node]!);
    const begins = isJaywalk && nodes.jaywalking[node] === 0;
    nodes.jaywalking[node] = Number(isJaywalk);
    return begins ? planCosts.violation : 0;
  }

  /** Samples at every tick of a move from where the node stands; leaves it at the move's end. */
  sampleOnTheWay(node: number, dx: number, dy: number, worldTick: number, ticks: number): number {
    const nodes = this.#nodes;
    const x = nodes.x[node]!;
    const y = nodes.y[node]!;
    let cost = 0;
    for (let tick = 1; tick <= ticks; tick++) {
      nodes.x[node] = x + partOf(dx, tick, ticks);
      nodes.y[node] = y + partOf(dy, tick, ticks);
      cost += this.sampleCrossing(node, worldTick + tick - 1) + this.sampleJaywalk(node);
    }
    return cost;
  }

  /** Admits a node to the first open crosswalk that its move from (x, y) comes near. */
  admitAlongMove(node: number, x: number, y: number, dx: number, dy: number, worldTick: number): void {
    const { map, rules, surroundings } = this.#frame;
    const { guardHalfWidth } = rules;
    let firstPart = admissionParts + 1;
    for (const crosswalk of surroundings.crosswalks) {
      const length = map.shapes[crosswalk * shapeWords + shapeWord.extentX]!;
      const along = map.alongOf(crosswalk, x, y);
      if (along < -longestMove || along > length + longestMove) continue;
      if (Math.abs(map.lateralOf(crosswalk, x, y)) > guardHalfWidth + longestMove) continue;
      if (!this.#isOpenAt(crosswalk, worldTick)) continue;
      // Crosswalks ascend, and a later one takes over at an earlier point only.
      for (let part = 0; part < firstPart && part <= admissionParts; part++) {
        const pointX = x + partOf(dx, part, admissionParts);
        const pointY = y + partOf(dy, part, admissionParts);
        if (Math.abs(map.lateralOf(crosswalk, pointX, pointY)) > guardHalfWidth) continue;
        if (!map.isBetweenCurbs(crosswalk, pointX, pointY)) continue;
        firstPart = part;
        this.#nodes.admitted[node] = crosswalk;
      }
    }
  }

  /** The cost of a step from a node on to the route's crosswalk too late to leave it while WALK lasts. */
  lateEntry(node: number, x: number, y: number, worldTick: number): number {
    const { map } = this.#frame;
    const { x: nodeX, y: nodeY, subgoal } = this.#nodes;
    const next = subgoal[node]!;
    for (let edge = next - 1; edge <= next && edge < map.edgeCount; edge++) {
      if (map.vehicleGroups[edge] === 0) continue;
      const shape = map.edges + edge;
      const enters =
        map.isBetweenCurbs(shape, x, y) && !map.isBetweenCurbs(shape, nodeX[node]!, nodeY[node]!);
      if (enters) return this.entryDelay(edge, worldTick) > 0 ? planCosts.lateEntry : 0;
    }
    return 0;
  }

  /** Ticks until the crosswalk of an edge can be entered and left within WALK. */
  entryDelay(edge: number, worldTick: number): number {
    const { map, rules } = this.#frame;
    const crossing = this.#frame.walkingTicks(map.length[edge]!);
    return ticksUntilEntry(rules, map.vehicleGroups[edge]!, worldTick, crossing);
  }

  #isOpenAt(crosswalk: number, worldTick: number): boolean {
    const { map, rules } = this.#frame;
    return isOpen(rules, map.shapes[crosswalk * shapeWords + shapeWord.link]!, worldTick);
  }
}
