// Falling objects, balls and boxes. The agent stands at (16000, 0), heading +x.
import { describe, expect, test } from 'vitest';
import { randomU32, uniformBelow } from '../../src/kernels/random.ts';
import { unpackDirection } from './numbers.ts';
import type { Rules } from './records.ts';
import { disc, type TinyWorld, tinyEpisode, waitTicks } from './tinyWorld.ts';

const corners: TinyWorld['corners'] = [
  [1000, 0],
  [9000, 0],
];
const objectActive = 2;
const stage = (status: number) => status >> 4;

function under(x: number, rules: Partial<Rules> = {}) {
  const episode = tinyEpisode({ corners, falling: [disc('falling', [x, 0], 20)] }, rules);
  return { episode, state: episode.state, object: episode.environment.falling[0]! };
}

describe('a falling object', () => {
  test('hangs until the agent is within the trigger distance', () => {
    const { episode, state, object } = under(1401);
    waitTicks(episode, 50);
    expect(object).toMatchObject({ status: 1, timer: 0, along: 8000 });
    state.x += 16;
    waitTicks(episode, 1);
    expect(stage(object.status)).toBe(1);
  });

  test('falls after its delay, hits below the height of the agent, and lands', () => {
    const { episode, state, object } = under(1000);
    const delay = 5 + uniformBelow(randomU32(12345, 6, 0, 0), 11);
    waitTicks(episode, 1);
    expect(object).toMatchObject({ status: 1 | (1 << 4), timer: delay });
    waitTicks(episode, delay - 1);
    expect(object).toMatchObject({ status: 1 | (1 << 4), timer: 1 });
    waitTicks(episode, 1);
    expect(object).toMatchObject({ status: 1 | (2 << 4), timer: 0, speed: 0, along: 8000 });
    // After k ticks it has fallen 157 k (k + 1) / 2: 4396, 5652, 7065, 8635.
    waitTicks(episode, 7);
    expect(object).toMatchObject({ along: 3604, speed: 1099 });
    expect(state.incidents[objectActive]).toBe(0);
    waitTicks(episode, 1);
    expect(object).toMatchObject({ along: 2348, status: 3 | (2 << 4) });
    expect([state.contacts[objectActive], state.incidents[objectActive]]).toEqual([1, 1]);
    waitTicks(episode, 1);
    expect(object).toMatchObject({ along: 935, status: 3 | (2 << 4) });
    waitTicks(episode, 1);
    expect(object).toMatchObject({ along: 0, speed: 0, status: 3 | (3 << 4) });
    waitTicks(episode, 5);
    expect([state.contacts[objectActive], state.incidents[objectActive]]).toEqual([1, 1]);
  });

  test('lets go 20 cm beyond contact and touches again', () => {
    const { episode, state, object } = under(1000);
    object.status = 1 | (3 << 4);
    object.along = 0;
    state.x = 16000 + 800;
    waitTicks(episode, 1);
    expect(object.status & 2).toBe(2);
    state.x = 16000 + 1120;
    waitTicks(episode, 1);
    expect(object.status & 2).toBe(2);
    state.x = 16000 + 1121;
    waitTicks(episode, 1);
    expect(object.status & 2).toBe(0);
    state.x = 16000 + 801;
    waitTicks(episode, 1);
    expect(object.status & 2).toBe(0);
    state.x = 16000 + 800;
    waitTicks(episode, 1);
    expect(state.incidents[objectActive]).toBe(2);
  });
});

function near(kind: 'ball' | 'box', status: number, rules: Partial<Rules> = {}) {
  const episode = tinyEpisode(
    { corners, shapes: [disc(kind, [1100, 0], 10)], props: [0] },
    { contactPenaltyTicks: 0, ...rules },
  );
  const prop = episode.environment.props[0]!;
  prop.status = status;
  return { episode, state: episode.state, prop };
}

describe('balls and boxes', () => {
  const movable = 5;
  const fixed = 1;

  test('a movable ball rolls the way the agent faces, slower each tick', () => {
    const { episode, state, prop } = near('ball', movable);
    state.x = 17600 - 801;
    waitTicks(episode, 1);
    expect(prop).toMatchObject({ x: 17600, speed: 0, status: movable });
    state.x = 17600 - 800;
    state.heading = 900;
    waitTicks(episode, 1);
    expect(prop).toMatchObject({ x: 17600, y: 0, speed: 480, status: movable | 2 });
    expect(unpackDirection(prop.timer)).toEqual({ x: 0, y: 16384 });
    waitTicks(episode, 1);
    expect(prop).toMatchObject({ x: 17600, y: 480, speed: 464, status: movable | 2 });
    // 480 + 464 = 944 to the side at 800 ahead: beyond 800 + 320.
    waitTicks(episode, 1);
    expect(prop).toMatchObject({ y: 944, speed: 448, status: movable });
    expect([state.contacts[objectActive], state.incidents[objectActive]]).toEqual([1, 1]);
    // 480 + 464 + ... + 16 = 16 · 30 · 31 / 2
    waitTicks(episode, 40);
    expect(prop).toMatchObject({ y: 7440, speed: 0 });
  });

  test('a box is touched at agent radius + box radius, and its speed stops at 0', () => {
    const { episode, state, prop } = near('box', movable, { frictionBox: 70 });
    state.x = 17600 - 1121;
    waitTicks(episode, 1);
    expect(prop.status).toBe(movable);
    state.x = 17600 - 1120;
    waitTicks(episode, 1);
    expect(prop).toMatchObject({ speed: 160, status: movable | 2 });
    // 160 + 90 + 20
    waitTicks(episode, 10);
    expect(prop).toMatchObject({ x: 17870, speed: 0 });
    expect(state.incidents[objectActive]).toBe(1);
  });

  test('one that is not movable is touched but stays', () => {
    for (const kind of ['ball', 'box'] as const) {
      const { episode, state, prop } = near(kind, fixed);
      episode.decide(2, 0);
      expect(state.x).toBe(19200);
      expect(prop).toMatchObject({ x: 17600, y: 0, speed: 0, timer: 0 });
      expect([state.contacts[objectActive], state.incidents[objectActive]]).toEqual([1, 1]);
    }
  });

  test('a push in a move gives the heading of the move', () => {
    const { episode, prop, state } = near('ball', movable);
    state.y = -800;
    episode.decide(4, 0);
    expect(unpackDirection(prop.timer)).toEqual({ x: 11585, y: 11585 });
  });
});
