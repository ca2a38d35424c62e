// Conflict vehicles: where they are launched, when they drive, what they hit. They go 720 units a tick.
import { describe, expect, test } from 'vitest';
import { randomU32, uniformBelow } from '../../src/kernels/random.ts';
import { launchForJaywalk, launchForRedLight } from './launch.ts';
import { direction, packDirection, unpackDirection } from './numbers.ts';
import { sweptWithin } from './sweptDistance.ts';
import { strip, type TinyWorld, tinyEpisode, waitTicks } from './tinyWorld.ts';

const seed = 12345;
const staged = 1;
const driving = 2;
const vehicleActive = 6;

const world: TinyWorld = {
  corners: [
    [0, 700],
    [10000, 700],
  ],
  shapes: [
    strip('road', [0, 0], [10000, 0], 600),
    strip('road', [5000, -5000], [5000, 5000], 600),
    strip('crosswalk', [2000, -700], [2000, 700], 210, 2),
  ],
};

/** Distance of launch number n, in units. */
function launchDistance(n: number): number {
  return (300 + uniformBelow(randomU32(seed, 7, n, 0), 601)) * 16;
}

function episodeAt(x: number, y: number, heading: number, request = {}) {
  const episode = tinyEpisode(world, {}, { seed, ...request });
  Object.assign(episode.state, { x, y, heading });
  const { environment: env, state } = episode;
  return { episode, env, state, vehicles: env.vehicles, point: { x, y } };
}

describe('a launch for jaywalking', () => {
  test('takes the nearest lane; one behind the agent drives at once', () => {
    // Lateral 4800, lanes -6400 and +6400. Heading -y: the near lane lies behind.
    const { env, state, vehicles, point } = episodeAt(40000, 4800, 2700);
    launchForJaywalk(env, point);
    expect(vehicles[0]).toEqual({
      x: 40000 - launchDistance(0),
      y: 6400,
      link: packDirection({ x: 16384, y: 0 }),
      along: 0,
      speed: launchDistance(0),
      status: driving,
      timer: 0,
      mark: 0,
    });
    expect(state.conflicts).toEqual([1, 0]);
  });

  test('on the other lane comes the other way, and waits while the agent is on its way there', () => {
    // Lateral -8960, lane -6400, heading +y: 2560 ahead, more than the impact distance of 1600.
    const { env, vehicles, point } = episodeAt(40000, -8960, 900);
    launchForJaywalk(env, point);
    expect(vehicles[0]).toMatchObject({ x: 40000 + launchDistance(0), y: -6400, status: staged });
    expect(unpackDirection(vehicles[0]!.link)).toEqual({ x: -16384, y: 0 });
  });

  test('within the impact distance of the target drives at once though ahead', () => {
    const { env, vehicles, point } = episodeAt(40000, -8000, 900);
    launchForJaywalk(env, point);
    expect(vehicles[0]).toMatchObject({ y: -6400, status: driving });
  });

  test('square to the road normal goes by the side: lateral <= 0 travels to plus', () => {
    const ahead = episodeAt(40000, -8960, 0);
    launchForJaywalk(ahead.env, ahead.point);
    expect(ahead.vehicles[0]!.status).toBe(staged);
    const behind = episodeAt(40000, -8960, 2700);
    launchForJaywalk(behind.env, behind.point);
    expect(behind.vehicles[0]!.status).toBe(driving);
  });

  test('on two roads takes the lane that is nearest over both', () => {
    // (5000, 0) cm is where they cross. x 86300, y 1000: lanes of the first at 5400 and 7400; the second's axis is +y,
    // its normal -x, lateral -6300: its lane -6400 is 100 away, at x 86400, driven towards -y.
    const { env, vehicles, point } = episodeAt(86300, 1000, 0);
    launchForJaywalk(env, point);
    expect(vehicles[0]).toMatchObject({ x: 86400, y: 1000 + launchDistance(0) });
    expect(unpackDirection(vehicles[0]!.link)).toEqual({ x: 0, y: -16384 });
  });
});

// The crosswalk runs from (32000, -11200) along +y; its lanes are at along 4800 and 17600: y -6400 and +6400.
const launchAt = (y: number, heading: number) => {
  const setup = episodeAt(32000, y, heading);
  launchForRedLight(setup.env, setup.env.route.map.crosswalks[0]!, setup.point);
  return setup.vehicles[0]!;
};

describe('a launch for a red light', () => {
  test('takes the next lane ahead', () => {
    const first = launchAt(-9600, 900);
    expect(first).toMatchObject({ y: -6400, x: 32000 + launchDistance(0), status: staged });
    expect(unpackDirection(first.link)).toEqual({ x: -16384, y: 0 });
    const second = launchAt(-6399, 900);
    expect(second).toMatchObject({ y: 6400, x: 32000 - launchDistance(0), status: staged });
    expect(unpackDirection(second.link)).toEqual({ x: 16384, y: 0 });
    const back = launchAt(6399, 2700);
    expect(back).toMatchObject({ y: -6400, status: staged });
  });

  test('past both lanes takes the nearest one, and drives', () => {
    expect(launchAt(9600, 900)).toMatchObject({ y: 6400, status: driving });
    expect(launchAt(-9600, 2700)).toMatchObject({ y: -6400, status: driving });
  });

  test('square to the crosswalk goes by its half: up to the middle travels on', () => {
    expect(launchAt(0, 0)).toMatchObject({ y: 6400, status: staged });
    expect(launchAt(1, 0)).toMatchObject({ y: -6400, status: staged });
  });

  test('counts as square up to a component of 819', () => {
    expect([direction(28).y, direction(29).y]).toEqual([800, 829]);
    expect(launchAt(1, 28)).toMatchObject({ y: -6400 });
    expect(launchAt(1, 29)).toMatchObject({ y: 6400 });
  });
});

describe('the pool', () => {
  test('has three vehicles; a fourth launch is none and takes no draw', () => {
    const { env, state, vehicles, point } = episodeAt(40000, -8960, 900);
    for (let count = 0; count < 4; count++) launchForJaywalk(env, point);
    expect(vehicles.map(({ status }) => status)).toEqual([staged, staged, staged]);
    expect(vehicles.map(({ speed }) => speed)).toEqual([0, 1, 2].map(launchDistance));
    expect(state.conflicts).toEqual([3, 0]);
  });

  test('launches nothing where the class is off', () => {
    const { env, state, vehicles, point } = episodeAt(40000, 4800, 2700, { classes: 31 });
    launchForJaywalk(env, point);
    expect(vehicles[0]!.status).toBe(0);
    expect(state.conflicts).toEqual([0, 0]);
  });
});

describe('driving', () => {
  test('begins the tick after the agent is at the target', () => {
    const { env, state, vehicles, episode, point } = episodeAt(40000, -8960, 900);
    launchForJaywalk(env, point);
    const { x } = vehicles[0]!;
    waitTicks(episode, 3);
    expect(vehicles[0]).toMatchObject({ status: staged, timer: 3, x });
    state.y = -8000;
    waitTicks(episode, 1);
    expect(vehicles[0]).toMatchObject({ status: driving, timer: 0, x, along: 0 });
    waitTicks(episode, 1);
    expect(vehicles[0]).toMatchObject({ x: x - 720, along: 720, timer: 1, speed: launchDistance(0) });
  });

  test('begins after vehicleWaitTicks anyway', () => {
    const { env, vehicles, episode, point } = episodeAt(40000, -8960, 900);
    launchForJaywalk(env, point);
    waitTicks(episode, 119);
    expect(vehicles[0]).toMatchObject({ status: staged, timer: 119 });
    waitTicks(episode, 1);
    expect(vehicles[0]).toMatchObject({ status: driving, timer: 0 });
  });

  test('ends at its range, with all fields 0', () => {
    const { env, vehicles, episode, point } = episodeAt(40000, 4800, 2700);
    launchForJaywalk(env, point);
    episode.state.y = 160000;
    waitTicks(episode, 48);
    expect(vehicles[0]).toMatchObject({ along: 34560, status: driving });
    waitTicks(episode, 1);
    expect(Object.values(vehicles[0]!)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });

  test('ends after its life', () => {
    const { env, vehicles, episode, point } = episodeAt(40000, 4800, 2700);
    launchForJaywalk(env, point);
    vehicles[0]!.timer = 118;
    episode.state.y = 160000;
    waitTicks(episode, 1);
    expect(vehicles[0]!.timer).toBe(119);
    waitTicks(episode, 1);
    expect(vehicles[0]!.status).toBe(0);
  });
});

describe('a hit', () => {
  test('ends the episode at once, after the tick is complete', () => {
    // The lane at y 6400 passes the agent at y 4800 by exactly the impact distance.
    const { env, state, vehicles, episode, point } = episodeAt(40000, 4800, 2700);
    launchForJaywalk(env, point);
    const ticks = Math.ceil(launchDistance(0) / 720);
    episode.decide(16, 0);
    expect(state).toMatchObject({ status: 5, outcome: 2, worldTick: ticks, phaseTicksLeft: 30 - ticks });
    expect(state).toMatchObject({ checkpointX: 0, checkpointY: 11200 });
    expect(state.clockCentiseconds).toBe(ticks * 10);
    expect([state.contacts[vehicleActive], state.incidents[vehicleActive]]).toEqual([1, 1]);
    expect(state.conflicts).toEqual([1, 1]);
    expect([state.decisionContacts, state.violations[1]]).toEqual([0, 0]);
    expect(Object.values(vehicles[0]!)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    expect(state.stateHash).not.toBe(0);
    expect(() => episode.decide(14, 0)).toThrow('done');
  });

  test('misses by one unit more', () => {
    const { env, state, episode, point } = episodeAt(40000, 4799, 2700);
    launchForJaywalk(env, point);
    state.jaywalking = 1;
    episode.decide(16, 0);
    expect(state.outcome).toBe(0);
  });

  test('while thinking is passive, and the action is not begun', () => {
    const { env, state, episode, point } = episodeAt(40000, 4800, 2700, { mode: 1 });
    launchForJaywalk(env, point);
    episode.decide(5, 6003);
    const ticks = Math.ceil(launchDistance(0) / 720);
    expect(state).toMatchObject({ status: 5, outcome: 2, y: 4800, worldTick: ticks, decisionPassive: 1 });
    expect(state).toMatchObject({
      clockCentiseconds: 6003,
      phaseTicksLeft: 600 - ticks,
      carryCentiseconds: 3,
    });
    expect([state.contacts[vehicleActive + 1], state.travelled]).toEqual([1, 0]);
  });
});

test.each([
  ['passes at exactly the radius', [-500, 300], [500, 300], 300, true],
  ['passes one unit beyond', [-500, 301], [500, 301], 300, false],
  ['ends before it comes near', [-900, 0], [-400, 0], 300, false],
  ['ends just at the radius', [-900, 0], [-300, 0], 300, true],
  ['moves away from within', [100, 0], [900, 0], 300, true],
  ['moves away from beyond', [301, 0], [900, 0], 300, false],
  ['moves away past the radius', [250, 250], [290, 900], 300, false],
  ['does not move, within', [180, 240], [180, 240], 300, true],
  ['does not move, beyond', [181, 240], [181, 240], 300, false],
  ['passes a corner of the box but not the circle', [-599, 0], [0, 599], 300, false],
  ['cuts the circle between its ends', [-400, 100], [100, 400], 300, true],
] as const)('a relative sweep that %s', (_, [fromX, fromY], [toX, toY], radius, expected) => {
  const still = { before: { x: 7, y: -9 }, after: { x: 7, y: -9 } };
  const moving = { before: { x: fromX + 7, y: fromY - 9 }, after: { x: toX + 7, y: toY - 9 } };
  expect(sweptWithin(still, moving, radius)).toBe(expected);
  expect(sweptWithin(moving, still, radius)).toBe(expected);
});
