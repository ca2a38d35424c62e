// The greedy baseline against the published rule written out in full, known angles, and a whole route.
import { assert, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { actionCode, actionFromCode } from '../../../src/host/episodes/actions.ts';
import { greedyAction, greedyPolicy } from '../../../src/host/policies/greedy.ts';
import type { PolicyRequest } from '../../../src/host/policies/policy.ts';

/** Distance in cm and angle to the visual left, in degrees, of the seven markers (RT-SAFE protocol §3). */
const markers = [
  [100, 0],
  [200, 0],
  [200, 45],
  [200, -45],
  [400, 0],
  [400, 45],
  [400, -45],
] as const;

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

function turn(angle: number): number {
  const size = Math.abs(angle) > 75 ? 90 : Math.abs(angle) > 45 ? 60 : 30;
  return actionCode({ type: 'turn_around', param: `${angle > 0 ? 'L' : 'R'}${size}` });
}

/** RT-SAFE protocol §13a, clause by clause, with floats: the angle is to the left, wrapped. */
function publishedRule(angle: number, distanceCm: number): number {
  if (Math.abs(angle) > 20) return turn(angle);
  const scored = markers.map(([length, left], index) => {
    const off = radians(left - angle);
    const remaining = Math.hypot(distanceCm - length * Math.cos(off), length * Math.sin(off));
    return { marker: index + 1, keys: [Math.cos(off), length, distanceCm - remaining, -remaining] };
  });
  const [best] = scored.toSorted((first, second) => {
    const place = first.keys.findIndex((key, index) => key !== second.keys[index]);
    return place < 0 ? 0 : second.keys[place]! - first.keys[place]!;
  });
  const progress = Math.max(...scored.map(({ keys }) => keys[2]!));
  if (progress <= 0.001 && distanceCm > 250) return turn(angle);
  return actionCode({ type: 'move_to', param: best!.marker });
}

function agrees(x: number, y: number, yaw: number, dx: number, dy: number): void {
  if (dx === 0 && dy === 0) return;
  const bearing = (Math.atan2(dy, dx) * 180) / Math.PI;
  const wrapped = ((((yaw / 10 - bearing) % 360) + 540) % 360) - 180;
  const fromThreshold = [0, 20, 45, 75, 180].map((threshold) => Math.abs(Math.abs(wrapped) - threshold));
  if (Math.min(...fromThreshold.slice(1)) < 0.01) return;
  const expected = publishedRule(wrapped, Math.hypot(dx, dy) / 16);
  expect(greedyAction(x, y, yaw, x + dx, y + dy)).toBe(expected);
}

test('agrees with the published rule wherever that is not within 0.01° of a threshold', () => {
  const coordinate = integer({ min: -1_000_000, max: 1_000_000 });
  const near = integer({ min: -8000, max: 8000 });
  const heading = integer({ min: 0, max: 3599 });
  assert(property(coordinate, coordinate, heading, coordinate, coordinate, agrees), { numRuns: 3000 });
  assert(property(coordinate, coordinate, heading, near, near, agrees), { numRuns: 3000 });
});

test.each<[number, number, number, string | number]>([
  [0, 16_000, 0, 5],
  [0, 16_000, 16_000, 'R30'],
  [0, 16_000, 16_001, 'R60'],
  [0, 16_000, -16_000, 'L30'],
  [0, 0, 16_000, 'R90'],
  [0, 0, -16_000, 'L90'],
  [0, -16_000, 0, 'L90'],
  [2700, -16_000, 0, 'L90'],
  [2700, 16_000, 0, 'R90'],
  [3599, 16_000, 0, 5],
  [450, 100, 100, 5],
  [1234, 0, 0, 5],
])('heading %i, subgoal at (%i, %i): %s', (heading, dx, dy, expected) => {
  const { param } = actionFromCode(greedyAction(500, -700, heading, 500 + dx, -700 + dy));
  expect(param).toBe(expected);
});

test('coordinates at the ends of the i32 range stay exact', () => {
  const far = 2 ** 31 - 1;
  expect(greedyAction(-far, 0, 0, far, 0)).toBe(5);
  expect(greedyAction(-far, -far, 0, far, far)).toBe(actionCode({ type: 'turn_around', param: 'R30' }));
});

test('RT10 route 0: 12 moves, a turn by 90° to the left, 17 moves', () => {
  const subgoals = [
    [9300, -9300],
    [2595.7893, -9300],
  ].map(([x, y]) => [Math.round(x! * 16), Math.round(y! * 16)] as const);
  let [x, y, heading, subgoal] = [9300 * 16, Math.round(-4473.2925 * 16), 2700, 0];
  const actions: (string | number | null)[] = [];
  while (subgoal < subgoals.length && actions.length < 100) {
    const [subgoalX, subgoalY] = subgoals[subgoal]!;
    const action = actionFromCode(greedyAction(x, y, heading, subgoalX, subgoalY));
    actions.push(action.param);
    if (action.type === 'turn_around') {
      heading =
        (heading + 3600 + (action.param.startsWith('L') ? -10 : 10) * Number(action.param.slice(1))) % 3600;
    } else {
      expect(action).toEqual({ type: 'move_to', param: 5 });
      x += Math.round(6400 * Math.cos((heading * Math.PI) / 1800));
      y += Math.round(6400 * Math.sin((heading * Math.PI) / 1800));
    }
    if (Math.hypot(x - subgoalX, y - subgoalY) <= 250 * 16) subgoal++;
  }
  expect(actions).toEqual([...new Array(12).fill(5), 'L90', ...new Array(17).fill(5)]);
  expect([x / 16, Math.round(y / 16), heading]).toEqual([2500, -9273, 1800]);
});

test('4096 requests take a few milliseconds', async () => {
  const requests = Array.from({ length: 4096 }, (_, index): PolicyRequest => {
    const episode = { map: 'rt10', route: 0, seed: index, difficulty: 'hard', mode: 'realtime' } as const;
    const pose = { x: 37 * index, y: -91 * index, heading: index % 3600 };
    const subgoal = { subgoalX: 5000, subgoalY: -6000, isFinalSubgoal: false, edgeStartX: 0, edgeStartY: 0 };
    return { episode, decision: 1, clockCentiseconds: 0, ...pose, ...subgoal };
  });
  const times: number[] = [];
  for (let repeat = 0; repeat < 20; repeat++) {
    const start = performance.now();
    expect((await greedyPolicy.decide(requests)).length).toBe(4096);
    times.push(performance.now() - start);
  }
  expect(Math.min(...times)).toBeLessThan(5);
});
