// What stands still in a move's way: buildings, furniture, and patches that make the agent trip, slip or get wet.
import { within } from '../../../kernels/fixedPoint.ts';
import { shapeKinds } from '../../../kernels/world.ts';
import { partOf } from './dangers.ts';
import { longestMove } from './motions.ts';
import type { PlanFrame } from './planFrame.ts';
import type { PlanNodes } from './planNodes.ts';
import { planCosts } from './planSettings.ts';
import { shapeWord, shapeWords } from './routeMap.ts';

/** Whether the box around a move overlaps a building grown by the agent's radius. */
export function meetsBuilding(
  { map, rules, surroundings }: PlanFrame,
  x: number,
  y: number,
  dx: number,
  dy: number,
): boolean {
  const margin = rules.agentRadius;
  for (const building of surroundings.buildings) {
    const base = building * shapeWords;
    const minX = map.shapes[base + shapeWord.x]! - margin;
    const minY = map.shapes[base + shapeWord.y]! - margin;
    const maxX = minX + map.shapes[base + shapeWord.extentX]! + 2 * margin;
    const maxY = minY + map.shapes[base + shapeWord.extentY]! + 2 * margin;
    const meets =
      Math.max(x, x + dx) >= minX &&
      Math.min(x, x + dx) <= maxX &&
      Math.max(y, y + dy) >= minY &&
      Math.min(y, y + dy) <= maxY;
    if (meets) return true;
  }
  return false;
}

/** The first tick of a move, from `firstTick` on, that is within `radius` of a point at an offset; 0 for none. */
function firstTickWithin(
  offsetX: number,
  offsetY: number,
  dx: number,
  dy: number,
  ticks: number,
  firstTick: number,
  radius: number,
): number {
  const reach = radius + longestMove;
  if (Math.abs(offsetX) > reach || Math.abs(offsetY) > reach) return 0;
  for (let tick = firstTick; tick <= ticks; tick++) {
    if (within(offsetX + partOf(dx, tick, ticks), offsetY + partOf(dy, tick, ticks), radius)) return tick;
  }
  return 0;
}

/** How many pieces of furniture a move enters (docs/rules.md, section 5.2). */
export function furnitureEntered(
  { map, rules, surroundings }: PlanFrame,
  x: number,
  y: number,
  dx: number,
  dy: number,
  ticks: number,
): number {
  let entered = 0;
  for (const disc of surroundings.furniture) {
    const base = disc * shapeWords;
    const contact = rules.agentRadius + map.shapes[base + shapeWord.extentX]!;
    const offsetX = x - map.shapes[base + shapeWord.x]!;
    const offsetY = y - map.shapes[base + shapeWord.y]!;
    if (firstTickWithin(offsetX, offsetY, dx, dy, ticks, 1, contact) === 0) continue;
    if (!within(offsetX, offsetY, contact)) entered++;
  }
  return entered;
}

/** Place of a patch's kind among trip, oil and water. */
const hazardTypes = {
  trip: shapeKinds.trip - shapeKinds.trip,
  oil: shapeKinds.oil - shapeKinds.trip,
} as const;

/** What patches cost a move from (x, y) (docs/rules.md, section 6); latches, delays and slows the node at its end. */
export function sufferHazards(
  { map, rules, surroundings }: PlanFrame,
  nodes: PlanNodes,
  node: number,
  x: number,
  y: number,
  dx: number,
  dy: number,
  ticks: number,
): number {
  const firstTick = rules.hazardSwept === 1 ? 1 : ticks;
  let cost = 0;
  let mask = 0;
  for (const patch of surroundings.patches) {
    const base = patch * shapeWords;
    const type = map.shapes[base + shapeWord.kind]! - shapeKinds.trip;
    const halfWidth =
      type === hazardTypes.trip
        ? rules.tripHalfWidth
        : type === hazardTypes.oil
          ? rules.oilHalfWidth
          : rules.waterHalfWidth;
    const offsetX = x - map.shapes[base + shapeWord.x]!;
    const offsetY = y - map.shapes[base + shapeWord.y]!;
    if (firstTickWithin(offsetX, offsetY, dx, dy, ticks, firstTick, halfWidth) === 0) continue;
    if (rules.hazardOncePerDecision === 1) mask |= 1 << type;
    else if (!within(offsetX, offsetY, halfWidth)) cost += suffer(rules.tripPenaltyTicks, nodes, node, type);
  }
  if (mask === 0) return cost;
  const type = 31 - Math.clz32(mask & -mask);
  const [endX, endY] = [x + dx, y + dy];
  const isLatched =
    nodes.hazardKind[node] === type + 1 &&
    within(endX - nodes.hazardX[node]!, endY - nodes.hazardY[node]!, rules.hazardRearm);
  if (isLatched) return cost;
  nodes.hazardKind[node] = type + 1;
  nodes.hazardX[node] = endX;
  nodes.hazardY[node] = endY;
  return cost + suffer(rules.tripPenaltyTicks, nodes, node, type);
}

function suffer(tripPenaltyTicks: number, nodes: PlanNodes, node: number, type: number): number {
  const penalty = type === hazardTypes.trip ? tripPenaltyTicks : 0;
  nodes.tick[node]! += penalty;
  if (type === hazardTypes.oil) nodes.slow[node] = 1;
  return planCosts.hazard + penalty;
}
