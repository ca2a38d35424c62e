// Student's t distribution, exactly enough for p-values, by the regularised incomplete beta function.
import { gammaln } from 'simple-statistics';

const smallest = 1e-300;
const precision = 1e-15;
const mostTerms = 10_000;

/** Keeps a divisor away from 0. */
function guard(value: number): number {
  return Math.abs(value) < smallest ? smallest : value;
}

/** The continued fraction of the incomplete beta function, by Lentz's method (Numerical Recipes, §6.4). */
function betaFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / guard(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= mostTerms; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / guard(1 + even * d);
    c = guard(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / guard(1 + odd * d);
    c = guard(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < precision) break;
  }
  return fraction;
}

/**
 * I_x(a, b), the regularised incomplete beta function, for x from 0 to 1 and a, b > 0.
 *
 * @example incompleteBeta(0.5, 2, 2) // 0.5
 */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(gammaln(a + b) - gammaln(a) - gammaln(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(x, a, b)) / a
    : 1 - (front * betaFraction(1 - x, b, a)) / b;
}

/**
 * The probability of a |t| at least as large under Student's t with so many degrees of freedom (> 0).
 *
 * @example twoSidedP(2.446912, 6) // 0.05
 */
export function twoSidedP(t: number, degrees: number): number {
  if (Number.isNaN(t)) return Number.NaN;
  return incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5);
}
