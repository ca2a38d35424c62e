// All suites, in the order in which they are measured and shown. A new one is a module like stepSuite.ts and a line here.
import { UsageError } from '../errors.ts';
import { cameraSuite } from './cameraSuite.ts';
import { collectSuite } from './collectSuite.ts';
import { decideSuite } from './decideSuite.ts';
import { episodesSuite } from './episodesSuite.ts';
import { memorySuite } from './memorySuite.ts';
import { policiesSuite } from './policiesSuite.ts';
import { rooflineSuite } from './rooflineSuite.ts';
import { scalingSuite } from './scalingSuite.ts';
import { stepSuite } from './stepSuite.ts';
import type { AnySuite } from './suite.ts';
import { yardstickSuite } from './yardstickSuite.ts';

export const suites: readonly AnySuite[] = [
  stepSuite,
  scalingSuite,
  yardstickSuite,
  rooflineSuite,
  decideSuite,
  cameraSuite,
  memorySuite,
  episodesSuite,
  policiesSuite,
  collectSuite,
];

/**
 * The suites of a list of names, or `all` that suit the sizes of batches, in their own order.
 *
 * @throws UsageError for a name that there is not, or for a suite that compares sizes when there is one size.
 */
export function parseSuites(text: string, sizes: readonly number[]): AnySuite[] {
  const isForSizes = (suite: AnySuite) => suite !== scalingSuite || sizes.length > 1;
  if (text.trim() === 'all') return suites.filter(isForSizes);
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => suites.every((suite) => suite.name !== name));
  if (unknown !== undefined) {
    const allowed = suites.map(({ name }) => name).join(', ');
    throw new UsageError(`--suite: found "${unknown}", allowed are ${allowed} and all`);
  }
  const chosen = suites.filter(({ name }) => names.includes(name));
  if (!chosen.every(isForSizes))
    throw new UsageError(`--suite scaling: found one size, ${sizes[0]}, allowed are two --sizes or more`);
  return chosen;
}
