// Are two simulations of the same walkers equal, to the last bit?
import { actorWords } from '../../../kernels/world.ts';
import { countNames, type WalkersAfter } from './scenarioFile.ts';

/** Words of a walker (docs/rules.md, section 3). */
const fieldNames = ['x', 'y', 'link', 'along', 'speed', 'status', 'timer', 'mark'] as const;

/** The first difference in words, or undefined where all is equal. [environment] */
export function differenceOf(
  kernels: readonly WalkersAfter[],
  native: readonly WalkersAfter[],
): string | undefined {
  for (const [env, expected] of kernels.entries()) {
    const found = native[env]!;
    const count = expected.counts.findIndex((value, place) => value !== found.counts[place]);
    if (count >= 0) {
      return `environment ${env}: ${countNames[count]!} ${expected.counts[count]!} in the kernels, ${found.counts[count]!} natively`;
    }
    const word = expected.walkers.findIndex((value, place) => value !== found.walkers[place]);
    if (word >= 0) {
      return (
        `environment ${env}: ${fieldNames[word % actorWords]!} of walker ${Math.floor(word / actorWords)} is ` +
        `${expected.walkers[word]!} in the kernels, ${found.walkers[word]!} natively`
      );
    }
  }
  return undefined;
}
