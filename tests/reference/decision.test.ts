// Decisions: clocks, durations, progress along the route, penalties, rollback, wedge, outcomes.
import { describe, expect, test } from 'vitest';
import { restoreCheckpoint, saveCheckpoint } from './checkpoint.ts';
import { isInCorridor, isReached } from './corridor.ts';
import type { EnvState, Rules } from './records.ts';
import { building, disc, strip, type TinyWorld, tinyEpisode } from './tinyWorld.ts';

const straight: TinyWorld = {
  corners: [
    [1000, 0],
    [9000, 0],
  ],
};

function realtime() {
  const episode = tinyEpisode(straight, {}, { mode: 1 });
  return { state: episode.state, decide: episode.decide.bind(episode) };
}

describe('clocks', () => {
  test('hundredths that do not fill a tick are carried', () => {
    const { state, ...episode } = realtime();
    episode.decide(0, 123);
    expect(state).toMatchObject({ clockCentiseconds: 123, worldTick: 12, carryCentiseconds: 3 });
    episode.decide(0, 47);
    expect(state).toMatchObject({ clockCentiseconds: 170, worldTick: 17, carryCentiseconds: 0 });
    episode.decide(0, 9);
    expect(state).toMatchObject({ clockCentiseconds: 179, worldTick: 17, carryCentiseconds: 9 });
    expect(state).toMatchObject({ exposureCentiseconds: 179, decisions: 3, status: 1 });
  });

  test('a static world waits for the thought, and only notes it', () => {
    const episode = tinyEpisode(straight);
    episode.decide(14, 123);
    expect(episode.state).toMatchObject({ clockCentiseconds: 100, worldTick: 10, carryCentiseconds: 0 });
    expect(episode.state.exposureCentiseconds).toBe(123);
  });

  test.each([
    [0, 0, 16000, 0, 0],
    [1, 5, 17600, 0, 0],
    [2, 10, 19200, 0, 0],
    [3, 10, 18262, -2263, 3150],
    [4, 10, 18262, 2262, 450],
    [5, 20, 22400, 0, 0],
    [6, 20, 20525, -4526, 3150],
    [7, 20, 20525, 4525, 450],
    [8, 10, 16000, 0, 3300],
    [9, 10, 16000, 0, 3000],
    [10, 10, 16000, 0, 2700],
    [11, 10, 16000, 0, 300],
    [12, 10, 16000, 0, 600],
    [13, 10, 16000, 0, 900],
    [14, 10, 16000, 0, 0],
    [15, 20, 16000, 0, 0],
    [16, 30, 16000, 0, 0],
    [17, 0, 16000, 0, 0],
  ])('action %i takes %i ticks to (%i, %i), heading %i', (action, ticks, x, y, heading) => {
    const episode = tinyEpisode(straight);
    episode.decide(action, 0);
    expect(episode.state).toMatchObject({ worldTick: ticks, clockCentiseconds: ticks * 10, x, y, heading });
    expect(episode.state.action).toBe(action > 16 ? 0 : action);
  });

  test('a wait leaves the fields of the last move as they are', () => {
    const episode = tinyEpisode(straight);
    episode.decide(2, 0);
    episode.decide(14, 0);
    expect(episode.state).toMatchObject({ moveTick: 10, moveTicks: 10, moveStop: 10, moveTargetX: 19200 });
    expect(episode.state.travelled).toBe(3200);
  });
});

describe('reaching', () => {
  const crossed: TinyWorld = {
    corners: [
      [0, 0],
      [2000, 0],
      [3400, 0],
      [6000, 0],
      [6000, 3000],
    ],
    edgeKinds: ['sidewalk', 'crosswalk', 'sidewalk', 'sidewalk'],
  };

  test('a joint of a crosswalk is a rectangle, any other a circle', () => {
    const { environment: env } = tinyEpisode(crossed);
    const near = (subgoal: number, x: number, y: number) => isReached(env, subgoal, { x, y });
    expect(near(1, 32000 - 4000, 3360)).toBe(true);
    expect(near(1, 32000 + 4001, 0)).toBe(false);
    expect(near(1, 32000, -3361)).toBe(false);
    expect(near(2, 54400 + 4000, -3360)).toBe(true);
    expect(near(3, 96000 - 4000, 0)).toBe(true);
    expect(near(3, 96000 - 4000, 1)).toBe(false);
    expect(near(3, 96000, 4000)).toBe(true);
    expect(near(4, 96000, 48000 - 4000)).toBe(true);
  });

  test('the corridor is the active edge with 1 % beyond its ends, or its joints', () => {
    const { environment: env, state } = tinyEpisode(crossed);
    const inside = (x: number, y: number) => isInCorridor(env, { x, y });
    expect([inside(-320, 3200), inside(-321, 0), inside(1000, 3201)]).toEqual([true, false, false]);
    expect([inside(36000, 3360), inside(36001, 0)]).toEqual([true, false]);
    state.subgoal = 3;
    // Edge 2 runs from 54400 to 96000; 416 is 1 % of it. Behind it, joint 2 reaches back by 4000.
    expect([inside(54400 - 4000, 3360), inside(54400 - 4001, 0)]).toEqual([true, false]);
    expect([inside(60000, 3200), inside(60000, 3201)]).toEqual([true, false]);
  });

  test('one subgoal a decision, at its end, and not by a decision without an action', () => {
    const episode = tinyEpisode(crossed);
    episode.state.x = 32000;
    episode.decide(0, 0);
    expect(episode.state.subgoal).toBe(1);
    episode.decide(14, 0);
    expect(episode.state.subgoal).toBe(2);
    episode.decide(14, 0);
    expect(episode.state.subgoal).toBe(2);
  });

  test('the last subgoal ends the episode with success', () => {
    const episode = tinyEpisode(crossed);
    Object.assign(episode.state, { x: 96000, y: 43000, subgoal: 4, heading: 900 });
    episode.decide(1, 0);
    expect(episode.state).toMatchObject({ arrived: 1, outcome: 1, status: 5, subgoal: 4 });
  });
});

describe('the budget', () => {
  test('ends the episode after maxDecisions', () => {
    const episode = tinyEpisode(straight, {}, { maxDecisions: 2 });
    episode.decide(0, 0);
    expect(episode.state).toMatchObject({ status: 1, outcome: 0 });
    episode.decide(0, 0);
    expect(episode.state).toMatchObject({ status: 5, outcome: 4 });
    expect(() => episode.decide(0, 0)).toThrow('done');
  });

  test('arriving with the last decision is a success', () => {
    const episode = tinyEpisode(straight, {}, { maxDecisions: 1 });
    episode.state.x = 144000;
    episode.decide(14, 0);
    expect(episode.state.outcome).toBe(1);
  });
});

function touchedWhileThinking(firstPlanning: number) {
  const world: TinyWorld = {
    ...straight,
    pedestrianPaths: [
      [
        [0, 0],
        [5000, 0],
      ],
    ],
    pedestrianCount: 1,
  };
  const episode = tinyEpisode(world, { firstPlanning }, { mode: 1 });
  const walker = { x: 14240, y: 0, link: 0, along: 14240, speed: 160, status: 1 };
  Object.assign(episode.environment.pedestrians[0]!, walker);
  episode.decide(0, 100);
  return episode;
}

describe('the first thought', () => {
  test('is passive where the profile counts it, and a passive contact costs nothing', () => {
    const { state } = touchedWhileThinking(1);
    expect([state.contacts[0], state.contacts[1], state.incidents[1]]).toEqual([0, 2, 1]);
    expect(state).toMatchObject({ decisionPassive: 2, decisionContacts: 0, worldTick: 10 });
  });

  test('surfaces as active where the profile does not', () => {
    const { state } = touchedWhileThinking(0);
    expect([state.contacts[1], state.incidents[0]]).toEqual([0, 1]);
    // Six seconds of penalty follow; a walker presses on for 20 ticks: repeats at 5, 10, 15.
    expect(state).toMatchObject({ worldTick: 70, decisionContacts: 4, decisionPassive: 0 });
    expect(state.contacts[0]).toBe(4);
  });

  test('is the first only', () => {
    const episode = touchedWhileThinking(0);
    const walker = { x: 14240, y: 0, link: 0, along: 14240, speed: 160, status: 1, timer: 0 };
    Object.assign(episode.environment.pedestrians[0]!, walker);
    episode.decide(0, 10);
    expect([episode.state.contacts[1], episode.state.incidents[1]]).toEqual([1, 1]);
  });
});

describe('a checkpoint', () => {
  test('is kept after a decision without contact', () => {
    const episode = tinyEpisode(straight);
    episode.decide(4, 0);
    expect(episode.state).toMatchObject({ checkpointX: 18262, checkpointY: 2262, checkpointHeading: 450 });
  });

  test('is not kept after one with a contact', () => {
    const episode = tinyEpisode({ ...straight, shapes: [disc('furniture', [1100, 0], 30)] });
    episode.decide(2, 0);
    expect(episode.state).toMatchObject({ x: 19200, checkpointX: 16000, worldTick: 10 + 60 });
  });

  test('is not kept after one with a passive contact', () => {
    const world: TinyWorld = { ...straight, shapes: [disc('ball', [1040, 0], 10)], props: [0] };
    const episode = tinyEpisode(world, {}, { mode: 1 });
    episode.environment.props[0]!.status = 1;
    episode.decide(4, 100);
    expect(episode.state).toMatchObject({ decisionPassive: 1, decisionContacts: 0, checkpointX: 16000 });
  });
});

test('a checkpoint gives back the pose, the subgoal and every latch', () => {
  const { state } = tinyEpisode(straight);
  const kept = { x: 1, y: 2, heading: 3, subgoal: 4, jaywalking: 5, admitted: 6, illegal: 7 };
  const latches = { hazardKind: 8, hazardX: 9, hazardY: 10 };
  Object.assign(state, kept, latches);
  saveCheckpoint(state);
  const names = ['X', 'Y', 'Heading', 'Subgoal', 'Jaywalking', 'Admitted', 'Illegal'];
  const hazardNames = ['HazardKind', 'HazardX', 'HazardY'];
  const values = [...names, ...hazardNames].map((name) => state[`checkpoint${name}` as keyof EnvState]);
  expect(values).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  for (const name of Object.keys({ ...kept, ...latches })) Object.assign(state, { [name]: 99 });
  restoreCheckpoint(state);
  expect(state).toMatchObject({ ...kept, ...latches });
});

describe('a building', () => {
  const walled: TinyWorld = { ...straight, shapes: [building([1125, -500], 500, 1000)] };

  test('sends the agent back to its checkpoint with all latches, and takes an arrival back', () => {
    const episode = tinyEpisode({
      ...walled,
      corners: [
        [1000, 0],
        [1200, 0],
      ],
    });
    Object.assign(episode.state, { jaywalking: 1, hazardKind: 3, hazardX: 7, hazardY: 8 });
    Object.assign(episode.state, { checkpointX: 15000, checkpointY: 10, checkpointHeading: 3599 });
    episode.decide(2, 0);
    expect(episode.state).toMatchObject({
      x: 15000,
      y: 10,
      heading: 3599,
      subgoal: 1,
      outcome: 0,
      arrived: 0,
    });
    expect(episode.state).toMatchObject({ jaywalking: 0, hazardKind: 0, hazardX: 0, hazardY: 0 });
    expect(episode.state).toMatchObject({ buildingStreak: 1, worldTick: 10 + 60 + 30, trailCount: 0 });
    expect(episode.state).toMatchObject({ checkpointX: 15000, travelled: 3200 });
  });

  test('three decisions in a row end the episode; any other decision breaks the row', () => {
    const episode = tinyEpisode(walled);
    episode.decide(2, 0);
    episode.decide(2, 0);
    expect(episode.state).toMatchObject({ buildingStreak: 2, status: 1, x: 16000 });
    episode.decide(0, 0);
    expect(episode.state.buildingStreak).toBe(0);
    episode.decide(2, 0);
    episode.decide(2, 0);
    expect(episode.state).toMatchObject({ buildingStreak: 2, status: 1 });
    episode.decide(2, 0);
    expect(episode.state).toMatchObject({ buildingStreak: 3, status: 5, outcome: 3 });
    // The recovery is lived through all the same: five times 100 ticks.
    expect(episode.state.worldTick).toBe(500);
  });
});

describe('a wedge', () => {
  // Off the route at y 6400, right before a box that cannot be pushed: the first step is refused.
  const stuck: TinyWorld = { ...straight, shapes: [disc('box', [1075, 400], 40)], props: [0] };
  const noPenalty: Partial<Rules> = { contactPenaltyTicks: 0 };

  function stuckEpisode() {
    const episode = tinyEpisode(stuck, noPenalty);
    episode.environment.props[0]!.status = 1;
    episode.state.y = 6400;
    return episode;
  }

  test('after wedgeLimit moves that led nowhere goes back to the newest place 300 cm away', () => {
    const episode = stuckEpisode();
    const { state } = episode;
    state.trail[0] = { x: 1000, y: 2000, heading: 30, subgoal: 1 };
    state.trail[1] = { x: 16000 - 4800, y: 6400, heading: 900, subgoal: 1 };
    state.trail[2] = { x: 16000 - 4799, y: 6400, heading: 0, subgoal: 1 };
    state.trailCount = 3;
    episode.decide(2, 0);
    episode.decide(14, 0);
    episode.decide(2, 0);
    expect(state).toMatchObject({ wedgeStreak: 2, x: 16000, worldTick: 30 });
    episode.decide(2, 0);
    expect(state).toMatchObject({
      wedgeStreak: 0,
      x: 11200,
      y: 6400,
      heading: 900,
      worldTick: 60,
      trailCount: 3,
    });
    expect([state.contacts[2], state.incidents[2]]).toEqual([3, 1]);
  });

  test('without such a place the agent stays, and the time is spent all the same', () => {
    const episode = stuckEpisode();
    for (let count = 0; count < 3; count++) episode.decide(2, 0);
    expect(episode.state).toMatchObject({ wedgeStreak: 0, x: 16000, worldTick: 50 });
  });

  test('a move of 20 cm breaks the row', () => {
    const episode = stuckEpisode();
    episode.decide(2, 0);
    episode.decide(2, 0);
    episode.state.x = 16000 - 320;
    episode.decide(2, 0);
    expect(episode.state).toMatchObject({ x: 16000, wedgeStreak: 0 });
  });

  test('is not looked for after a contact with a building', () => {
    const wall = building([1035, 0], 500, 1000);
    const episode = tinyEpisode({ ...straight, shapes: [wall] }, { ...noPenalty, wedgeLimit: 1 });
    Object.assign(episode.state, { y: 6400, wedgeStreak: 0 });
    episode.decide(2, 0);
    expect(episode.state).toMatchObject({ travelled: 0, decisionBuilding: 1, wedgeStreak: 0, worldTick: 40 });
  });

  test('the trail is a ring of 40 ends of free moves', () => {
    const episode = tinyEpisode({
      corners: [
        [0, 0],
        [90000, 0],
      ],
    });
    for (let count = 0; count < 41; count++) episode.decide(1, 0);
    expect(episode.state).toMatchObject({ trailCount: 41 });
    expect(episode.state.trail[0]).toEqual({ x: 41 * 1600, y: 0, heading: 0, subgoal: 1 });
    expect(episode.state.trail[1]).toEqual({ x: 2 * 1600, y: 0, heading: 0, subgoal: 1 });
    episode.decide(8, 0);
    episode.decide(14, 0);
    expect(episode.state.trailCount).toBe(41);
  });

  test('the newest entry of a full ring comes first', () => {
    const episode = stuckEpisode();
    const { state } = episode;
    for (const [index, entry] of state.trail.entries()) Object.assign(entry, { x: index, y: 0, subgoal: 1 });
    state.trailCount = 41;
    for (let count = 0; count < 3; count++) episode.decide(2, 0);
    expect(state.x).toBe(0);
  });

  test('a trail entry has the subgoal after the reach test', () => {
    const episode = tinyEpisode({
      corners: [
        [0, 0],
        [300, 0],
        [9000, 0],
      ],
    });
    episode.decide(2, 0);
    expect(episode.state.trail[0]).toMatchObject({ x: 3200, subgoal: 2 });
  });
});

test('a decision samples the crossing before the thought, on any action', () => {
  const world: TinyWorld = {
    ...straight,
    shapes: [strip('crosswalk', [900, 0], [2300, 0], 210, 1)],
  };
  const episode = tinyEpisode(world, {}, { mode: 1 });
  episode.decide(0, 0);
  expect(episode.state.violations[0]).toBe(1);
});
