// One straight line through points, and how sure one can be of it.
import { twoSidedP } from './studentT.ts';

export interface LinearFit {
  readonly n: number;
  readonly slope: number;
  readonly intercept: number;
  readonly rSquared: number;
  /** Of the slope against 0: t = sqrt(R² (n - 2) / (1 - R²)), two-sided, n - 2 degrees of freedom. */
  readonly p: number;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Sum of (x - mean x)(y - mean y). */
function coSum(x: readonly number[], y: readonly number[]): number {
  const meanX = mean(x);
  const meanY = mean(y);
  return x.reduce((sum, value, index) => sum + (value - meanX) * (y[index]! - meanY), 0);
}

/**
 * Ordinary least squares of y on x, at least three points; null where all x or all y are the same.
 *
 * @example linearFit([1, 2, 3, 4], [2, 4, 5, 8])?.slope // 1.9
 */
export function linearFit(x: readonly number[], y: readonly number[]): LinearFit | null {
  const n = x.length;
  if (n !== y.length || n < 3)
    throw new RangeError(`a line needs 3 points or more, not ${n} and ${y.length}`);
  const [xx, yy, xy] = [coSum(x, x), coSum(y, y), coSum(x, y)];
  if (xx === 0 || yy === 0) return null;
  const slope = xy / xx;
  const rSquared = Math.min(1, (xy * xy) / (xx * yy));
  const t = Math.sqrt((rSquared * (n - 2)) / (1 - rSquared));
  return { n, slope, intercept: mean(y) - slope * mean(x), rSquared, p: twoSidedP(t, n - 2) };
}

/** Ranks from 1; equal values share the mean of theirs. */
export function ranks(values: readonly number[]): number[] {
  return values.map((value) => {
    const below = values.filter((other) => other < value).length;
    const equal = values.filter((other) => other === value).length;
    return below + (equal + 1) / 2;
  });
}

/**
 * Spearman's rank correlation, ties by mean rank; null where all x or all y are the same.
 *
 * @example rankCorrelation([1, 2, 3], [10, 30, 20]) // 0.5
 */
export function rankCorrelation(x: readonly number[], y: readonly number[]): number | null {
  const [rankX, rankY] = [ranks(x), ranks(y)];
  const scale = Math.sqrt(coSum(rankX, rankX) * coSum(rankY, rankY));
  return scale === 0 ? null : coSum(rankX, rankY) / scale;
}
