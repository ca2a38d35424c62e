// Buildings packed along both sides of every road, facade on the 1100 line, and across the road-less sides of
// junctions. Only roads along an axis are built on (all released ones are); every road and route is kept clear.
import { type Rectangle, rectanglesOverlap, type Segment, segmentMeetsRectangle } from '../geometry.ts';
import type { Scene } from '../schema.ts';
import { facadeOffsetCm, sidewalkHalfWidthCm } from './crossSection.ts';
import { type DrawStream, drawStream, sceneryPurpose } from './drawStream.ts';
import type { Streets } from './streets.ts';

export interface Building extends Rectangle {
  readonly heightCm: number;
}

/** Room kept between the strip of a route edge and any building. */
const routeClearanceCm = 100;
/** Footprints of the released maps run from 12.7 to about 86 m, most of them 20 to 45 m wide and 13 to 45 m deep. */
const smallestSideCm = 1_270;
const largestSideCm = 8_600;
const stepCm = 10;
/** Narrowest passage left between two buildings, and how much wider it may be. */
const smallestGapCm = 50;
const gapRangeCm = 300;
const lowestHeightCm = 1_200;
const highestHeightCm = 44_000;

/** A line to build along: `along` runs with the axis, `outward` is the sign of the side to build on. */
interface Frontage {
  readonly isAlongX: boolean;
  readonly facade: number;
  readonly outward: 1 | -1;
  readonly from: number;
  readonly to: number;
}

function footprint(frontage: Frontage, along: number, width: number, depth: number): Rectangle {
  const { facade, outward } = frontage;
  const near = outward === 1 ? facade : facade - depth;
  return frontage.isAlongX
    ? { minX: along, maxX: along + width, minY: near, maxY: near + depth }
    : { minY: along, maxY: along + width, minX: near, maxX: near + depth };
}

/** Closing the road: across its dead ends, a facade that faces down the road. */
function deadEndFrontages({ roads, junctions }: Streets): Frontage[] {
  return junctions.flatMap((junction): Frontage[] => {
    if (junction.degree !== 1) return [];
    const { x, y } = junction;
    const road = roads[junction.roads[0]!]!;
    const otherX = road.ax + road.bx - x;
    const otherY = road.ay + road.by - y;
    if (otherX !== x && otherY !== y) return [];
    const isAlongX = otherX === x;
    const outward = (isAlongX ? y > otherY : x > otherX) ? 1 : -1;
    const facade = (isAlongX ? y : x) + outward * facadeOffsetCm;
    const middle = isAlongX ? x : y;
    return [{ isAlongX, facade, outward, from: middle - facadeOffsetCm, to: middle + facadeOffsetCm }];
  });
}

/** Both sides of every road, past its junctions to the far facade line. */
function roadsideFrontages({ roads }: Streets): Frontage[] {
  return roads.flatMap((road): Frontage[] => {
    const isAlongX = road.ay === road.by;
    if (!isAlongX && road.ax !== road.bx) return [];
    const [start, end, across] = isAlongX ? [road.ax, road.bx, road.ay] : [road.ay, road.by, road.ax];
    const from = Math.min(start, end) - facadeOffsetCm;
    const to = Math.max(start, end) + facadeOffsetCm;
    return [
      { isAlongX, facade: across + facadeOffsetCm, outward: 1, from, to },
      { isAlongX, facade: across - facadeOffsetCm, outward: -1, from, to },
    ];
  });
}

/** What a building on a frontage must keep clear of. */
type ClearTest = (rectangle: Rectangle) => boolean;

function clearTestNear(
  frontage: Frontage,
  corridors: readonly (Segment & { clearanceCm: number })[],
  built: readonly Building[],
): ClearTest {
  const reach = footprint(frontage, frontage.from, frontage.to - frontage.from, largestSideCm);
  const nearCorridors = corridors.filter((corridor) =>
    segmentMeetsRectangle(corridor, reach, corridor.clearanceCm),
  );
  const nearBuildings = built.filter((building) => rectanglesOverlap(reach, building, smallestGapCm));
  return (rectangle) =>
    !nearCorridors.some((corridor) => segmentMeetsRectangle(corridor, rectangle, corridor.clearanceCm)) &&
    !nearBuildings.some((building) => rectanglesOverlap(rectangle, building, smallestGapCm));
}

/** The largest value from `minimum` to `maximum`, in steps, for which growing from the minimum stays clear. */
function growWhileClear(minimum: number, maximum: number, isClearAt: (value: number) => boolean): number {
  let low = 0;
  let high = Math.floor((maximum - minimum) / stepCm);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isClearAt(minimum + middle * stepCm)) low = middle;
    else high = middle - 1;
  }
  return minimum + low * stepCm;
}

function drawBetween(draw: DrawStream, minimum: number, maximum: number): number {
  return minimum + draw.below((maximum - minimum) / stepCm + 1) * stepCm;
}

/** One in sixteen small, five in sixteen large, the rest of common size: about as many as the released maps have. */
function drawWidth(draw: DrawStream): number {
  const size = draw.below(16);
  if (size === 0) return drawBetween(draw, smallestSideCm, 2_000);
  if (size <= 5) return drawBetween(draw, 4_500, largestSideCm);
  return drawBetween(draw, 3_000, 4_500);
}

function drawDepth(draw: DrawStream): number {
  return draw.below(16) === 0 ? drawBetween(draw, 4_500, largestSideCm) : drawBetween(draw, 1_300, 4_500);
}

/** Many of a few storeys, few towers: the cube of a uniform draw spans the released range. */
function drawHeight(draw: DrawStream): number {
  const fraction = draw.below(1_001) / 1_000;
  const height = lowestHeightCm + (highestHeightCm - lowestHeightCm) * fraction * fraction * fraction;
  return Math.round(height / stepCm) * stepCm;
}

function packFrontage(frontage: Frontage, isClear: ClearTest, draw: DrawStream): Building[] {
  const packed: Building[] = [];
  let along = frontage.from;
  while (along + smallestSideCm <= frontage.to) {
    if (!isClear(footprint(frontage, along, smallestSideCm, smallestSideCm))) {
      along += stepCm;
      continue;
    }
    const room = growWhileClear(smallestSideCm, frontage.to - along, (width) =>
      isClear(footprint(frontage, along, width, smallestSideCm)),
    );
    const wanted = drawWidth(draw);
    const gap = smallestGapCm + drawBetween(draw, 0, gapRangeCm);
    // A rest too narrow to build on joins the last building, where that may grow so wide.
    const isLast = wanted + gap + smallestSideCm > room;
    const width = isLast ? Math.min(room, largestSideCm) : wanted;
    const depth = growWhileClear(smallestSideCm, drawDepth(draw), (deeper) =>
      isClear(footprint(frontage, along, width, deeper)),
    );
    packed.push({ ...footprint(frontage, along, width, depth), heightCm: drawHeight(draw) });
    along += width + gap;
  }
  return packed;
}

/** Dead ends first, then road by road; a spelled-out list in the scene takes their place. */
export function placeBuildings(scene: Scene, streets: Streets): Building[] {
  const given = scene.scenery?.buildings;
  if (given !== undefined) return given;
  const routeStrips = scene.routes.flatMap((route) =>
    route.edges.map(({ from, to }) => ({
      ax: from[0],
      ay: from[1],
      bx: to[0],
      by: to[1],
      clearanceCm: sidewalkHalfWidthCm + routeClearanceCm,
    })),
  );
  const corridors = [
    ...streets.roads.map((road) => ({ ...road, clearanceCm: facadeOffsetCm })),
    ...routeStrips,
  ];
  const buildings: Building[] = [];
  for (const [index, frontage] of [...deadEndFrontages(streets), ...roadsideFrontages(streets)].entries()) {
    const draw = drawStream(scene.scenerySeed, sceneryPurpose.buildings, index);
    buildings.push(...packFrontage(frontage, clearTestNear(frontage, corridors, buildings), draw));
  }
  return buildings;
}
