// What to call a condition beside others: the parts in which they differ.
import type { Condition } from '../episodes/plan.ts';

export const modeNames = { static: 'static', realtime: 'real-time' } as const;
const parts = ['profile', 'policy', 'latency', 'difficulty', 'mode'] as const;
type Part = (typeof parts)[number];

function partText(condition: Condition, part: Part): string {
  return part === 'mode' ? modeNames[condition.mode] : condition[part];
}

/** The parts that are not the same in all conditions. */
export function differingParts(conditions: readonly Condition[]): Part[] {
  return parts.filter((part) => new Set(conditions.map((condition) => condition[part])).size > 1);
}

export function labelBy(condition: Condition, chosen: readonly Part[]): string {
  return chosen.map((part) => partText(condition, part)).join(', ');
}

/** @example fullLabel(condition) // 'rt-safe, greedy, fixed:3, hard, real-time' */
export function fullLabel(condition: Condition): string {
  return labelBy(condition, parts);
}

/** A key for all parts but the named one: conditions with one key differ in that part only. */
export function keyWithout(condition: Condition, left: Part): string {
  return JSON.stringify(parts.filter((part) => part !== left).map((part) => condition[part]));
}

/** What all conditions have in common: `rt-safe, greedy, hard`. */
export function commonLabel(conditions: readonly Condition[]): string {
  const first = conditions[0];
  if (first === undefined) return '';
  const different = differingParts(conditions);
  return labelBy(
    first,
    parts.filter((part) => !different.includes(part)),
  );
}
