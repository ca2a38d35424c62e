// Walkers that hold because another is just ahead on their line (docs/rules.md, section 5.1).
import { actorBits, type Environment, isPresent, setBit } from './environment.ts';
import { crossQ14, dotQ14, subtract } from './numbers.ts';
import type { Actor } from './records.ts';

/** Sets or clears the held bit of every walker, all from the same positions. */
export function holdWalkers(env: Environment): void {
  env.walkers.forEach((walker, index) => {
    if (!isPresent(walker)) return;
    const isHeld = env.walkers.some(
      (other, otherIndex) =>
        otherIndex !== index &&
        isPresent(other) &&
        isAhead(env, walker, other) &&
        !(index < otherIndex && isAhead(env, other, walker)),
    );
    setBit(walker, actorBits.held, isHeld);
  });
}

/** Whether `other` is in the box before a walker. */
function isAhead(env: Environment, walker: Actor, other: Actor): boolean {
  const { followGap, followHalfWidth } = env.rules;
  const offset = subtract(other, walker);
  const reach = followGap + followHalfWidth + axisRejectMargin;
  if (Math.abs(offset.x) > reach || Math.abs(offset.y) > reach) return false;
  const { axis } = env.route.segments[walker.link]!;
  const ahead = dotQ14(offset.x, offset.y, axis);
  return 0 < ahead && ahead <= followGap && Math.abs(crossQ14(offset.x, offset.y, axis)) <= followHalfWidth;
}

/** Far more than Q14 rounding can make of a distance: the reject by axis only saves time. */
const axisRejectMargin = 256;
