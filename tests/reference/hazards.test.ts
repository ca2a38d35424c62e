// Trip, oil and water patches met by moves of 200 cm = 3200 units from (16000, 0), 320 a tick.
import { describe, expect, test } from 'vitest';
import type { Rules } from './records.ts';
import { allClasses, disc, tinyEpisode } from './tinyWorld.ts';

type Patch = readonly ['trip' | 'oil' | 'water', x: number, y?: number];
const move200 = 2;
const corners = [
  [1000, 0],
  [9000, 0],
] as const;

function among(patches: readonly Patch[], rules: Partial<Rules> = {}, request = {}) {
  const shapes = patches.map(([kind, x, y]) => disc(kind, [x, y ?? 0], 1));
  const episode = tinyEpisode({ corners, shapes }, rules, request);
  return { episode, state: episode.state };
}

describe('one class a decision', () => {
  test('a trip on the way counts and costs time', () => {
    const { episode, state } = among([['trip', 1100]]);
    episode.decide(move200, 0);
    expect(state.hazards).toEqual([1, 0, 0]);
    expect(state).toMatchObject({
      worldTick: 10 + 50,
      clockCentiseconds: 600,
      decisionTrips: 1,
      hazardMask: 1,
    });
    expect(state).toMatchObject({ hazardKind: 1, hazardX: 19200, hazardY: 0 });
  });

  test('only at the end pose where patches are not swept', () => {
    const { episode, state } = among(
      [
        ['trip', 1100],
        ['water', 1200, 70],
      ],
      { hazardSwept: 0 },
    );
    episode.decide(move200, 0);
    expect(state.hazards).toEqual([0, 0, 1]);
  });

  test('each class has its half width', () => {
    const trip = among([['trip', 1200, 50.0625]]);
    trip.episode.decide(move200, 0);
    expect(trip.state.hazards).toEqual([0, 0, 0]);
    const oil = among([['oil', 1200, 60]]);
    oil.episode.decide(move200, 0);
    expect(oil.state.hazards).toEqual([0, 1, 0]);
    const water = among([['water', 1200, 70.0625]]);
    water.episode.decide(move200, 0);
    expect(water.state.hazards).toEqual([0, 0, 0]);
  });

  test('of several classes the lowest counts', () => {
    const { episode, state } = among([
      ['water', 1100],
      ['oil', 1150],
      ['trip', 1180],
    ]);
    episode.decide(move200, 0);
    expect(state).toMatchObject({ hazards: [1, 0, 0], hazardMask: 7, hazardKind: 1, slow: 0 });
  });

  test('the latch holds for its class within 450 cm, and re-arms beyond', () => {
    const { episode, state } = among([
      ['trip', 1200],
      ['trip', 1400],
      ['trip', 1800],
    ]);
    episode.decide(move200, 0);
    episode.decide(move200, 0);
    expect(state).toMatchObject({ hazards: [1, 0, 0], x: 22400, hazardX: 19200, decisionTrips: 0 });
    episode.decide(move200, 0);
    episode.decide(move200, 0);
    expect(state).toMatchObject({ hazards: [2, 0, 0], x: 28800, hazardX: 28800 });
  });

  test('another class counts at once and takes the latch over', () => {
    const { episode, state } = among([
      ['trip', 1150],
      ['oil', 1400],
      ['trip', 1600],
    ]);
    episode.decide(move200, 0);
    episode.decide(move200, 0);
    expect(state).toMatchObject({ hazards: [1, 1, 0], hazardKind: 2, slow: 1 });
    episode.decide(move200, 0);
    expect(state).toMatchObject({ hazards: [2, 1, 0], hazardKind: 1 });
  });

  test('a class that its latch suppresses still hides a higher one', () => {
    const { episode, state } = among([
      ['trip', 1200],
      ['oil', 1400],
    ]);
    episode.decide(move200, 0);
    episode.decide(move200, 0);
    expect(state).toMatchObject({ hazards: [1, 0, 0], hazardMask: 3, hazardKind: 1, slow: 0 });
  });

  test('turns and waits in a patch meet nothing', () => {
    const { episode, state } = among([['trip', 1000]]);
    episode.decide(14, 0);
    episode.decide(9, 0);
    expect(state.hazards).toEqual([0, 0, 0]);
  });

  test('nor does anything where the class is off', () => {
    const { episode, state } = among([['trip', 1100]], {}, { classes: allClasses - 16 });
    episode.decide(move200, 0);
    expect(state).toMatchObject({ hazards: [0, 0, 0], hazardMask: 0 });
  });
});

test('oil makes the next move take twice as long, and only that', () => {
  const { episode, state } = among([['oil', 1100]]);
  episode.decide(move200, 0);
  expect(state).toMatchObject({ slow: 1, worldTick: 10, hazards: [0, 1, 0] });
  episode.decide(14, 0);
  expect(state).toMatchObject({ slow: 1, worldTick: 20 });
  episode.decide(move200, 0);
  expect(state).toMatchObject({ slow: 0, worldTick: 40, x: 22400, moveTicks: 20 });
  episode.decide(move200, 0);
  expect(state).toMatchObject({ worldTick: 50, x: 25600, moveTicks: 10 });
});

describe('every entry', () => {
  const everyEntry = { hazardOncePerDecision: 0 };

  test('counts, also twice in one move, and each trip costs time', () => {
    const { episode, state } = among(
      [
        ['trip', 1060],
        ['trip', 1180],
        ['oil', 1180],
      ],
      everyEntry,
    );
    episode.decide(move200, 0);
    expect(state).toMatchObject({ hazards: [2, 1, 0], decisionTrips: 2, decisionOil: 1, slow: 1 });
    expect(state).toMatchObject({ worldTick: 10 + 100, hazardKind: 0, hazardMask: 0 });
  });

  test('starting inside is no entry', () => {
    const { episode, state } = among([['trip', 1000]], everyEntry);
    episode.decide(move200, 0);
    expect(state.hazards).toEqual([0, 0, 0]);
  });

  test('compares the end pose with the start of the move where patches are not swept', () => {
    const { episode, state } = among(
      [
        ['trip', 1100],
        ['water', 1200],
      ],
      { ...everyEntry, hazardSwept: 0 },
    );
    episode.decide(move200, 0);
    expect(state.hazards).toEqual([0, 0, 1]);
    const inside = among([['water', 1050]], { ...everyEntry, hazardSwept: 0 });
    inside.episode.decide(1, 0);
    expect(inside.state.hazards).toEqual([0, 0, 0]);
  });
});
