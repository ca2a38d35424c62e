// Repetitions of one measurement.
import { percentile } from '../metrics/percentile.ts';

export interface Spread {
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
}

/**
 * Median and range of at least one value.
 *
 * @example spreadOf([3, 1, 2]) // { median: 2, lowest: 1, highest: 3 }
 */
export function spreadOf(values: readonly number[]): Spread {
  const ascending = values.toSorted((first, second) => first - second);
  return { median: percentile(ascending, 50), lowest: ascending[0]!, highest: ascending.at(-1)! };
}

/** A number that was measured once. */
export function measuredOnce(value: number): Spread {
  return { median: value, lowest: value, highest: value };
}
