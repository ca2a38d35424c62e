// When a crosswalk may be entered: the junctions' common clock looked at ahead of time (docs/rules.md, section 7).
import type { PlanningRules } from './planningRules.ts';

/** Ticks from the start of a cycle to WALK. */
function walkStart(rules: PlanningRules, groups: number): number {
  return groups * (rules.greenTicks + rules.yellowTicks + rules.allRedTicks);
}

/** Ticks into the cycle of a junction with so many vehicle groups. */
function phaseAt({ walkTicks, clearanceTicks }: PlanningRules, start: number, worldTick: number): number {
  return worldTick % (start + walkTicks + clearanceTicks);
}

/** Whether a crosswalk with so many vehicle groups shows WALK, or is uncontrolled, at a tick of the world. */
export function isOpen(rules: PlanningRules, groups: number, worldTick: number): boolean {
  if (groups === 0) return true;
  const start = walkStart(rules, groups);
  const phase = phaseAt(rules, start, worldTick);
  return start <= phase && phase < start + rules.walkTicks;
}

/**
 * Ticks from a tick of the world until a crosswalk can be entered with `crossingTicks` of WALK left; 0 when it can be now.
 * A crossing that takes longer than half of WALK may begin in its first half.
 */
export function ticksUntilEntry(
  rules: PlanningRules,
  groups: number,
  worldTick: number,
  crossingTicks: number,
): number {
  if (groups === 0) return 0;
  const start = walkStart(rules, groups);
  const phase = phaseAt(rules, start, worldTick);
  const window = Math.max(rules.walkTicks - crossingTicks, rules.walkTicks >> 1);
  if (phase < start) return start - phase;
  if (phase < start + window) return 0;
  return start + rules.walkTicks + rules.clearanceTicks - phase + start;
}
