// Pedestrians and dogs: walking, holding, pressing, patience, contact. The agent stands at (1000 cm, 0) = 16000 units.
import { describe, expect, test } from 'vitest';
import { intervals } from './contacts.ts';
import type { Actor } from './records.ts';
import { type TinyWorld, tinyEpisode, waitTicks } from './tinyWorld.ts';
import { moveWalkers } from './walkers.ts';

const there = [
  [0, 0],
  [5000, 0],
] as const;
const world: TinyWorld = {
  corners: [
    [1000, 0],
    [9000, 0],
  ],
  pedestrianPaths: [there],
  pedestrianCount: 2,
};
const humanActive = 0;

/** An episode whose walkers stand where the test puts them; the others are taken out. */
function episodeWith(walkers: Partial<Actor>[], rules = {}) {
  const episode = tinyEpisode(world, rules);
  episode.environment.pedestrians.forEach((pedestrian, index) => {
    const empty = { x: 0, y: 0, link: 0, along: 0, speed: 0, status: 0, timer: 0, mark: 0 };
    Object.assign(pedestrian, empty);
    const given = walkers[index];
    if (given === undefined) return;
    Object.assign(pedestrian, { speed: 160, status: 1, ...given });
    const axis = pedestrian.link === 0 ? pedestrian.x : 80000 - pedestrian.x;
    pedestrian.along = given.along ?? axis;
  });
  return { episode, state: episode.state, walkers: episode.environment.pedestrians };
}

describe('walking', () => {
  test('goes on along the path and turns into the next segment at its end', () => {
    const { episode, walkers } = episodeWith([{ x: 79700 }]);
    waitTicks(episode, 1);
    expect(walkers[0]).toMatchObject({ x: 79860, y: 0, link: 0, along: 79860 });
    waitTicks(episode, 1);
    expect(walkers[0]).toMatchObject({ x: 79980, link: 1, along: 20 });
  });

  test('reaching the length exactly is the next segment', () => {
    const { episode, walkers } = episodeWith([{ x: 79840 }]);
    waitTicks(episode, 1);
    expect(walkers[0]).toMatchObject({ x: 80000, link: 1, along: 0 });
  });

  test('an absent walker neither moves nor touches', () => {
    const { episode, state, walkers } = episodeWith([{ x: 16000, status: 0 }]);
    waitTicks(episode, 3);
    expect(walkers[0]).toMatchObject({ x: 16000, status: 0, timer: 0 });
    expect(state.incidents[humanActive]).toBe(0);
    expect(state.closeTicks).toEqual([0, 0, 0]);
  });
});

describe('pressing the agent', () => {
  test('stands, counts a contact with its impact, and counts again every contactRepeatTicks', () => {
    const { episode, state, walkers } = episodeWith([{ x: 14240 }]);
    waitTicks(episode, 1);
    expect(walkers[0]).toMatchObject({ x: 14240, status: 3, timer: 1, mark: 0 });
    expect([state.contacts[humanActive], state.incidents[humanActive]]).toEqual([1, 1]);
    expect([state.impactMaximum, state.impactSum]).toEqual([160, 160]);
    waitTicks(episode, 4);
    expect([state.contacts[humanActive], walkers[0]!.mark]).toEqual([1, 4]);
    waitTicks(episode, 1);
    expect([state.contacts[humanActive], walkers[0]!.mark]).toEqual([2, 5]);
    expect(state.incidents[humanActive]).toBe(1);
  });

  test('never counts again where the profile says so', () => {
    const { episode, state } = episodeWith([{ x: 14240 }], { contactRepeatTicks: 0 });
    waitTicks(episode, 19);
    expect([state.contacts[humanActive], state.incidents[humanActive]]).toEqual([1, 1]);
  });

  test('passes through after its patience, stops counting, and lets go 20 cm beyond contact', () => {
    const { episode, state, walkers } = episodeWith([{ x: 14240 }]);
    waitTicks(episode, 19);
    expect(walkers[0]).toMatchObject({ x: 14240, timer: 19 });
    waitTicks(episode, 1);
    expect(walkers[0]).toMatchObject({ x: 14240, timer: -30, mark: 19 });
    expect(state.contacts[humanActive]).toBe(1 + 3);
    waitTicks(episode, 1);
    expect(walkers[0]).toMatchObject({ x: 14400, timer: -29 });
    waitTicks(episode, 22);
    expect(walkers[0]).toMatchObject({ x: 17920, status: 3 });
    waitTicks(episode, 1);
    expect(walkers[0]).toMatchObject({ x: 18080, status: 1 });
    waitTicks(episode, 6);
    expect(walkers[0]).toMatchObject({ x: 19040, timer: 0 });
    expect([state.contacts[humanActive], state.incidents[humanActive]]).toEqual([4, 1]);
  });

  test('a walker that goes away from the agent is not held up by it', () => {
    const { episode, state, walkers } = episodeWith([{ x: 16500 }]);
    waitTicks(episode, 1);
    expect(walkers[0]).toMatchObject({ x: 16660, status: 3, timer: 0 });
    expect(state.impactMaximum).toBe(160);
  });

  test('the impact of a held walker is the agent speed alone', () => {
    const { episode, state, walkers } = episodeWith([{ x: 17500, link: 0, status: 5 }]);
    const agent = {
      before: { x: 16000, y: 0 },
      after: { x: 16000, y: 0 },
      intended: { x: 320, y: 0 },
      pressed: new Set([walkers[0]!]),
    };
    moveWalkers(episode.environment, agent, intervals.passive);
    expect(walkers[0]).toMatchObject({ x: 17500, timer: 1, status: 7 });
    expect([state.contacts[1], state.incidents[1], state.impactMaximum]).toEqual([1, 1, 320]);
    expect([state.decisionPassive, state.decisionContacts]).toEqual([1, 0]);
  });
});

describe('holding', () => {
  const held = 5;
  test('the walker behind holds, the one ahead goes', () => {
    const { episode, walkers } = episodeWith([{ x: 40000 }, { x: 44000 }]);
    waitTicks(episode, 1);
    expect(walkers[0]).toMatchObject({ x: 40000, status: held, timer: 1 });
    expect(walkers[1]).toMatchObject({ x: 44160, status: 1 });
  });

  test.each([
    ['too far ahead', { x: 44001 }],
    ['level', { x: 40000, y: 1600 }],
    ['too far to the side', { x: 41000, y: 1601 }],
  ])('nobody holds for a walker %s', (_, other) => {
    const { episode, walkers } = episodeWith([{ x: 40000 }, other]);
    waitTicks(episode, 1);
    expect(walkers[0]).toMatchObject({ x: 40160, status: 1 });
    expect(walkers[1]!.status).toBe(1);
  });

  test('face to face the lower index goes first', () => {
    const { episode, walkers } = episodeWith([{ x: 40000 }, { x: 42000, link: 1 }]);
    waitTicks(episode, 1);
    expect(walkers[0]).toMatchObject({ x: 40160, status: 1 });
    expect(walkers[1]).toMatchObject({ x: 42000, status: held });
  });

  test('is looked at only every fifth world tick, and kept in between', () => {
    const { episode, state, walkers } = episodeWith([{ x: 40000 }, { x: 41000 }]);
    state.worldTick = 1;
    waitTicks(episode, 4);
    expect(walkers[0]).toMatchObject({ x: 40640, status: 1 });
    waitTicks(episode, 1);
    expect(walkers[0]).toMatchObject({ x: 40640, status: held, timer: 1 });
    walkers[1]!.status = 0;
    waitTicks(episode, 4);
    expect(walkers[0]).toMatchObject({ x: 40640, timer: 5 });
    waitTicks(episode, 1);
    expect(walkers[0]).toMatchObject({ x: 40800, status: 1, timer: 0 });
  });

  test('a passing walker goes on though held', () => {
    const { episode, walkers } = episodeWith([{ x: 40000, timer: -3 }, { x: 41000 }]);
    waitTicks(episode, 1);
    expect(walkers[0]).toMatchObject({ x: 40160, status: held, timer: -2 });
  });
});

test('close ticks count each social distance once a tick, whoever is near', () => {
  const { episode, state } = episodeWith([
    { x: 16000 + 1600 + 720, y: 0, speed: 0 },
    { x: 16000 + 1600 + 1900, y: 0, speed: 0 },
  ]);
  waitTicks(episode, 1);
  expect(state.closeTicks).toEqual([1, 1, 1]);
  state.x -= 1;
  waitTicks(episode, 1);
  expect(state.closeTicks).toEqual([1, 2, 2]);
  state.x -= 1920 - 720;
  waitTicks(episode, 1);
  expect(state.closeTicks).toEqual([1, 2, 3]);
});

describe('a pose that is set (setPoseTouches 0)', () => {
  test('counts only walkers that press', () => {
    const beside = episodeWith([{ x: 16000 + 160, y: 0 }], { setPoseTouches: 0 });
    waitTicks(beside.episode, 3); // within contact distance, and walking away
    expect(beside.state.contacts[humanActive]).toBe(0);
    const ahead = episodeWith([{ x: 16000 - 1200, y: 0 }], { setPoseTouches: 0 });
    waitTicks(ahead.episode, 3);
    expect(ahead.state.contacts[humanActive]).toBe(1);
  });
});

describe('a dog', () => {
  const dogs: TinyWorld = {
    corners: [
      [1000, 0],
      [9000, 0],
    ],
    dogPaths: [
      [
        [3000, 400],
        [3000, 480],
      ],
    ],
  };

  test('runs to and fro for ever, or once', () => {
    const forever = tinyEpisode(dogs, { dogsRepeat: 1 });
    waitTicks(forever, 20);
    expect(forever.environment.dogs[0]).toMatchObject({ y: 6400 + 640, link: 0, along: 640 });
    const once = tinyEpisode(dogs, { dogsRepeat: 0 });
    waitTicks(once, 20);
    const [dog] = once.environment.dogs;
    // The last segment's last unit: the start of the way, but for that unit.
    expect(dog).toMatchObject({ link: 1, along: 1279, y: 6401 });
    expect(dog!.timer).toBe(0);
  });
});
