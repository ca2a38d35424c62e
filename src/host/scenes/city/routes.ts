// The routes of a scene with all that follows from their edges: length, budget, crowd, and the actors beside them.
import { distanceBetween, isSameSegment, type Segment } from '../geometry.ts';
import { routePolyline } from '../routePolyline.ts';
import type { Point, RouteEdgeType, Scene, SceneRoute } from '../schema.ts';
import type { FallingObject } from './fallingObjects.ts';
import { drawPedestrianRoutes, type PedestrianRoute } from './pedestrianRoutes.ts';
import type { Streets } from './streets.ts';

/** The leg the agent walks on one edge (a to b, in travel direction) and the whole edge as authored. */
export interface RouteEdge extends Segment {
  readonly type: RouteEdgeType;
  readonly fromX: number;
  readonly fromY: number;
  readonly toX: number;
  readonly toY: number;
  /** Index of the crosswalk the edge is, or -1. */
  readonly crosswalk: number;
  /** Index of the sidewalk the edge is, or -1: a crosswalk, or a connector with no sidewalk under it. */
  readonly sidewalk: number;
}

export interface Route {
  readonly id: number;
  readonly startX: number;
  readonly startY: number;
  readonly endX: number;
  readonly endY: number;
  /** Start, joints, end; all but the first are the subgoals. */
  readonly points: readonly Point[];
  readonly edges: readonly RouteEdge[];
  readonly lengthCm: number;
  readonly totalHops: number;
  /** Decisions an episode may take: three per whole metre, at least one. */
  readonly maxDecisions: number;
  /** Pedestrians requested at difficulty hard: 20 per hop. */
  readonly pedestriansHard: number;
  readonly fallingObjects: readonly FallingObject[];
  /** Polylines robot dogs run to and fro on. */
  readonly dogRoutes: readonly (readonly Point[])[];
  readonly pedestrianRoutes: readonly PedestrianRoute[];
}

const decisionsPerMetre = 3;
const pedestriansPerHop = 20;

function buildEdges(route: SceneRoute, points: readonly Point[], streets: Streets): RouteEdge[] {
  return route.edges.map(({ from, to, type }, index) => {
    const [ax, ay] = points[index]!;
    const [bx, by] = points[index + 1]!;
    const lies = (segment: Segment) => isSameSegment(segment, from, to);
    return {
      type,
      ax,
      ay,
      bx,
      by,
      fromX: from[0],
      fromY: from[1],
      toX: to[0],
      toY: to[1],
      crosswalk: type === 'crosswalk' ? streets.crosswalks.findIndex(lies) : -1,
      sidewalk: type === 'sidewalk' ? streets.sidewalks.findIndex(lies) : -1,
    };
  });
}

/** All routes, in file order. `dogRoutes` is [sidewalk][route]. The scene must be a checked one. */
export function buildRoutes(
  scene: Scene,
  streets: Streets,
  fallingObjects: readonly FallingObject[],
  dogRoutes: readonly (readonly Point[][])[],
): Route[] {
  return scene.routes.map((route) => {
    const points = routePolyline(route);
    if (points === undefined)
      throw new Error(`route ${route.id}: its edges do not join; check the scene first`);
    const edges = buildEdges(route, points, streets);
    const lengthCm = edges.reduce((sum, { ax, ay, bx, by }) => sum + distanceBetween(ax, ay, bx, by), 0);
    const sidewalks = [...new Set(edges.map((edge) => edge.sidewalk).filter((sidewalk) => sidewalk >= 0))];
    return {
      id: route.id,
      startX: route.start[0],
      startY: route.start[1],
      endX: route.end[0],
      endY: route.end[1],
      points,
      edges,
      lengthCm,
      totalHops: edges.length,
      maxDecisions: Math.max(1, decisionsPerMetre * Math.floor(lengthCm / 100)),
      pedestriansHard: pedestriansPerHop * edges.length,
      fallingObjects: fallingObjects.filter((object) => sidewalks.includes(object.sidewalk)),
      dogRoutes: sidewalks.flatMap((sidewalk) => dogRoutes[sidewalk]!),
      pedestrianRoutes: drawPedestrianRoutes(scene.scenerySeed, route, streets),
    };
  });
}
