import { expect, test } from 'vitest';
import {
  directionTable,
  headingAlong,
  headingCount,
  packDirection,
  packedDirectionAlong,
} from '../../src/kernels/directions.ts';

const table = directionTable();

test('the axes are exact', () => {
  const headings = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ].map(([x, y]) => headingAlong(4827 * x!, 4827 * y!, table));
  expect(headings).toEqual([0, 900, 1800, 2700]);
  expect(headingAlong(0, 0, table)).toBe(0);
});

test('every heading of the table is found again, and the nearest one for anything between', () => {
  for (let heading = 0; heading < headingCount; heading++) {
    expect(headingAlong(table[2 * heading]!, table[2 * heading + 1]!, table)).toBe(heading);
  }
  for (let step = 0; step < 500; step++) {
    const degrees = (step * 137.508) % 360;
    const radians = (degrees * Math.PI) / 180;
    const found = headingAlong(1e5 * Math.cos(radians), 1e5 * Math.sin(radians), table);
    const difference = Math.abs(found / 10 - degrees);
    expect(Math.min(difference, 360 - difference)).toBeLessThan(0.055);
  }
});

test('packed directions are unit vectors with x in the low half', () => {
  expect(packedDirectionAlong(-5, 0)).toBe(packDirection(-16384, 0));
  expect(packedDirectionAlong(0, 0)).toBe(packDirection(16384, 0));
  expect(packDirection(-1, 2)).toBe(0x0002ffff);
});
