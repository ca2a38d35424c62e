// When a crosswalk may be entered: the junctions' common clock looked at ahead of time (docs/rules.md, section 7).
import type { PlanningRules } from './planningRules.ts';

/** Start and length of WALK within a cycle, and the cycle, in ticks. */
function walkOf(rules: PlanningRules, groups: number): { start: number; cycle: number } {
  const start = groups * (rules.greenTicks + rules.yellowTicks + rules.allRedTicks);
  return { start, cycle: start + rules.walkTicks + rules.clearanceTicks };
}

/** Whether a crosswalk with so many vehicle groups shows WALK, or is uncontrolled, at a tick of the world. */
export function isOpen(rules: PlanningRules, groups: number, worldTick: number): boolean {
  if (groups === 0) return true;
  const { start, cycle } = walkOf(rules, groups);
  const phase = worldTick % cycle;
  return start <= phase && phase < start + rules.walkTicks;
}

/**
 * Ticks from a tick of the world until a crosswalk can be entered with `crossingTicks` of WALK left; 0 when it can be now.
 * A crossing that no WALK is long enough for may begin in its first half.
 */
export function ticksUntilEntry(
  rules: PlanningRules,
  groups: number,
  worldTick: number,
  crossingTicks: number,
): number {
  if (groups === 0) return 0;
  const { start, cycle } = walkOf(rules, groups);
  const phase = worldTick % cycle;
  const window = Math.max(rules.walkTicks - crossingTicks, rules.walkTicks >> 1);
  if (phase < start) return start - phase;
  return phase < start + window ? 0 : cycle - phase + start;
}
