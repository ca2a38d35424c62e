// The estimates of a report: means with their bootstrap intervals over routes.
import {
  type BootstrapSample,
  type Interval,
  meanInterval,
  pairedInterval,
} from '../statistics/bootstrap.ts';

/** Draws of every interval. */
export const bootstrapDraws = 2_000;
export const intervalPercent = 95;

/** `value` null: nothing to divide by; bounds null: a single route, of which no interval can be made. */
export interface Estimate {
  value: number | null;
  low: number | null;
  high: number | null;
}

const options = { draws: bootstrapDraws, level: intervalPercent };

function fromInterval(interval: Interval | null): Estimate {
  if (interval === null || !Number.isFinite(interval.estimate)) return { value: null, low: null, high: null };
  const { estimate, low, high, clusters } = interval;
  return clusters < 2 ? { value: estimate, low: null, high: null } : { value: estimate, low, high };
}

/** @example estimateMean([{ map: 'rt10', route: 0, seed: 0, value: 12 }]).value // 12 */
export function estimateMean(samples: readonly BootstrapSample[]): Estimate {
  return fromInterval(meanInterval(samples, options));
}

/** The second less the first, paired by route. */
export function estimateDifference(
  first: readonly BootstrapSample[],
  second: readonly BootstrapSample[],
): Estimate {
  return fromInterval(pairedInterval(first, second, 'difference', options));
}
