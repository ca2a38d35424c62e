// How an ordered list of edges becomes the line an agent walks (RT-SAFE protocol §2).
import { isSamePoint } from './geometry.ts';
import type { Point, SceneEdge, SceneRoute } from './schema.ts';

/** The endpoint two edges share, if they share exactly one within the tolerance. */
export function sharedEndpoint(first: SceneEdge, second: SceneEdge): Point | undefined {
  const shared = [first.from, first.to].filter(
    (end) => isSamePoint(end, second.from) || isSamePoint(end, second.to),
  );
  return shared.length === 1 ? shared[0] : undefined;
}

/**
 * Start, then the endpoint each edge shares with the next, then end: one point more than there are edges. Undefined
 * where two edges do not join.
 */
export function routePolyline(route: SceneRoute): Point[] | undefined {
  const points: Point[] = [route.start];
  for (let index = 1; index < route.edges.length; index++) {
    const joint = sharedEndpoint(route.edges[index - 1]!, route.edges[index]!);
    if (joint === undefined) return undefined;
    points.push(joint);
  }
  points.push(route.end);
  return points;
}
