import { expect, test } from 'vitest';
import { RecentRate } from '../../../src/host/command-line/progressBar.ts';

test('a steady rate is that rate, from the first sample on', () => {
  const rate = new RecentRate();
  for (let second = 1; second <= 100; second++) expect(rate.update(second, 3 * second)).toBeCloseTo(3, 12);
});

test('a run that slows down shows it', () => {
  const rate = new RecentRate();
  for (let second = 1; second <= 100; second++) rate.update(second, 10 * second);
  let last = 0;
  for (let second = 101; second <= 200; second++) last = rate.update(second, 1000 + (second - 100));
  expect(last).toBeCloseTo(1, 1);
});

test('nothing done, or no time gone: no rate', () => {
  const rate = new RecentRate();
  expect(rate.update(0, 0)).toBe(0);
  expect(rate.update(5, 0)).toBe(0);
});
