// Known answers: tables of Student's t, closed forms, and the published regressions of arXiv:2610.09294.
import { describe, expect, test } from 'vitest';
import { published } from '../../../src/host/published/rtSafe.ts';
import { meanInterval, pairedInterval } from '../../../src/host/statistics/bootstrap.ts';
import { linearFit, rankCorrelation, ranks } from '../../../src/host/statistics/regression.ts';
import { type RouteSample, seedSpread } from '../../../src/host/statistics/seedSpread.ts';
import { incompleteBeta, twoSidedP } from '../../../src/host/statistics/studentT.ts';

describe("Student's t", () => {
  test.each([
    [12.7062047, 1, 0.05],
    [2.446912, 6, 0.05],
    [3.707428, 6, 0.01],
    [1.959964, 1e7, 0.05],
    [0, 5, 1],
  ])('|t| of %d with %d degrees of freedom: p %d', (t, degrees, p) => {
    expect(twoSidedP(t, degrees)).toBeCloseTo(p, 6);
    expect(twoSidedP(-t, degrees)).toBe(twoSidedP(t, degrees));
  });

  test('one degree of freedom is Cauchy, two have a closed form', () => {
    for (const t of [0.1, 1, 7]) {
      expect(twoSidedP(t, 1)).toBeCloseTo(1 - (2 / Math.PI) * Math.atan(t), 12);
      expect(twoSidedP(t, 2)).toBeCloseTo(1 - t / Math.sqrt(2 + t * t), 12);
    }
  });

  test('the incomplete beta function at its ends, at its middle, and mirrored', () => {
    expect([incompleteBeta(0, 2, 3), incompleteBeta(1, 2, 3)]).toEqual([0, 1]);
    expect(incompleteBeta(0.3, 1, 1)).toBeCloseTo(0.3, 14);
    expect(incompleteBeta(0.2, 2, 5)).toBeCloseTo(1 - incompleteBeta(0.8, 5, 2), 13);
  });

  test('an endless t has p 0', () => {
    expect(twoSidedP(Number.POSITIVE_INFINITY, 6)).toBe(0);
  });
});

function meanContacts(mode: 'static' | 'realtime'): number {
  return published.models.reduce((sum, model) => sum + model[mode].contacts, 0) / published.models.length;
}

describe('the published regressions over eight models', () => {
  const { models, regressions } = published;
  const contacts = models.map(({ allDifficulties }) => allDifficulties.contacts);

  test('latency alone: R² 0.784, p 0.0035', () => {
    const fit = linearFit(
      models.map(({ allDifficulties }) => allDifficulties.latencySeconds),
      contacts,
    )!;
    // The table is rounded to one decimal, so the third digit may be off by one.
    expect(Math.abs(fit.rSquared - regressions.latency.rSquared)).toBeLessThan(0.001);
    expect(Math.abs(fit.p - regressions.latency.p)).toBeLessThan(0.0002);
  });

  test('latency times decisions: R² 0.934, 0.0176 contacts a second', () => {
    const fit = linearFit(
      models.map(({ allDifficulties }) => allDifficulties.latencySeconds * allDifficulties.decisions),
      contacts,
    )!;
    expect(Math.abs(fit.rSquared - regressions.exposure.rSquared)).toBeLessThan(0.001);
    expect(fit.slope).toBeCloseTo(0.0176, 4);
  });

  test('the published means are those of the published rows', () => {
    expect(meanContacts('static')).toBeCloseTo(published.aggregates.static.contacts, 1);
    expect(meanContacts('realtime')).toBeCloseTo(published.aggregates.realtime.contacts, 1);
  });
});

describe('lines and ranks', () => {
  test('a perfect line has R² 1 and p 0; a flat one has none', () => {
    expect(linearFit([1, 2, 3], [3, 5, 7])).toEqual({ n: 3, slope: 2, intercept: 1, rSquared: 1, p: 0 });
    expect(linearFit([1, 2, 3], [4, 4, 4])).toBeNull();
    expect(linearFit([2, 2, 2], [1, 2, 3])).toBeNull();
  });

  test('two points make no fit', () => {
    expect(() => linearFit([1, 2], [1, 2])).toThrow('3 points');
  });

  test('ties share their mean rank', () => {
    expect(ranks([10, 20, 20, 5])).toEqual([2, 3.5, 3.5, 1]);
  });

  test('Spearman, by 1 - 6 Σd² / (n (n² - 1)) where there are no ties', () => {
    expect(rankCorrelation([1, 2, 3], [10, 30, 20])).toBeCloseTo(0.5, 14);
    expect(rankCorrelation([1, 2, 3, 4], [8, 6, 4, 2])).toBeCloseTo(-1, 14);
    expect(rankCorrelation([1, 2, 3], [1, 1, 1])).toBeNull();
  });
});

function sample(route: number, seed: number, value: number): RouteSample {
  return { map: 'm', route, seed, value };
}

describe('spread over seeds', () => {
  test('is that of the route averages, with n - 1', () => {
    // Averages 2, 4, 9: mean 5, squares 9 + 1 + 16 over 2.
    const samples = [
      sample(0, 0, 1),
      sample(1, 0, 3),
      sample(0, 1, 4),
      sample(1, 1, 4),
      sample(0, 2, 9),
      sample(1, 2, 9),
    ];
    expect(seedSpread(samples)).toEqual({ mean: 5, standardDeviation: Math.sqrt(13), seeds: 3 });
  });

  test('one seed has none', () => {
    expect(seedSpread([sample(0, 0, 1)])).toEqual({ mean: 1, standardDeviation: null, seeds: 1 });
    expect(seedSpread([])).toBeNull();
  });
});

describe('bootstrap over routes', () => {
  const routes = Array.from({ length: 40 }, (_, route) => route);
  const samples = routes.flatMap((route) => [sample(route, 0, route), sample(route, 1, route)]);

  test('is as wide as theory says, and names its routes', () => {
    const interval = meanInterval(samples)!;
    expect(interval).toMatchObject({ estimate: 19.5, clusters: 40, draws: 2000, level: 95 });
    // Standard error of a mean of 40 resampled routes: sqrt((40² - 1) / 12 / 40); seeds that agree add nothing.
    const error = Math.sqrt((40 * 40 - 1) / 12 / 40);
    expect(interval.low).toBeGreaterThan(19.5 - 2.3 * error);
    expect(interval.low).toBeLessThan(19.5 - 1.7 * error);
    expect(interval.high).toBeGreaterThan(19.5 + 1.7 * error);
    expect(interval.high).toBeLessThan(19.5 + 2.3 * error);
  });

  test('does not depend on the order of the samples, and only on the seed', () => {
    const interval = meanInterval(samples);
    expect(meanInterval(samples.toReversed())).toEqual(interval);
    expect(meanInterval(samples, { seed: 1 })).not.toEqual(interval);
  });

  test('pairs by route: a constant difference has no width', () => {
    const shifted = samples.map((one) => ({ ...one, value: one.value + 3 }));
    expect(pairedInterval(samples, shifted, 'difference')).toMatchObject({ estimate: 3, low: 3, high: 3 });
    const doubled = samples.map((one) => ({ ...one, value: one.value * 2 }));
    expect(pairedInterval(samples, doubled, 'ratio')).toMatchObject({
      estimate: 2,
      low: 2,
      high: 2,
      clusters: 40,
    });
  });

  test('routes that only one side has are left out', () => {
    const interval = pairedInterval(
      [sample(0, 0, 1), sample(1, 0, 5)],
      [sample(1, 0, 7), sample(2, 0, 9)],
      'difference',
    );
    expect(interval).toMatchObject({ estimate: 2, clusters: 1 });
    expect(pairedInterval([sample(0, 0, 1)], [sample(1, 0, 1)], 'difference')).toBeNull();
    expect(meanInterval([])).toBeNull();
  });
});
