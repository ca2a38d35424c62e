// Plane geometry of scenes, in cm. Only + - * / and sqrt, which every machine rounds alike, so that a derived city is
// the same bits everywhere (Math.hypot, sin and their like are not).
import type { Point } from './schema.ts';

/** Points closer than this are the same point (RT-SAFE protocol §2). */
export const samePointToleranceCm = 1;

export interface Segment {
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
}

export interface Rectangle {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

export function distanceBetween(ax: number, ay: number, bx: number, by: number): number {
  return Math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
}

export function isSamePoint(first: Readonly<Point>, second: Readonly<Point>): boolean {
  return distanceBetween(first[0], first[1], second[0], second[1]) <= samePointToleranceCm;
}

/** Are the two segments the same, in either direction? */
export function isSameSegment(segment: Segment, from: Readonly<Point>, to: Readonly<Point>): boolean {
  const a: Point = [segment.ax, segment.ay];
  const b: Point = [segment.bx, segment.by];
  return (isSamePoint(a, from) && isSamePoint(b, to)) || (isSamePoint(a, to) && isSamePoint(b, from));
}

/** To a tenth of a centimetre, the resolution of everything generated; never -0. */
export function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10 + 0;
}

/** Distance from a point to the nearest point of a segment. */
export function distanceToSegment(x: number, y: number, segment: Segment): number {
  const dx = segment.bx - segment.ax;
  const dy = segment.by - segment.ay;
  const along = ((x - segment.ax) * dx + (y - segment.ay) * dy) / (dx * dx + dy * dy);
  const clamped = Math.min(1, Math.max(0, along));
  return distanceBetween(x, y, segment.ax + clamped * dx, segment.ay + clamped * dy);
}

/** The point `along` cm from the segment's start and `right` cm to the right of its direction (yaw + 90 degrees). */
export function pointBeside(segment: Segment, along: number, right: number): Point {
  const length = distanceBetween(segment.ax, segment.ay, segment.bx, segment.by);
  const unitX = (segment.bx - segment.ax) / length;
  const unitY = (segment.by - segment.ay) / length;
  return [
    roundToTenth(segment.ax + along * unitX - right * unitY),
    roundToTenth(segment.ay + along * unitY + right * unitX),
  ];
}

/** Do two rectangles overlap by more than their edges, once the second is grown by `clearance`? */
export function rectanglesOverlap(first: Rectangle, second: Rectangle, clearance: number): boolean {
  return (
    first.minX < second.maxX + clearance &&
    first.maxX > second.minX - clearance &&
    first.minY < second.maxY + clearance &&
    first.maxY > second.minY - clearance
  );
}

/**
 * Does a segment enter a rectangle grown by `clearance` on all sides? For a segment along an axis this is exactly the
 * overlap of the rectangle with the segment's strip, ends squared off. Running along the grown edge does not count.
 */
export function segmentMeetsRectangle(segment: Segment, rectangle: Rectangle, clearance: number): boolean {
  let enter = 0;
  let leave = 1;
  const axes = [
    [segment.ax, segment.bx - segment.ax, rectangle.minX - clearance, rectangle.maxX + clearance],
    [segment.ay, segment.by - segment.ay, rectangle.minY - clearance, rectangle.maxY + clearance],
  ] as const;
  for (const [start, extent, minimum, maximum] of axes) {
    if (extent === 0) {
      if (start <= minimum || start >= maximum) return false;
      continue;
    }
    const first = (minimum - start) / extent;
    const second = (maximum - start) / extent;
    enter = Math.max(enter, Math.min(first, second));
    leave = Math.min(leave, Math.max(first, second));
  }
  return enter < leave;
}
