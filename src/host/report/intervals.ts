// Bootstrap intervals over routes: a route is drawn with all its seeds, and for a comparison with both of its sides.
import { percentile } from '../metrics/percentile.ts';

/** Draws of every interval. */
export const bootstrapDraws = 2_000;
export const intervalPercent = 95;

/** A mean over episodes (or a ratio of sums), with its interval; null: nothing to divide by, or a single route. */
export interface Estimate {
  value: number | null;
  low: number | null;
  high: number | null;
}

/** What one route adds to a ratio: `sum` over `count`. */
export interface RouteSum {
  readonly sum: number;
  readonly count: number;
}

/** A small, seeded generator (mulberry32), so that a report has the same bytes whenever it is made. */
function uniformDraws(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

function interval(
  routes: number,
  statistic: (drawn: Uint32Array) => number | null,
): { low: number; high: number } | null {
  if (routes < 2) return null;
  const draw = uniformDraws(0x5af3);
  const drawn = new Uint32Array(routes);
  const values: number[] = [];
  for (let count = 0; count < bootstrapDraws; count++) {
    for (let place = 0; place < routes; place++) drawn[place] = Math.floor(draw() * routes);
    const value = statistic(drawn);
    if (value !== null) values.push(value);
  }
  if (values.length === 0) return null;
  const ascending = Float64Array.from(values).sort();
  const tail = (100 - intervalPercent) / 2;
  return { low: percentile(ascending, tail), high: percentile(ascending, 100 - tail) };
}

function ratioOf(sums: readonly RouteSum[], drawn: Iterable<number>): number | null {
  let sum = 0;
  let count = 0;
  for (const route of drawn) {
    sum += sums[route]!.sum;
    count += sums[route]!.count;
  }
  return count === 0 ? null : sum / count;
}

function estimate(routes: number, statistic: (drawn: Iterable<number>) => number | null): Estimate {
  const value = statistic(Array.from({ length: routes }, (_, route) => route));
  const bounds = value === null ? null : interval(routes, statistic);
  return { value, low: bounds?.low ?? null, high: bounds?.high ?? null };
}

/**
 * The ratio of the sums over all routes, with its percentile interval.
 *
 * @example estimateRatio([{ sum: 12, count: 2 }, { sum: 3, count: 2 }]).value // 3.75
 */
export function estimateRatio(sums: readonly RouteSum[]): Estimate {
  return estimate(sums.length, (drawn) => ratioOf(sums, drawn));
}

/** The second ratio less the first, both over the same drawn routes. [route] in both. */
export function estimateDifference(first: readonly RouteSum[], second: readonly RouteSum[]): Estimate {
  return estimate(first.length, (drawn) => {
    const [before, after] = [ratioOf(first, drawn), ratioOf(second, drawn)];
    return before === null || after === null ? null : after - before;
  });
}
