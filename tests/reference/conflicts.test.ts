// Surrogate safety measures: known answers in plain geometry. Contact at 1600 units; times are in ticks.
import { describe, expect, test } from 'vitest';
import { type Mover, measureConflict, noConflict } from './conflicts.ts';
import type { Vector } from './numbers.ts';
import type { EnvState } from './records.ts';
import { type TinyWorld, tinyEpisode, waitTicks } from './tinyWorld.ts';

const world: TinyWorld = {
  corners: [
    [1000, 0],
    [9000, 0],
  ],
};
const radius = 1600;

/** What is measured of a mover where the agent steps from one place to another. */
function measure(
  mover: Partial<Mover> & { place: Vector },
  agent: { before: Vector; after: Vector },
  state: Partial<EnvState> = {},
) {
  const { environment } = tinyEpisode(world);
  Object.assign(environment.state, state);
  const step = { ...agent, intended: { x: 0, y: 0 }, pressed: new Set<never>() };
  measureConflict(environment, { step: { x: 0, y: 0 }, run: 0, radius, ...mover }, step);
  const { timeToCollision, postEncroachment } = environment.state;
  return { timeToCollision, postEncroachment };
}

const origin = { x: 0, y: 0 };
const standing = { before: origin, after: origin };

describe('time-to-collision', () => {
  test.for([
    // 5000 to go to a distance of 1600, 100 a tick: 34 ticks.
    ['straight towards a standing agent', { place: { x: 5000, y: 0 }, step: { x: -100, y: 0 } }, 34],
    ['the same, reached exactly', { place: { x: 5000, y: 0 }, step: { x: -200, y: 0 } }, 17],
    ['away from it', { place: { x: 5000, y: 0 }, step: { x: 100, y: 0 } }, noConflict],
    ['past it, just touching', { place: { x: 5000, y: 1600 }, step: { x: -100, y: 0 } }, 50],
    ['past it, just not', { place: { x: 5000, y: 1601 }, step: { x: -100, y: 0 } }, noConflict],
    ['beyond the horizon', { place: { x: 5000, y: 0 }, step: { x: -67, y: 0 } }, noConflict],
    ['within contact distance', { place: { x: 1600, y: 0 }, step: { x: 100, y: 0 } }, 0],
  ] as const)('%s', ([, mover, ticks]) => {
    expect(measure(mover, standing).timeToCollision).toBe(ticks);
  });

  test('the agent closes in too', () => {
    const agent = { before: { x: -300, y: 0 }, after: origin };
    expect(measure({ place: { x: 5000, y: 0 }, step: { x: -100, y: 0 } }, agent).timeToCollision).toBe(9);
    expect(measure({ place: { x: 5000, y: 0 } }, agent).timeToCollision).toBe(12);
  });

  test('of an episode: counts down while a walker comes, and 0 is contact', () => {
    const path = [
      [0, 0],
      [5000, 0],
    ] as const;
    const episode = tinyEpisode({ ...world, pedestrianPaths: [path], pedestrianCount: 1 });
    const [walker] = episode.environment.pedestrians;
    Object.assign(walker!, {
      x: 10000,
      y: 0,
      link: 0,
      along: 10000,
      speed: 160,
      status: 1,
      timer: 0,
      mark: 0,
    });
    // The agent stands at 16000: at 10160 there are 5840 - 1600 to go.
    waitTicks(episode, 1);
    expect(episode.state.timeToCollision).toBe(27);
    waitTicks(episode, 10);
    expect(episode.state.timeToCollision).toBe(17);
    waitTicks(episode, 20);
    expect(episode.state.timeToCollision).toBe(0);
  });
});

describe('post-encroachment time', () => {
  // The walker came along x = 0 from below and is 3000 past the agent's place: it left the last contact 14 ticks ago.
  const passed = { place: { x: 0, y: 3000 }, step: { x: 0, y: 100 } };

  test('the other was here first', () => {
    expect(measure({ ...passed, run: 50 }, standing).postEncroachment).toBe(14);
    expect(measure({ ...passed, run: 14 }, standing).postEncroachment).toBe(14);
  });

  test('how it came before its straight run is not known', () => {
    expect(measure({ ...passed, run: 13 }, standing).postEncroachment).toBe(noConflict);
  });

  // The agent has moved along y = 0 by 200 a tick; the other stands 4000 behind it, where it was 12 ticks ago.
  const stride = {
    strideX: 200,
    strideY: 0,
    moveTick: 19,
    moveStop: 20,
    moveTicks: 20,
    status: 3,
    action: 5,
  };
  const moving = { before: { x: -200, y: 0 }, after: origin };
  const behind = { place: { x: -4000, y: 0 } };

  test('the agent was there first', () => {
    expect(measure(behind, moving, stride).postEncroachment).toBe(12);
  });

  test('and has stood since', () => {
    const state = { ...stride, moveTick: 20, status: 4, worldTick: 100, lastStepTick: 94 };
    // The present tick ends at 101: it has stood for 7.
    expect(measure(behind, standing, state).postEncroachment).toBe(19);
  });

  test('only the last move is known', () => {
    const short = { ...stride, moveTick: 10 };
    expect(measure(behind, moving, short).postEncroachment).toBe(noConflict);
  });

  test('an agent that was put back came by no steps', () => {
    const state = { ...stride, moveTick: 20, moveStop: 0, status: 4, worldTick: 100, lastStepTick: 94 };
    expect(measure(behind, standing, state).postEncroachment).toBe(noConflict);
  });

  test('is not measured within contact distance', () => {
    expect(measure({ place: { x: 0, y: 1500 }, step: { x: 0, y: 100 }, run: 50 }, standing)).toEqual({
      timeToCollision: 0,
      postEncroachment: noConflict,
    });
  });
});
