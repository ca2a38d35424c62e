// Integer arithmetic of docs/rules.md, section 1. Every function takes and returns whole numbers that fit an i32 (a u32
// for isqrt), and none ever returns minus zero.
import { directionTable, headingCount } from '../../src/kernels/directions.ts';

/** A position or displacement in units, or a Q14 unit vector. */
export interface Vector {
  readonly x: number;
  readonly y: number;
}

const directions = directionTable();

/** Q14 unit vector of a heading in tenths of a degree, 0..3599. */
export function direction(heading: number): Vector {
  return { x: directions[heading * 2]!, y: directions[heading * 2 + 1]! };
}

/** Wraps a heading into 0..3599 tenths of a degree. */
export function wrapHeading(heading: number): number {
  return (((heading % headingCount) + headingCount) % headingCount) | 0;
}

/** The two signed halves of a packed direction, x in the low one. */
export function unpackDirection(packed: number): Vector {
  return { x: (packed << 16) >> 16, y: packed >> 16 };
}

/** A Q14 vector packed into one i32, x in the low half. */
export function packDirection(vector: Vector): number {
  return (vector.x & 0xffff) | (vector.y << 16);
}

/** Division of whole numbers, truncated towards zero. */
export function divide(dividend: number, divisor: number): number {
  return (dividend / divisor) | 0;
}

/** floor(a * b / 16384) for any i32 `a` and |b| <= 16384. */
export function mulQ14(a: number, b: number): number {
  return ((a >> 14) * b + (((a & 16383) * b) >> 14)) | 0;
}

/** Length of (x, y) along the unit vector. */
export function dotQ14(x: number, y: number, unit: Vector): number {
  return (mulQ14(x, unit.x) + mulQ14(y, unit.y)) | 0;
}

/** Signed distance of (x, y) from the axis through the origin along the unit vector. */
export function crossQ14(x: number, y: number, unit: Vector): number {
  return (mulQ14(y, unit.x) - mulQ14(x, unit.y)) | 0;
}

/** `origin` moved by `length` along the unit vector. */
export function advanced(origin: Vector, length: number, unit: Vector): Vector {
  return { x: (origin.x + mulQ14(length, unit.x)) | 0, y: (origin.y + mulQ14(length, unit.y)) | 0 };
}

export function subtract(a: Vector, b: Vector): Vector {
  return { x: (a.x - b.x) | 0, y: (a.y - b.y) | 0 };
}

export function samePoint(a: Vector, b: Vector): boolean {
  return a.x === b.x && a.y === b.y;
}

/** Whether (dx, dy) is at most `radius` long; false for a negative radius. */
export function within(dx: number, dy: number, radius: number): boolean {
  if (Math.abs(dx) > radius || Math.abs(dy) > radius) return false;
  return dx * dx + dy * dy <= radius * radius;
}

/** Whether the points are at most `radius` apart. */
export function pointsWithin(a: Vector, b: Vector, radius: number): boolean {
  return within(a.x - b.x, a.y - b.y, radius);
}

export function squaredDistance(a: Vector, b: Vector): number {
  const dx = a.x - b.x;
  const dy = a.y - b.y;
  return dx * dx + dy * dy;
}

/** Floor of the square root of a u32 (a double holds every u32 exactly, and its square root is correctly rounded). */
export function isqrt(value: number): number {
  return Math.floor(Math.sqrt(value));
}
