// The smallest distance of two points that both move straight during a tick (docs/rules.md, section 8).
import { isqrt, subtract, type Vector, within } from './numbers.ts';

interface Sweep {
  readonly before: Vector;
  readonly after: Vector;
}

/** Whether two moving points come as near as `radius` (at most 2000 units). */
export function sweptWithin(first: Sweep, second: Sweep, radius: number): boolean {
  const before = subtract(second.before, first.before);
  const after = subtract(second.after, first.after);
  if (staysBeyond(before.x, after.x, radius) || staysBeyond(before.y, after.y, radius)) return false;
  const change = subtract(after, before);
  if (change.x === 0 && change.y === 0) return within(before.x, before.y, radius);
  if (dot(before, change) >= 0) return within(before.x, before.y, radius);
  if (dot(after, change) <= 0) return within(after.x, after.y, radius);
  const area = Math.abs(before.x * change.y - before.y * change.x);
  return area <= radius * isqrt(dot(change, change));
}

function staysBeyond(before: number, after: number, radius: number): boolean {
  return (before > radius && after > radius) || (before < -radius && after < -radius);
}

function dot(a: Vector, b: Vector): number {
  return a.x * b.x + a.y * b.y;
}
