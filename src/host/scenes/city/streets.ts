// From road centrelines to junctions, sidewalks and zebras (RT-SAFE protocol §1 and §7).
import { distanceBetween, pointBeside, type Segment } from '../geometry.ts';
import type { Point, Scene } from '../schema.ts';
import {
  crosswalkHalfWidthCm,
  roadHalfWidthCm,
  sidewalkHalfWidthCm,
  sidewalkOffsetCm,
} from './crossSection.ts';

export interface Road extends Segment {
  readonly halfWidthCm: number;
  /** Index into the junctions of the end a, and of the end b. */
  readonly startJunction: number;
  readonly endJunction: number;
}

export interface Junction {
  readonly x: number;
  readonly y: number;
  /** How many roads meet here. */
  readonly degree: number;
  /** Every junction of two or more roads has signals; a dead end has none. */
  readonly signalised: boolean;
  /** Indices of the roads that meet here, by bearing from the centre: +x first, clockwise seen from above. */
  readonly roads: readonly number[];
  /** Roads whose approaches get green together (collinear ones), in the order of their phases. Empty without signals. */
  readonly vehicleGroups: readonly (readonly number[])[];
}

/** Right is yaw + 90 degrees: facing +x, it is +y. */
export type Side = 'right' | 'left';

/**
 * The middle line of a sidewalk from 700 cm past one junction centre to 700 cm before the other. The right one runs
 * with its road, the left one against it (so the road is always on its left), as the release stores them.
 */
export interface Sidewalk extends Segment {
  readonly halfWidthCm: number;
  readonly road: number;
  readonly side: Side;
}

/** The middle line of a zebra, from the road's left sidewalk (seen along the road) to its right one. */
export interface Crosswalk extends Segment {
  readonly halfWidthCm: number;
  readonly road: number;
  readonly junction: number;
  readonly signalised: boolean;
}

export interface Streets {
  readonly roads: readonly Road[];
  readonly junctions: readonly Junction[];
  /** Road r has the right sidewalk 2r and the left one 2r + 1. */
  readonly sidewalks: readonly Sidewalk[];
  /** Road r has the zebra 2r at its start and 2r + 1 at its end. */
  readonly crosswalks: readonly Crosswalk[];
}

/** Approaches whose unit directions have a dot product of at least this, up to sign, are collinear (protocol §7). */
const collinearDot = 0.95;

function segmentBetween([ax, ay]: Readonly<Point>, [bx, by]: Readonly<Point>): Segment {
  return { ax, ay, bx, by };
}

/** Unit vector from a junction along one of its roads. */
function directionFrom(x: number, y: number, road: Segment): Point {
  const isStart = road.ax === x && road.ay === y;
  const dx = (isStart ? road.bx : road.ax) - x;
  const dy = (isStart ? road.by : road.ay) - y;
  const length = Math.sqrt(dx * dx + dy * dy);
  return [dx / length, dy / length];
}

/** 0 for yaw from 0 to below 180 degrees, 1 for the rest. */
function halfTurn([x, y]: Point): number {
  return y > 0 || (y === 0 && x > 0) ? 0 : 1;
}

/** Orders directions by yaw from 0 (along +x) to below 360 degrees, without an arc tangent. */
function compareByYaw(first: Point, second: Point): number {
  return halfTurn(first) - halfTurn(second) || first[1] * second[0] - first[0] * second[1];
}

function deriveJunction(
  x: number,
  y: number,
  roadIndices: readonly number[],
  roads: readonly Segment[],
): Junction {
  const approaches = roadIndices
    .map((road) => ({ road, direction: directionFrom(x, y, roads[road]!) }))
    .sort((first, second) => compareByYaw(first.direction, second.direction));
  const signalised = approaches.length >= 2;
  const groups: { direction: Point; roads: number[] }[] = [];
  for (const { road, direction } of signalised ? approaches : []) {
    const group = groups.find(
      (other) =>
        Math.abs(other.direction[0] * direction[0] + other.direction[1] * direction[1]) >= collinearDot,
    );
    if (group === undefined) groups.push({ direction, roads: [road] });
    else group.roads.push(road);
  }
  return {
    x,
    y,
    degree: approaches.length,
    signalised,
    roads: approaches.map(({ road }) => road),
    vehicleGroups: groups.map((group) => group.roads),
  };
}

/**
 * Derives everything that follows from the road centrelines alone.
 *
 * @example const { crosswalks } = deriveStreets(scene.roads);
 */
export function deriveStreets(sceneRoads: Scene['roads']): Streets {
  const segments = sceneRoads.map(([start, end]) => segmentBetween(start, end));
  const junctionRoads = new Map<string, { x: number; y: number; roads: number[] }>();
  const junctionOrder: string[] = [];
  const register = (x: number, y: number, road: number): number => {
    const key = `${x},${y}`;
    const known = junctionRoads.get(key);
    if (known === undefined) {
      junctionRoads.set(key, { x, y, roads: [road] });
      return junctionOrder.push(key) - 1;
    }
    known.roads.push(road);
    return junctionOrder.indexOf(key);
  };
  const roads = segments.map((segment, index) => ({
    ...segment,
    halfWidthCm: roadHalfWidthCm,
    startJunction: register(segment.ax, segment.ay, index),
    endJunction: register(segment.bx, segment.by, index),
  }));
  const junctions = [...junctionRoads.values()].map(({ x, y, roads: indices }) =>
    deriveJunction(x, y, indices, segments),
  );
  const sidewalks: Sidewalk[] = [];
  const crosswalks: Crosswalk[] = [];
  for (const [index, road] of roads.entries()) {
    const far = distanceBetween(road.ax, road.ay, road.bx, road.by) - sidewalkOffsetCm;
    const corner = (along: number, side: number) => pointBeside(road, along, side * sidewalkOffsetCm);
    const [nearRight, farRight] = [corner(sidewalkOffsetCm, 1), corner(far, 1)];
    const [nearLeft, farLeft] = [corner(sidewalkOffsetCm, -1), corner(far, -1)];
    const sidewalk = { halfWidthCm: sidewalkHalfWidthCm, road: index };
    sidewalks.push(
      { ...segmentBetween(nearRight, farRight), ...sidewalk, side: 'right' },
      { ...segmentBetween(farLeft, nearLeft), ...sidewalk, side: 'left' },
    );
    for (const [left, right, junction] of [
      [nearLeft, nearRight, road.startJunction],
      [farLeft, farRight, road.endJunction],
    ] as const) {
      crosswalks.push({
        ...segmentBetween(left, right),
        halfWidthCm: crosswalkHalfWidthCm,
        road: index,
        junction,
        signalised: junctions[junction]!.signalised,
      });
    }
  }
  return { roads, junctions, sidewalks, crosswalks };
}
