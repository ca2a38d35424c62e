// The junctions' common clock: when a crosswalk may be entered (docs/rules.md, section 7).
import type { Environment } from './environment.ts';
import type { Strip } from './world.ts';

/** Whether a crosswalk is uncontrolled or shows WALK at the current world tick. */
export function isOpen(env: Environment, crosswalk: Strip): boolean {
  if (crosswalk.vehicleGroups === 0) return true;
  const { greenTicks, yellowTicks, allRedTicks, walkTicks, clearanceTicks } = env.rules;
  const vehicleTicks = crosswalk.vehicleGroups * (greenTicks + yellowTicks + allRedTicks);
  const phase = env.state.worldTick % (vehicleTicks + walkTicks + clearanceTicks);
  return vehicleTicks <= phase && phase < vehicleTicks + walkTicks;
}
