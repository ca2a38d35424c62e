// Walkers that hold because another is just ahead on their line (docs/rules.md, section 5.1).
import { actorBits, type Environment, isPresent, setBit } from './environment.ts';
import { crossQ14, dotQ14 } from './numbers.ts';
import type { Actor } from './records.ts';

/** Sets or clears the held bit of every walker, all from the same positions. */
export function holdWalkers(env: Environment): void {
  const present = env.walkers.filter(isPresent);
  present.forEach((walker, index) => {
    const isHeld = present.some(
      (other, otherIndex) =>
        isAhead(env, walker, other) && !(index < otherIndex && isAhead(env, other, walker)),
    );
    setBit(walker, actorBits.held, isHeld);
  });
}

/** Whether `other` is in the box before a walker; itself never is. */
function isAhead(env: Environment, walker: Actor, other: Actor): boolean {
  const { followGap, followHalfWidth } = env.rules;
  const dx = (other.x - walker.x) | 0;
  const dy = (other.y - walker.y) | 0;
  const reach = followGap + followHalfWidth + axisRejectMargin;
  if (Math.abs(dx) > reach || Math.abs(dy) > reach) return false;
  const { axis } = env.route.segments[walker.link]!;
  const ahead = dotQ14(dx, dy, axis);
  return 0 < ahead && ahead <= followGap && Math.abs(crossQ14(dx, dy, axis)) <= followHalfWidth;
}

/** Far more than Q14 rounding can make of a distance: the reject by axis only saves time. */
const axisRejectMargin = 256;
