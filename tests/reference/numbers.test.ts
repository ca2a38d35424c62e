// Integer arithmetic against its definition, at the edges of its ranges.
import { expect, test } from 'vitest';
import { randomU32 } from '../../src/kernels/random.ts';
import {
  crossQ14,
  direction,
  divide,
  dotQ14,
  isqrt,
  mulQ14,
  packDirection,
  unpackDirection,
  within,
  wrapHeading,
} from './numbers.ts';

test.each([
  [-1, 8192, -1],
  [1, 8192, 0],
  [3, 5461, 0],
  [3, 5462, 1],
  [2147483647, 16384, 2147483647],
  [-2147483648, 16384, -2147483648],
  [2147483647, -16384, -2147483647],
  [16000, 11585, 11313],
])('mulQ14(%i, %i) = %i', (a, b, product) => {
  expect(mulQ14(a, b)).toBe(product);
});

test('mulQ14 is the floor of the exact product over 16384', () => {
  for (let counter = 0; counter < 5000; counter++) {
    const a = randomU32(1, 2, 3, counter) | 0;
    const b = (randomU32(4, 5, 6, counter) % 32769) - 16384;
    expect(mulQ14(a, b)).toBe(Number((BigInt(a) * BigInt(b)) >> 14n) | 0);
  }
});

test('yaw grows to the right: heading 900 faces +y, and +y lies at a positive cross product', () => {
  expect(direction(0)).toEqual({ x: 16384, y: 0 });
  expect(direction(900)).toEqual({ x: 0, y: 16384 });
  expect(direction(450)).toEqual({ x: 11585, y: 11585 });
  expect(dotQ14(100, 7, direction(0))).toBe(100);
  expect(crossQ14(100, 7, direction(0))).toBe(7);
  expect(crossQ14(100, 7, direction(900))).toBe(-100);
});

test.each([
  [3, 4, 5, true],
  [3, 4, 4, false],
  [5, 0, 5, true],
  [-6, 0, 5, false],
  [0, 0, 0, true],
  [0, 0, -1, false],
  [23170, 23170, 32767, false],
  [23169, 23169, 32767, true],
])('within(%i, %i, %i) is %s', (dx, dy, radius, expected) => {
  expect(within(dx, dy, radius)).toBe(expected);
});

test('division truncates towards zero and headings wrap', () => {
  expect([divide(-7, 2), divide(7, 2), divide(-1, 2)]).toEqual([-3, 3, 0]);
  expect([wrapHeading(-450), wrapHeading(3600), wrapHeading(4050)]).toEqual([3150, 0, 450]);
});

test('isqrt is the floor of the root up to the largest u32', () => {
  expect([0, 1, 3, 4, 24, 25, 4294836224, 4294836225, 4294967295].map(isqrt)).toEqual([
    0, 1, 1, 2, 4, 5, 65534, 65535, 65535,
  ]);
});

test('directions survive packing', () => {
  for (const heading of [0, 450, 900, 1234, 1800, 2700, 3599]) {
    expect(unpackDirection(packDirection(direction(heading)))).toEqual(direction(heading));
  }
});
