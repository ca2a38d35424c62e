// Confidence intervals by resampling routes: episodes of one route resemble each other, so routes, with all their seeds,
// are what is drawn. Few clusters make such intervals too narrow: their number belongs beside every interval.
import { randomU32 } from '../../kernels/random.ts';
import { drawPurposes } from '../episodes/drawPurposes.ts';
import { groupBy } from '../metrics/groupBy.ts';
import { percentile } from '../metrics/percentile.ts';
import type { RouteSample } from './seedSpread.ts';

export interface Interval {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
  /** Routes. */
  readonly clusters: number;
  readonly draws: number;
  /** Percent. */
  readonly level: number;
}

export interface BootstrapOptions {
  /** 2000 if not given. */
  readonly draws?: number;
  /** Percent; 95 if not given. */
  readonly level?: number;
  /** Keys the draws: the same seed gives the same interval, everywhere. 0 if not given. */
  readonly seed?: number;
}

/** One episode's value, or its part of a rate over something else than episodes. */
export interface BootstrapSample extends RouteSample {
  /** What the value counts for, 1 if not given: for progress per decision, the decisions. */
  readonly weight?: number;
}

/** Sums and counts of one route, for each of the sets that are compared. */
type Cluster = readonly { readonly sum: number; readonly count: number }[];

/** Uniform over [0, count) for counts far below 2^32, without the 16-bit limit of `uniformBelow`. */
function index(seed: number, draw: number, place: number, count: number): number {
  return Math.floor((randomU32(seed, drawPurposes.bootstrap, draw, place) / 2 ** 32) * count);
}

function resample(
  clusters: readonly Cluster[],
  statistic: (means: readonly number[]) => number,
  { draws = 2000, level = 95, seed = 0 }: BootstrapOptions,
): Interval | null {
  const sets = clusters[0]?.length ?? 0;
  const meansOf = (chosen: readonly Cluster[]) =>
    Array.from({ length: sets }, (_, set) => {
      const sum = chosen.reduce((total, cluster) => total + cluster[set]!.sum, 0);
      return sum / chosen.reduce((total, cluster) => total + cluster[set]!.count, 0);
    });
  if (clusters.length === 0) return null;
  const values = Float64Array.from({ length: draws }, (_, draw) =>
    statistic(
      meansOf(clusters.map((_cluster, place) => clusters[index(seed, draw, place, clusters.length)]!)),
    ),
  )
    .filter((value) => Number.isFinite(value))
    .sort();
  if (values.length === 0) return null;
  const tail = (100 - level) / 2;
  return {
    estimate: statistic(meansOf(clusters)),
    low: percentile(values, tail),
    high: percentile(values, 100 - tail),
    clusters: clusters.length,
    draws,
    level,
  };
}

function byRoute(samples: readonly BootstrapSample[]): Map<string, { sum: number; count: number }> {
  const routes = groupBy(samples, ({ map, route }) => `${map}:${route}`);
  return new Map(
    [...routes].map(([name, group]) => [
      name,
      {
        sum: group.reduce((sum, { value }) => sum + value, 0),
        count: group.reduce((sum, { weight = 1 }) => sum + weight, 0),
      },
    ]),
  );
}

/** In an order that does not depend on which episode came first. */
function sorted(names: Iterable<string>): string[] {
  return [...names].sort();
}

/**
 * The mean over episodes with its percentile interval over resampled routes. Null for no samples.
 *
 * @example meanInterval(samples)?.clusters // 36
 */
export function meanInterval(
  samples: readonly BootstrapSample[],
  options: BootstrapOptions = {},
): Interval | null {
  const routes = byRoute(samples);
  const clusters = sorted(routes.keys()).map((name) => [routes.get(name)!]);
  return resample(clusters, ([mean]) => mean!, options);
}

/**
 * Second against first, paired by route: routes that only one of them has are left out. `difference` is second - first,
 * `ratio` is second / first (draws in which the first is 0 are left out of its interval). Null for no common route.
 *
 * @example pairedInterval(staticSamples, realtimeSamples, 'difference')
 */
export function pairedInterval(
  first: readonly BootstrapSample[],
  second: readonly BootstrapSample[],
  comparison: 'difference' | 'ratio',
  options: BootstrapOptions = {},
): Interval | null {
  const [firstRoutes, secondRoutes] = [byRoute(first), byRoute(second)];
  const common = sorted(firstRoutes.keys()).filter((name) => secondRoutes.has(name));
  const clusters = common.map((name) => [firstRoutes.get(name)!, secondRoutes.get(name)!]);
  const statistic = ([a, b]: readonly number[]) => (comparison === 'ratio' ? b! / a! : b! - a!);
  return resample(clusters, statistic, options);
}
