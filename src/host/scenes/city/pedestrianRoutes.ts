// Where scripted pedestrians walk in a task: loops around one road, paths over two, the route's own sidewalks, and the
// route itself. Three samples per hop on the roads the route touches, as the release's task generator draws them.
import { distanceBetween, isSamePoint, isSameSegment } from '../geometry.ts';
import { sharedEndpoint } from '../routePolyline.ts';
import type { Point, SceneRoute } from '../schema.ts';
import { sidewalkOffsetCm } from './crossSection.ts';
import { type DrawStream, drawStream, sceneryPurpose } from './drawStream.ts';
import type { Streets } from './streets.ts';

/** Nodes are sidewalk ends. A loop goes on from its last node to its first, which is not repeated. */
export interface PedestrianRoute {
  readonly points: readonly Point[];
  readonly isLoop: boolean;
}

const samplesPerHop = 3;
const attemptsPerSample = 16;
const fewestPathNodes = 5;
const mostPathNodes = 8;

/** A walkable connection; `road` is -1 for a connector, which belongs to no road. */
interface Way {
  readonly a: Point;
  readonly b: Point;
  readonly road: number;
}

const routeKey = ({ points, isLoop }: PedestrianRoute): string => `${isLoop}:${points.join(';')}`;

/** The four sidewalk ends of a road in walking order around it. */
function roadCorners(streets: Streets, road: number): Point[] {
  const right = streets.sidewalks[2 * road]!;
  const left = streets.sidewalks[2 * road + 1]!;
  return [
    [right.ax, right.ay],
    [right.bx, right.by],
    [left.ax, left.ay],
    [left.bx, left.by],
  ];
}

/** Around one road by both sidewalks and both zebras, from any corner, either way. */
function drawLoop(draw: DrawStream, streets: Streets, roads: readonly number[]): PedestrianRoute {
  const corners = roadCorners(streets, draw.pick(roads));
  const first = draw.below(4);
  const step = draw.below(2) === 0 ? 1 : 3;
  return { points: corners.map((_, index) => corners[(first + step * index) % 4]!), isLoop: true };
}

/** Pairs of roads that meet: both touched by the route where there are such, else one touched and one neighbour. */
function adjacentPairs(streets: Streets, touched: readonly number[]): [number, number][] {
  const meets = (first: number, second: number) =>
    first !== second &&
    streets.junctions.some(({ roads }) => roads.includes(first) && roads.includes(second));
  const pairsWith = (others: readonly number[]) =>
    touched.flatMap((first) =>
      others.filter((second) => meets(first, second)).map((second): [number, number] => [first, second]),
    );
  const inner = pairsWith(touched);
  return inner.length > 0 ? inner : pairsWith([...streets.roads.keys()]);
}

/**
 * The sidewalks and zebras of two roads, and the connectors between their corners: where two sidewalks end 14 m apart
 * at one junction with no road between them, people walk straight on.
 */
function waysOfPair(streets: Streets, pair: readonly [number, number]): Way[] {
  const ways: Way[] = [];
  for (const way of [...streets.sidewalks, ...streets.crosswalks]) {
    if (pair.includes(way.road)) ways.push({ a: [way.ax, way.ay], b: [way.bx, way.by], road: way.road });
  }
  const [firstCorners, secondCorners] = [roadCorners(streets, pair[0]), roadCorners(streets, pair[1])];
  for (const a of firstCorners) {
    for (const b of secondCorners) {
      const isConnectorLong = Math.abs(distanceBetween(...a, ...b) - 2 * sidewalkOffsetCm) <= 1;
      if (!isConnectorLong || streets.crosswalks.some((crosswalk) => isSameSegment(crosswalk, a, b)))
        continue;
      ways.push({ a, b, road: -1 });
    }
  }
  return ways;
}

/** A random path that visits no node twice and uses both roads; undefined where this draw leads nowhere. */
function drawPath(draw: DrawStream, streets: Streets, pairs: readonly [number, number][]) {
  const pair = draw.pick(pairs);
  const ways = waysOfPair(streets, pair);
  const nodeCount = fewestPathNodes + draw.below(mostPathNodes - fewestPathNodes + 1);
  let at = draw.pick([...roadCorners(streets, pair[0]), ...roadCorners(streets, pair[1])]);
  const points = [at];
  const roadsUsed = new Set<number>();
  while (points.length < nodeCount) {
    const open = ways.flatMap(({ a, b, road }) => {
      const next = isSamePoint(a, at) ? b : isSamePoint(b, at) ? a : undefined;
      const isNew = next !== undefined && !points.some((point) => isSamePoint(point, next));
      return isNew ? [{ next, road }] : [];
    });
    if (open.length === 0) break;
    const { next, road } = draw.pick(open);
    points.push(next);
    roadsUsed.add(road);
    at = next;
  }
  const usesBoth = pair.every((road) => roadsUsed.has(road));
  return usesBoth && points.length >= fewestPathNodes ? { points, isLoop: false } : undefined;
}

/** All edges of the route from end to end, whole. */
function fullEdgeRoute({ edges }: SceneRoute): PedestrianRoute {
  const joints = edges.slice(1).map((edge, index) => sharedEndpoint(edges[index]!, edge)!);
  const first = edges[0]!;
  const last = edges.at(-1)!;
  if (joints.length === 0) return { points: [first.from, first.to], isLoop: false };
  const start = isSamePoint(first.from, joints[0]!) ? first.to : first.from;
  const end = isSamePoint(last.from, joints.at(-1)!) ? last.to : last.from;
  return { points: [start, ...joints, end], isLoop: false };
}

/** The roads whose sidewalks or zebras the route uses. */
function touchedRoads(route: SceneRoute, streets: Streets): number[] {
  const touched = route.edges.flatMap(({ from, to }) =>
    [...streets.sidewalks, ...streets.crosswalks]
      .filter((way) => isSameSegment(way, from, to))
      .map(({ road }) => road),
  );
  return [...new Set(touched)];
}

/**
 * The pedestrian routes of one task, all different: `3 * hops` samples, half loops and half paths, then each sidewalk
 * edge by itself, then the whole route. Two loops that start at another corner or go the other way round count as
 * different, as in a stored list; a pedestrian picks a route uniformly, so this keeps loops and paths in balance.
 */
export function drawPedestrianRoutes(seed: number, route: SceneRoute, streets: Streets): PedestrianRoute[] {
  const draw = drawStream(seed, sceneryPurpose.pedestrianRoutes, route.id);
  const touched = touchedRoads(route, streets);
  const pairs = adjacentPairs(streets, touched);
  const routes = new Map<string, PedestrianRoute>();
  const add = (candidate: PedestrianRoute | undefined): boolean => {
    if (candidate === undefined || routes.has(routeKey(candidate))) return false;
    routes.set(routeKey(candidate), candidate);
    return true;
  };
  for (let sample = 0; sample < samplesPerHop * route.edges.length && touched.length > 0; sample++) {
    for (let attempt = 0; attempt < attemptsPerSample; attempt++) {
      const isLoop = pairs.length === 0 || draw.below(2) === 0;
      if (add(isLoop ? drawLoop(draw, streets, touched) : drawPath(draw, streets, pairs))) break;
    }
  }
  for (const { from, to, type } of route.edges) {
    const isTrueSidewalk = streets.sidewalks.some((sidewalk) => isSameSegment(sidewalk, from, to));
    if (type === 'sidewalk' && isTrueSidewalk) add({ points: [from, to], isLoop: false });
  }
  add(fullEdgeRoute(route));
  return [...routes.values()];
}
