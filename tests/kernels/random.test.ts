// The random numbers every part draws from: exact values, range, and the quality of the keyed permutation.
import { expect, test } from 'vitest';
import { pcg, permutedRank, randomU32, uniformBelow } from '../../src/kernels/random.ts';

/** PCG-RXS-M-XS written with big integers, straight from its definition. */
function pcgWithBigIntegers(value: number): number {
  const state = (BigInt(value) * 747796405n + 2891336453n) & 0xffffffffn;
  const word = (((state >> ((state >> 28n) + 4n)) ^ state) * 277803737n) & 0xffffffffn;
  return Number((word >> 22n) ^ word);
}

test('pcg agrees with its definition over the u32 range', () => {
  expect(pcg(0)).toBe(129708002);
  expect(pcg(1)).toBe(2831084092);
  expect(pcg(0xffffffff)).toBe(3861530882);
  for (let step = 0; step < 2000; step++) {
    const value = (step * 2147483629) >>> 0;
    expect(pcg(value)).toBe(pcgWithBigIntegers(value));
  }
});

test('randomU32 nests the hash over seed, purpose, entity and counter', () => {
  expect(randomU32(1, 2, 3, 4)).toBe(1787075052);
  expect(randomU32(1, 2, 3, 4)).toBe(pcg((4 + pcg((3 + pcg((2 + pcg(1)) >>> 0)) >>> 0)) >>> 0));
  const last = 0xffffffff;
  expect(randomU32(last, last, last, last)).toBeGreaterThanOrEqual(0);
});

test('uniformBelow stays in range at both ends and is even', () => {
  for (const count of [1, 2, 3, 8, 13, 3601, 65535]) {
    expect(uniformBelow(0, count)).toBe(0);
    expect(uniformBelow(0xffffffff, count)).toBe(count - 1);
  }
  const tally = new Array<number>(8).fill(0);
  for (let counter = 0; counter < 80_000; counter++) tally[uniformBelow(randomU32(7, 1, 0, counter), 8)]!++;
  for (const seen of tally) expect(Math.abs(seen - 10_000)).toBeLessThan(500);
});

test.each([1, 2, 3, 4, 5, 7, 8, 16, 26, 100, 520, 1000, 4097])(
  'permutedRank is a bijection of [0, %i)',
  (count) => {
    for (const key of [0, 1, 2, 12345, 0xffffffff]) {
      const ranks = Array.from({ length: count }, (_, index) => permutedRank(index, count, key));
      expect(Math.min(...ranks)).toBe(0);
      expect(Math.max(...ranks)).toBe(count - 1);
      expect(new Set(ranks).size).toBe(count);
    }
  },
);

test('permutedRank works at its largest count', () => {
  const count = 2 ** 31;
  const ranks = [0, 1, 2, count - 1].map((index) => permutedRank(index, count, 99));
  expect(new Set(ranks).size).toBe(4);
  for (const rank of ranks) expect(rank).toBeLessThan(count);
});

test.each([3, 4, 6, 8, 10, 13])('permutedRank shuffles evenly: pairs of ranks out of %i', (count) => {
  const keys = 40_000;
  const cells = count * (count - 1);
  for (const [first, second] of [
    [0, 1],
    [1, 2],
    [0, count - 1],
  ] as const) {
    const tally = new Map<number, number>();
    for (let key = 0; key < keys; key++) {
      const cell = permutedRank(first, count, key) * count + permutedRank(second, count, key);
      tally.set(cell, (tally.get(cell) ?? 0) + 1);
    }
    expect(tally.size).toBe(cells);
    const expected = keys / cells;
    let chiSquare = 0;
    for (const seen of tally.values()) chiSquare += (seen - expected) ** 2 / expected;
    expect((chiSquare - (cells - 1)) / Math.sqrt(2 * (cells - 1))).toBeLessThan(5);
  }
});
