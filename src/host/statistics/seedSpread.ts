// Run-to-run spread: how much a route average moves from one seed to the next (RT-SAFE paper, Table 4).
import { groupBy } from '../metrics/groupBy.ts';

/** One episode's value. */
export interface RouteSample {
  readonly map: string;
  readonly route: number;
  readonly seed: number;
  readonly value: number;
}

export interface SeedSpread {
  readonly mean: number;
  /** Standard deviation of the seeds' route averages, n - 1 in the divisor; null for one seed. */
  readonly standardDeviation: number | null;
  readonly seeds: number;
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * Mean ± sd (n - 1) over seeds of the average over routes. It says how results vary from run to run, not how they would
 * on other routes. Null for no samples.
 */
export function seedSpread(samples: readonly RouteSample[]): SeedSpread | null {
  const averages = [...groupBy(samples, ({ seed }) => seed).values()].map((group) =>
    average(group.map(({ value }) => value)),
  );
  if (averages.length === 0) return null;
  const mean = average(averages);
  const squares = averages.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const standardDeviation = averages.length === 1 ? null : Math.sqrt(squares / (averages.length - 1));
  return { mean, standardDeviation, seeds: averages.length };
}
