// Actions and their codes, the policies that do not look, replay, and names.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Action, actionCode, actionCount, actionFromCode } from '../../../src/host/episodes/actions.ts';
import { UsageError } from '../../../src/host/errors.ts';
import { parsePolicy } from '../../../src/host/policies/parsePolicy.ts';
import type { PolicyRequest } from '../../../src/host/policies/policy.ts';
import { makeDecision, makeEpisode } from '../records/makeEpisode.ts';
import { writeRun } from '../records/writeRun.ts';

const folder = mkdtempSync(join(tmpdir(), 'rtsafe-policies-'));
afterAll(() => rmSync(folder, { recursive: true }));

function request(decision: number, changes: Partial<PolicyRequest['episode']> = {}): PolicyRequest {
  return {
    episode: { map: 'rt10', route: 0, seed: 0, difficulty: 'hard', mode: 'realtime', ...changes },
    decision,
    clockCentiseconds: 0,
    x: 0,
    y: 0,
    heading: 0,
    subgoalX: 16_000,
    subgoalY: 0,
    isFinalSubgoal: true,
    edgeStartX: 0,
    edgeStartY: 0,
  };
}

async function actionsOf(name: string, requests: readonly PolicyRequest[]): Promise<number[]> {
  return (await parsePolicy(name).decide(requests)).map(({ action }) => action);
}

describe('actions', () => {
  test.each<[number, Action]>([
    [0, { type: 'none', param: null }],
    [1, { type: 'move_to', param: 1 }],
    [7, { type: 'move_to', param: 7 }],
    [8, { type: 'turn_around', param: 'L30' }],
    [10, { type: 'turn_around', param: 'L90' }],
    [11, { type: 'turn_around', param: 'R30' }],
    [13, { type: 'turn_around', param: 'R90' }],
    [14, { type: 'wait', param: 1 }],
    [16, { type: 'wait', param: 3 }],
  ])('code %i', (code, action) => {
    expect(actionFromCode(code)).toEqual(action);
    expect(actionCode(action)).toBe(code);
  });

  test('codes beyond the last are no action, and wrong params are refused', () => {
    for (const code of [17, 255, -1]) expect(actionFromCode(code)).toEqual({ type: 'none', param: null });
    expect(() => actionCode({ type: 'move_to', param: 8 })).toThrow(RangeError);
    expect(() => actionCode({ type: 'wait', param: 0 })).toThrow(RangeError);
    expect(() => actionCode({ type: 'wait', param: 1.5 })).toThrow(RangeError);
    expect(() => actionCode({ type: 'turn_around', param: 'L45' } as unknown as Action)).toThrow(RangeError);
    expect(() => actionCode({ type: 'fly', param: 1 } as unknown as Action)).toThrow(RangeError);
  });
});

test('wait waits 1 s and forward takes marker 5', async () => {
  expect(await actionsOf('wait', [request(1), request(2)])).toEqual([14, 14]);
  expect(await actionsOf(' forward ', [request(1)])).toEqual([5]);
});

describe('random', () => {
  const requests = Array.from({ length: 32_000 }, (_, index) => request(index + 1));

  test('is even over the 16 actions', async () => {
    const tally = new Array<number>(actionCount + 1).fill(0);
    for (const action of await actionsOf('random', requests)) tally[action]!++;
    expect(tally[0]).toBe(0);
    for (const seen of tally.slice(1)) expect(Math.abs(seen - 2000)).toBeLessThan(200);
  });

  test('depends on seed, map, route and decision, and on nothing else', async () => {
    const some = requests.slice(0, 40);
    const expected = await actionsOf('random', some);
    expect(expected.slice(0, 8)).toEqual(knownRandomActions);
    expect(await actionsOf('random', some.toReversed())).toEqual(expected.toReversed());
    const as = (changes: Partial<PolicyRequest['episode']>) =>
      actionsOf(
        'random',
        some.map(({ decision }) => request(decision, changes)),
      );
    expect(await as({ mode: 'static', difficulty: 'easy' })).toEqual(expected);
    expect(await as({ seed: 1 })).not.toEqual(expected);
    expect(await as({ map: 'rt12' })).not.toEqual(expected);
    expect(await as({ route: 1 })).not.toEqual(expected);
  });
});

/** The first random actions of rt10:0, seed 0: pinned, so that no release changes them. */
const knownRandomActions = [11, 16, 12, 10, 15, 12, 2, 6];

describe('trace', () => {
  const actions: Action[] = [
    { type: 'move_to', param: 5 },
    { type: 'turn_around', param: 'R60' },
    { type: 'none', param: null },
    { type: 'wait', param: 3 },
  ];
  const trace = actions.map((action) => makeDecision({ action }));

  test('replays what was recorded, and nothing after that', async () => {
    const path = writeRun(folder, 'run', [
      makeEpisode({ trace }),
      makeEpisode({ seed: 1, trace: trace.toReversed() }),
    ]);
    const policy = parsePolicy(`trace:${path}`);
    expect(policy.name).toBe(`trace:${path}`);
    const requests = [1, 2, 3, 4, 5].flatMap((decision) => [
      request(decision),
      request(decision, { seed: 1 }),
    ]);
    expect(await actionsOf(`trace:${path}`, requests)).toEqual([5, 16, 12, 0, 0, 12, 16, 5, 0, 0]);
    const episodes = requests.map(({ episode }) => episode);
    expect(() => policy.checkEpisodes!(episodes)).not.toThrow();
    for (const changes of [{ mode: 'static' }, { difficulty: 'easy' }, { seed: 2 }, { route: 3 }] as const) {
      expect(() => policy.checkEpisodes!([request(1, changes).episode])).toThrow(UsageError);
    }
  });

  test('a run with two recordings of one episode is ambiguous', () => {
    const path = writeRun(folder, 'two', [makeEpisode({ trace }), makeEpisode({ latency: 'none', trace })]);
    const policy = parsePolicy(`trace:${path}`);
    expect(() => policy.checkEpisodes!([request(1).episode])).toThrow(
      /found 2 episodes rt10:0 hard realtime seed 0/,
    );
  });

  test('a missing run is refused', () => {
    expect(() => parsePolicy('trace:')).toThrow(UsageError);
    expect(() => parsePolicy(`trace:${join(folder, 'nothing')}`)).toThrow(UsageError);
  });
});

test('an unknown policy lists what is allowed', () => {
  const message =
    '--policy: found "clever", allowed is random, wait, forward, greedy, safety, expert, stand-in:<model>[:<effort>], openai, onnx:<FILE> or trace:<DIR>';
  expect(() => parsePolicy('clever')).toThrow(new UsageError(message));
});
