// Launching of conflict vehicles: which lane, how far upstream, waiting or driving (docs/rules.md, section 7).
import { uniformBelow } from '../../src/kernels/random.ts';
import { toUnits } from '../../src/kernels/units.ts';
import { isOnStrip, positionOnStrip } from './areas.ts';
import { draw, type Environment, hasClass, purposes } from './environment.ts';
import {
  advanced,
  direction,
  divide,
  dotQ14,
  mulQ14,
  packDirection,
  pointsWithin,
  type Vector,
} from './numbers.ts';
import { conflictCounts, vehicleStatuses } from './vehicles.ts';
import type { Strip } from './world.ts';

/** A heading whose component along an axis is below this (0.05 in Q14) counts as square to it. */
const squareHeading = 819;

/** Where a vehicle is to go: the point it aims at, the way it drives, and whether that point lies behind the agent. */
interface Approach {
  readonly target: Vector;
  readonly driving: Vector;
  readonly isBehind: boolean;
}

/** A vehicle on the lane that the agent comes to next on its way over the crosswalk. */
export function launchForRedLight(env: Environment, crosswalk: Strip, point: Vector): void {
  const { axis, length } = crosswalk;
  const { along } = positionOnStrip(crosswalk, point);
  const travel = travelSign(env, axis, 2 * along <= length);
  const middle = divide(length, 2);
  const lanes = [middle - env.rules.laneOffset, middle + env.rules.laneOffset];
  const lanesAhead = lanes.filter((lane) => (lane - along) * travel >= 0);
  const lane = nearest(lanesAhead.length > 0 ? lanesAhead : lanes, along);
  launch(env, point, {
    target: advanced(crosswalk.start, lane, axis),
    driving: lane === lanes[1] ? { x: axis.y, y: -axis.x | 0 } : { x: -axis.y | 0, y: axis.x },
    isBehind: lanesAhead.length === 0,
  });
}

/** A vehicle on the lane nearest to the agent, over all roads that it is on. */
export function launchForJaywalk(env: Environment, point: Vector): void {
  const { laneOffset } = env.rules;
  const choices = env.route.map.roads
    .filter((road) => isOnStrip(road, point))
    .flatMap((road) => [-laneOffset, laneOffset].map((lane) => ({ road, lane })));
  const gap = (choice: { road: Strip; lane: number }) =>
    Math.abs(positionOnStrip(choice.road, point).lateral - choice.lane);
  const { road, lane } = choices.reduce((best, choice) => (gap(choice) < gap(best) ? choice : best));

  const { axis } = road;
  const { along, lateral } = positionOnStrip(road, point);
  const normal = { x: -axis.y | 0, y: axis.x };
  const travel = travelSign(env, normal, lateral <= 0);
  launch(env, point, {
    target: advanced(advanced(road.start, along, axis), lane, normal),
    driving: lane > 0 ? axis : { x: -axis.x | 0, y: -axis.y | 0 },
    isBehind: (lane - lateral) * travel < 0,
  });
}

/** Which way along an axis the agent goes: by its heading, or where it is square to the axis by `otherwise`. */
function travelSign(env: Environment, axis: Vector, otherwise: boolean): number {
  const heading = direction(env.state.heading);
  const component = dotQ14(heading.x, heading.y, axis);
  if (component > squareHeading) return 1;
  if (component < -squareHeading) return -1;
  return otherwise ? 1 : -1;
}

/** The lane nearest to `along`, the first of two equal ones. */
function nearest(lanes: readonly number[], along: number): number {
  return lanes.reduce((best, lane) => (Math.abs(lane - along) < Math.abs(best - along) ? lane : best));
}

function launch(env: Environment, point: Vector, approach: Approach): void {
  const { state, rules } = env;
  const vehicle = env.vehicles.find(({ status }) => status === vehicleStatuses.free);
  if (!hasClass(state, 'conflict') || vehicle === undefined) return;

  const launched = state.conflicts[conflictCounts.launched]!++;
  const random = draw(state, purposes.conflictLaunch, launched, 0);
  const distance = toUnits(rules.launchMinimumCm + uniformBelow(random, rules.launchSpanCm + 1));
  const { target, driving, isBehind } = approach;
  vehicle.x = (target.x - mulQ14(distance, driving.x)) | 0;
  vehicle.y = (target.y - mulQ14(distance, driving.y)) | 0;
  vehicle.link = packDirection(driving);
  vehicle.speed = distance;
  const drivesAtOnce = isBehind || pointsWithin(target, point, rules.vehicleImpact);
  vehicle.status = drivesAtOnce ? vehicleStatuses.driving : vehicleStatuses.staged;
}
