// Stand-ins act in the published mix, at the published latency, and the same whenever they are asked.
import { describe, expect, test } from 'vitest';
import { type Action, actionFromCode } from '../../../src/host/episodes/actions.ts';
import { UsageError } from '../../../src/host/errors.ts';
import { parseLatency } from '../../../src/host/latency/parseLatency.ts';
import { standInOverheadSeconds, standInSigma } from '../../../src/host/latency/standInLatency.ts';
import { parsePolicy } from '../../../src/host/policies/parsePolicy.ts';
import type { PolicyRequest } from '../../../src/host/policies/policy.ts';
import { findStandIn, standInMix, standIns } from '../../../src/host/policies/standIn.ts';
import { stepShares } from '../../../src/host/policies/standInMix.ts';
import { published } from '../../../src/host/published/rtSafe.ts';
import { directionTable } from '../../../src/kernels/directions.ts';

const defaults = standIns.filter(({ level }) => level === null);
const directions = directionTable();
const turnDegrees = { L30: -30, L60: -60, L90: -90, R30: 30, R60: 60, R90: 90 };
const moveHeadings = [0, 0, -45, 45, 0, -45, 45];
const moveMetres = [1, 2, 2, 2, 4, 4, 4];

/** Walks a straight edge of 20 km, and tells each action and the widest way off the line. */
async function walk(name: string, mode: 'static' | 'realtime', seed: number, decisions: number) {
  const policy = parsePolicy(name);
  const actions: Action[] = [];
  let [x, y, heading, widestCm] = [0, 0, 0, 0];
  for (let decision = 1; decision <= decisions; decision++) {
    const request: PolicyRequest = {
      episode: { map: 'rt10', route: 0, seed, difficulty: 'hard', mode },
      decision,
      clockCentiseconds: 0,
      x: Math.round(x * 16),
      y: Math.round(y * 16),
      heading,
      subgoalX: 32_000_000,
      subgoalY: 0,
      isFinalSubgoal: true,
      edgeStartX: 0,
      edgeStartY: 0,
    };
    const [answer] = await policy.decide([request]);
    const action = actionFromCode(answer!.action);
    actions.push(action);
    if (action.type === 'turn_around') heading = (heading + 10 * turnDegrees[action.param] + 3600) % 3600;
    if (action.type === 'move_to') {
      heading = (heading + 10 * moveHeadings[action.param - 1]! + 3600) % 3600;
      x += (100 * moveMetres[action.param - 1]! * directions[2 * heading]!) / 16384;
      y += (100 * moveMetres[action.param - 1]! * directions[2 * heading + 1]!) / 16384;
    }
    widestCm = Math.max(widestCm, Math.abs(y));
  }
  return { actions, widestCm, x };
}

describe.each(defaults.map(({ name }) => [name]))('%s', (name) => {
  test('waits, turns and steps in the published shares', async () => {
    const standIn = findStandIn(name)!;
    const { actions, widestCm, x } = await walk(name, 'realtime', 1, 4000);
    const share = (is: (action: Action) => boolean) => actions.filter(is).length / actions.length;
    const mix = standInMix(standIn, 'realtime');
    expect(share(({ type }) => type === 'wait')).toBeCloseTo(mix.wait, 1);
    // Corners, of which there are none here, take up to 4 points of the turns.
    const turns = share(({ type }) => type === 'turn_around');
    expect(turns).toBeGreaterThan(mix.turn - 0.06);
    expect(turns).toBeLessThan(mix.turn + 0.02);
    const moves = actions.filter(({ type }) => type === 'move_to') as { param: number }[];
    const metres = moves.reduce((sum, { param }) => sum + moveMetres[param - 1]!, 0) / moves.length;
    expect(Math.abs(metres / standIn.model.actions.meanMoveMetres - 1)).toBeLessThan(0.08);
    // It keeps to the sidewalk, and gets on.
    expect(widestCm).toBeLessThan(200);
    expect(x / 100).toBeGreaterThan(0.9 * metres * moves.length);
  });

  test('thinks as long as the published mean, and the overhead', () => {
    const latency = parseLatency('stand-in');
    const draws = Array.from({ length: 4000 }, (_, index) => {
      const episode = {
        map: 'rt10',
        route: 0,
        seed: index,
        difficulty: 'hard',
        mode: 'realtime',
        policy: name,
      } as const;
      return latency.draw(episode, 1) / 100 - standInOverheadSeconds;
    });
    const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length;
    expect(Math.abs(mean / findStandIn(name)!.row.latencySeconds - 1)).toBeLessThan(0.04);
    const logs = draws.map(Math.log);
    const middle = logs.reduce((sum, value) => sum + value, 0) / logs.length;
    const sigma = Math.sqrt(logs.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (logs.length - 1));
    expect(sigma).toBeCloseTo(standInSigma, 1);
  });
});

test('the same seed walks the same way, another one another', async () => {
  const first = await walk('stand-in:sol', 'realtime', 7, 200);
  expect(await walk('stand-in:sol', 'realtime', 7, 200)).toEqual(first);
  expect(await walk('stand-in:sol', 'realtime', 8, 200)).not.toEqual(first);
});

test('static mode has longer steps, as published', () => {
  const grok = findStandIn('stand-in:grok')!;
  expect(standInMix(grok, 'static').four).toBeGreaterThan(0.4); // published: 50.8 % against 9.1 %
  expect(standInMix(grok, 'realtime').four).toBeLessThan(0.15);
});

test('a mix adds up and has the mean that was asked for', () => {
  const { one, two, four } = stepShares({ one: 0.1, two: 0.6, four: 0.2 }, 2.5, 0.8);
  expect(one + two + four).toBeCloseTo(0.8, 12);
  expect((one + 2 * two + 4 * four) / 0.8).toBeCloseTo(2.5, 9);
  expect(stepShares({ one: 0.1, two: 0.6, four: 0.2 }, 9, 1).four).toBeGreaterThan(0.9);
});

test('there is one stand-in for each published row, and each calls itself one', () => {
  expect(standIns).toHaveLength(3 * published.models.length);
  expect(standIns.every(({ name }) => name.startsWith('stand-in:') && parsePolicy(name).name === name)).toBe(
    true,
  );
});

test('an unknown model, and its latency without a stand-in, are refused', () => {
  expect(() => parsePolicy('stand-in:hal')).toThrow(
    /^--policy: found "stand-in:hal", allowed is stand-in: with one of astra, /,
  );
  expect(() => parsePolicy('stand-in:sol:huge')).toThrow(UsageError);
  const episode = {
    map: 'rt10',
    route: 0,
    seed: 0,
    difficulty: 'hard',
    mode: 'static',
    policy: 'greedy',
  } as const;
  expect(() => parseLatency('stand-in').checkEpisodes?.([episode])).toThrow('a stand-in policy');
});
