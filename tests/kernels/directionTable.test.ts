// The table of unit vectors against cosines computed to forty digits in whole numbers, so that no machine's Math.cos can
// ever round an entry the other way.
import { expect, test } from 'vitest';
import { directionTable, headingCount } from '../../src/kernels/directions.ts';

const table = directionTable();
const one = 16384;

/** Fixed point: 10^40 is 1. */
const scale = 10n ** 40n;
const pi = 31415926535897932384626433832795028841971n;

/** cos of a heading in tenths of a degree, times `scale`, by its Taylor series. */
function exactCosine(heading: number): bigint {
  // Brought to -90..90 degrees first, where the series needs few terms.
  const turned = heading > 1800 ? heading - 3600 : heading;
  const sign = Math.abs(turned) > 900 ? -1n : 1n;
  const folded = Math.abs(turned) > 900 ? 1800 - Math.abs(turned) : turned;
  const angle = (BigInt(folded) * pi) / 1800n;
  let term = scale;
  let sum = 0n;
  for (let order = 2n; term !== 0n; order += 2n) {
    sum += term;
    term = (-term * angle * angle) / (scale * scale * (order - 1n) * order);
  }
  return sign * sum;
}

/** An exact cosine or sine in Q14: its floor, and how far above that it is. */
function exactQ14(heading: number): { floor: number; above: number } {
  const value = exactCosine(((heading % headingCount) + headingCount) % headingCount) * BigInt(one);
  const whole = value / scale - (value < 0n && value % scale !== 0n ? 1n : 0n);
  return { floor: Number(whole), above: Number(((value - whole * scale) * 10n ** 15n) / scale) / 1e15 };
}

const exact = Array.from({ length: headingCount }, (_, heading) => ({
  x: exactQ14(heading),
  y: exactQ14(heading - 900),
}));

test('every entry is the exact value rounded', () => {
  const wrong = exact.flatMap(({ x, y }, heading) => {
    const found = [table[2 * heading], table[2 * heading + 1]];
    const expected = [x, y].map(({ floor, above }) => floor + Number(above > 0.5));
    return found.join() === expected.join() ? [] : [{ heading, found, expected }];
  });
  expect(wrong).toEqual([]);
});

test('no entry lies within 1e-9 of a rounding boundary', () => {
  const margins = exact.flatMap(({ x, y }) => [x, y].map(({ above }) => Math.abs(above - 0.5)));
  expect(Math.min(...margins)).toBeGreaterThan(1e-9);
});

test('known entries', () => {
  const entry = (heading: number) => [...table.subarray(2 * heading, 2 * heading + 2)];
  expect(table).toHaveLength(2 * headingCount);
  expect([0, 900, 1800, 2700].map(entry)).toEqual([
    [16384, 0],
    [0, 16384],
    [-16384, 0],
    [0, -16384],
  ]);
  expect(entry(300)).toEqual([14189, 8192]);
  expect(entry(450)).toEqual([11585, 11585]);
  expect(entry(3599)).toEqual([16384, -29]);
});

test('the table has the symmetries of a circle, and every vector is 1 long to a rounding', () => {
  const wrong = Array.from({ length: headingCount }, (_, heading) => heading).filter((heading) => {
    const x = table[2 * heading]!;
    const y = table[2 * heading + 1]!;
    const quarter = 2 * ((heading + 900) % headingCount);
    const isTurned = table[quarter] === (-y | 0) && table[quarter + 1] === x;
    return !isTurned || Math.abs(Math.hypot(x, y) - one) > 0.71;
  });
  expect(wrong).toEqual([]);
});
