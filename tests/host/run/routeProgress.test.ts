// Net progress and stalls on a route of two edges, by hand: 10 m east, then 5 m north.
import { expect, test } from 'vitest';
import { RouteProgress } from '../../../src/host/run/routeProgress.ts';

const cm = 16;
const route = { points: Int32Array.of(0, 0, 1000 * cm, 0, 1000 * cm, 500 * cm) };

function after(...poses: [xCm: number, yCm: number, subgoal: number][]): RouteProgress {
  const progress = new RouteProgress(route);
  for (const [x, y, subgoal] of poses) progress.decision(x * cm, y * cm, subgoal);
  return progress;
}

test('at the start there is none', () => {
  expect(new RouteProgress(route).netCm()).toBe(0);
  expect(new RouteProgress(route).longestStall).toBe(0);
  expect(new RouteProgress(route).share()).toBe(0);
});

test('the way to go runs through the vertices that are left', () => {
  expect(after([400, 0, 1]).netCm()).toBe(400);
  // 300 m to the side: a triangle of 600, 300 and its long side.
  expect(after([400, 300, 1]).netCm()).toBeCloseTo(1000 - Math.sqrt(600 ** 2 + 300 ** 2), 2);
  // The vertex is passed at 200 from it: from there straight to the end, 200 by 500.
  expect(after([800, 0, 2]).netCm()).toBeCloseTo(1500 - Math.sqrt(200 ** 2 + 500 ** 2), 2);
  expect(after([800, 0, 2], [1000, 500, 2]).netCm()).toBe(1500);
  expect(after([1000, 500, 2]).share()).toBe(1);
});

test('backward motion counts against it, beyond the start too', () => {
  expect(after([400, 0, 1], [100, 0, 1]).netCm()).toBe(100);
  expect(after([-300, 0, 1]).netCm()).toBe(-300);
  expect(after([-300, 0, 1]).share()).toBe(0);
});

test('a stall is broken by 25 cm in one decision, not by less and not by turning', () => {
  expect(after([24, 0, 1], [48, 0, 1], [72, 0, 1]).longestStall).toBe(3);
  expect(after([25, 0, 1]).longestStall).toBe(0);
  expect(after([0, 0, 1], [0, 0, 1], [400, 0, 1], [400, 0, 1]).longestStall).toBe(2);
});

test('progress is measured to the subgoal that the decision began with', () => {
  // Reaching the vertex: 200 nearer to it, although the next one is farther off.
  expect(after([800, 0, 1], [1000, 0, 2]).longestStall).toBe(0);
  // Rolled back to the first edge: 100 away from the subgoal.
  expect(after([1000, 100, 2], [1000, 0, 1]).longestStall).toBe(1);
});
