// Progress along the route: whether a subgoal is reached, and whether a point is in the corridor of the active edge
// (docs/rules.md, section 4).
import { shapeKinds } from '../../src/kernels/world.ts';
import { positionOnStrip } from './areas.ts';
import type { Environment } from './environment.ts';
import { crossQ14, dotQ14, subtract, type Vector, within } from './numbers.ts';

/** Whether polyline point `subgoal` (1 .. edgeCount) is reached at a position. */
export function isReached(env: Environment, subgoal: number, position: Vector): boolean {
  const { route, rules } = env;
  const offset = subtract(position, polylinePoint(env, subgoal));
  const crosswalks = [route.edges[subgoal - 1], route.edges[subgoal]].filter(
    (edge) => edge?.kind === shapeKinds.crosswalk,
  );
  if (crosswalks.length === 0) return within(offset.x, offset.y, rules.reachDistance);
  return crosswalks.some(
    (edge) =>
      Math.abs(dotQ14(offset.x, offset.y, edge!.axis)) <= rules.reachDistance &&
      Math.abs(crossQ14(offset.x, offset.y, edge!.axis)) <= rules.reachHalfWidth,
  );
}

/** Whether a position is on the active edge, or near one of its ends. */
export function isInCorridor(env: Environment, position: Vector): boolean {
  const { state, route } = env;
  const edgeIndex = state.subgoal - 1;
  const edge = route.edges[edgeIndex]!;
  const { along, lateral } = positionOnStrip(edge, position);
  const onEdge =
    100 * along >= -edge.length && 100 * along <= 101 * edge.length && Math.abs(lateral) <= edge.halfWidth;
  return (
    onEdge ||
    isReached(env, state.subgoal, position) ||
    (edgeIndex > 0 && isReached(env, state.subgoal - 1, position))
  );
}

/** Polyline point 1 .. edgeCount: where the next edge starts; the last is the route's end. */
function polylinePoint(env: Environment, subgoal: number): Vector {
  return env.route.edges[subgoal]?.start ?? env.route.end;
}
