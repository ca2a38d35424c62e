// Where a point is: on which strips, in which painted band, in which grown rectangle (docs/rules.md, section 2).
import { crossQ14, dotQ14, type Vector } from './numbers.ts';
import type { Building, MapShapes, Strip } from './world.ts';

/** A point in the frame of a strip. */
export interface StripPosition {
  readonly along: number;
  readonly lateral: number;
}

export function positionOnStrip(strip: Strip, point: Vector): StripPosition {
  const dx = (point.x - strip.start.x) | 0;
  const dy = (point.y - strip.start.y) | 0;
  return { along: dotQ14(dx, dy, strip.axis), lateral: crossQ14(dx, dy, strip.axis) };
}

/** On a sidewalk or a road. */
export function isOnStrip(strip: Strip, point: Vector): boolean {
  const { along, lateral } = positionOnStrip(strip, point);
  return 0 <= along && along <= strip.length && Math.abs(lateral) <= strip.halfWidth;
}

/** Strictly between the curb planes, at 5 % and 95 % of a crosswalk's length. */
export function isBetweenCurbs(crosswalk: Strip, along: number): boolean {
  return 20 * along > crosswalk.length && 20 * along < 19 * crosswalk.length;
}

export function isInPaintedBand(crosswalk: Strip, point: Vector): boolean {
  return isOnStrip(crosswalk, point) && isBetweenCurbs(crosswalk, positionOnStrip(crosswalk, point).along);
}

export function isOnSidewalk(map: MapShapes, point: Vector): boolean {
  return map.sidewalks.some((sidewalk) => isOnStrip(sidewalk, point));
}

/** Inside the rectangle grown by `margin` on all sides, edges included. */
export function isInGrownBuilding(building: Building, point: Vector, margin: number): boolean {
  return (
    point.x >= building.minX - margin &&
    point.x <= building.maxX + margin &&
    point.y >= building.minY - margin &&
    point.y <= building.maxY + margin
  );
}

/** Twice the distance |dx| + |dy| from a rectangle's centre: doubled, so that a centre between two units stays exact. */
export function doubledDistanceToCentre(building: Building, point: Vector): number {
  return (
    Math.abs(2 * point.x - building.minX - building.maxX) +
    Math.abs(2 * point.y - building.minY - building.maxY)
  );
}
