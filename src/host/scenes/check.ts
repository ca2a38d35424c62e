// What a scene's shape cannot say: do edges join, does the start lie on the first edge, is there a zebra under a
// crosswalk? Finds the first fault, in file order.
import { deriveStreets } from './city/streets.ts';
import {
  distanceBetween,
  distanceToSegment,
  isSamePoint,
  isSameSegment,
  type Segment,
  samePointToleranceCm,
} from './geometry.ts';
import { routePolyline, sharedEndpoint } from './routePolyline.ts';
import type { Point, Scene, SceneEdge, SceneRoute } from './schema.ts';

/** Shortest and longest road, in cm: room for the zebras of both ends, and a bound on the scenery along it. */
export const roadLengthRangeCm = [2_000, 100_000] as const;

/** One thing wrong with a scene: where, what was found, and the end of "allowed is ...". */
export interface SceneFault {
  readonly path: readonly (string | number)[];
  readonly found: string;
  readonly allowed: string;
}

function pointText([x, y]: Readonly<Point>): string {
  return `[${x}, ${y}]`;
}

function findRoadFault(roads: Scene['roads']): SceneFault | undefined {
  const [shortest, longest] = roadLengthRangeCm;
  const known = new Map<string, number>();
  for (const [index, [start, end]] of roads.entries()) {
    const path = ['roads', index];
    const length = distanceBetween(...start, ...end);
    if (length < shortest || length > longest) {
      const found = `a road of ${length === 0 ? 'no' : `${Math.round(length)} cm`} length`;
      return { path, found, allowed: `a road of ${shortest} to ${longest} cm` };
    }
    const key = [pointText(start), pointText(end)].sort().join();
    const earlier = known.get(key);
    if (earlier !== undefined) {
      return { path, found: `the same road as roads[${earlier}]`, allowed: 'each road once' };
    }
    known.set(key, index);
  }
  return undefined;
}

function edgeSegment({ from, to }: SceneEdge): Segment {
  return { ax: from[0], ay: from[1], bx: to[0], by: to[1] };
}

function findEdgeFault(route: SceneRoute, path: (string | number)[], zebras: readonly Segment[]) {
  for (const [index, edge] of route.edges.entries()) {
    const edgePath = [...path, 'edges', index];
    if (isSamePoint(edge.from, edge.to)) {
      const found = `an edge of no length at ${pointText(edge.from)}`;
      return { path: edgePath, found, allowed: 'two ends more than 1 cm apart' };
    }
    if (edge.type === 'crosswalk' && !zebras.some((zebra) => isSameSegment(zebra, edge.from, edge.to))) {
      const found = `a crosswalk from ${pointText(edge.from)} to ${pointText(edge.to)} with no zebra under it`;
      return {
        path: edgePath,
        found,
        allowed: 'a zebra: 700 cm from a road end, 700 cm to each side ("sidewalk" where there is no road)',
      };
    }
    const previous = route.edges[index - 1];
    if (previous !== undefined && sharedEndpoint(previous, edge) === undefined) {
      const found = `an edge from ${pointText(edge.from)} to ${pointText(edge.to)} that does not join the one before it`;
      return { path: edgePath, found, allowed: 'exactly one end shared within 1 cm' };
    }
  }
  return undefined;
}

function findRouteEndFault(route: SceneRoute, path: (string | number)[]): SceneFault | undefined {
  const ends = [
    ['start', route.start, route.edges[0]!, 'first'],
    ['end', route.end, route.edges.at(-1)!, 'last'],
  ] as const;
  for (const [key, end, edge, which] of ends) {
    if (distanceToSegment(...end, edgeSegment(edge)) > samePointToleranceCm) {
      const found = `${pointText(end)} off the ${which} edge`;
      const allowed = `a point on the edge from ${pointText(edge.from)} to ${pointText(edge.to)}`;
      return { path: [...path, key], found, allowed };
    }
  }
  const points = routePolyline(route)!;
  const stuck = points.findIndex((point, index) => index > 0 && isSamePoint(point, points[index - 1]!));
  if (stuck === -1) return undefined;
  return {
    path,
    found: `no way to go on edges[${stuck - 1}], which the route enters and leaves at ${pointText(points[stuck]!)}`,
    allowed: 'more than 1 cm of way on every edge',
  };
}

function findRouteFault(scene: Scene): SceneFault | undefined {
  const zebras = deriveStreets(scene.roads).crosswalks;
  const known = new Map<number, number>();
  for (const [index, route] of scene.routes.entries()) {
    const path = ['routes', index];
    const earlier = known.get(route.id);
    if (earlier !== undefined) {
      return {
        path: [...path, 'id'],
        found: `${route.id}, the id of routes[${earlier}]`,
        allowed: 'each id once',
      };
    }
    known.set(route.id, index);
    const fault = findEdgeFault(route, path, zebras) ?? findRouteEndFault(route, path);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function findSceneryFault(scene: Scene): SceneFault | undefined {
  for (const [index, building] of (scene.scenery?.buildings ?? []).entries()) {
    if (building.minX >= building.maxX || building.minY >= building.maxY) {
      return {
        path: ['scenery', 'buildings', index],
        found: 'a building of no area',
        allowed: 'minX below maxX and minY below maxY',
      };
    }
  }
  return undefined;
}

/** The first fault of a scene whose shape is right, or undefined. */
export function findSceneFault(scene: Scene): SceneFault | undefined {
  return findRoadFault(scene.roads) ?? findRouteFault(scene) ?? findSceneryFault(scene);
}
