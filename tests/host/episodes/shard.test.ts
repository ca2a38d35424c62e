import { expect, test } from 'vitest';
import { type PlanAxes, RunPlan } from '../../../src/host/episodes/plan.ts';
import { parseShard, shardIndexOf } from '../../../src/host/episodes/shard.ts';
import { UsageError } from '../../../src/host/errors.ts';

const axes: PlanAxes = {
  profiles: ['rt-safe'],
  policies: ['greedy', 'wait'],
  latencies: ['none', 'fixed:3', 'fixed:10'],
  difficulties: ['hard'],
  modes: ['realtime'],
  seeds: [0, 1, 2, 3],
  routes: Array.from({ length: 6 }, (_, route) => ({ map: 'rt10', route })),
  maxDecisions: null,
  without: [],
};
const whole = new RunPlan(axes);

test.each([1, 2, 3, 5, 7, 144])('%i shards hold every episode once and differ by one at most', (of) => {
  const shards = Array.from({ length: of }, (_, index) => new RunPlan(axes, { index, of }));
  const held = shards.map((shard) => [...shard.episodes()]);
  expect(held.map(({ length }) => length)).toEqual(shards.map(({ size }) => size));
  const sizes = shards.map(({ size }) => size);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  const inOrder = held.flat().sort((first, second) => first.index - second.index);
  expect(inOrder).toEqual([...whole.episodes()]);
});

test('a shard knows its own episodes only, by their places in the whole', () => {
  const shard = new RunPlan(axes, { index: 1, of: 3 });
  for (const episode of whole.episodes()) {
    const isHeld = shardIndexOf(episode.index, whole.gridSize, 3) === 1;
    expect(shard.indexOf(episode)).toBe(isHeld ? episode.index : undefined);
    expect(shard.holds(episode.index)).toBe(isHeld);
  }
});

test('every shard gets a part of every condition and of every route', () => {
  for (const index of [0, 1, 2]) {
    const episodes = [...new RunPlan(axes, { index, of: 3 }).episodes()];
    expect(new Set(episodes.map(({ policy, latency }) => `${policy} ${latency}`)).size).toBe(6);
    expect(new Set(episodes.map(({ route }) => route)).size).toBe(6);
  }
});

test('the split is the same everywhere: its first places are written here', () => {
  expect(Array.from({ length: 12 }, (_, index) => shardIndexOf(index, 2160, 3))).toEqual([
    1, 1, 1, 0, 1, 0, 2, 1, 0, 2, 1, 2,
  ]);
});

test.each(['', '1', '3/3', '-1/3', '0/0', '1/2/3', 'a/b', '0/145', '0.5/2'])(
  '--shard %s is refused',
  (text) => {
    expect(() => parseShard(text, whole.size)).toThrow(UsageError);
    expect(() => parseShard(text, whole.size)).toThrow(
      /^--shard: found ".*", allowed is i\/n [^\n]* as 0\/3$/,
    );
  },
);

test('--shard 0/3', () => {
  expect(parseShard(' 0/3 ', 144)).toEqual({ index: 0, of: 3 });
});
