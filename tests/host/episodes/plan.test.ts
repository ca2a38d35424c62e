import { expect, test } from 'vitest';
import { episodeName, type PlanAxes, RunPlan } from '../../../src/host/episodes/plan.ts';

const axes: PlanAxes = {
  profiles: ['rt-safe', 'strict'],
  policies: ['greedy', 'wait'],
  latencies: ['none', 'fixed:3', 'lognormal:3,0.5'],
  difficulties: ['easy', 'hard'],
  modes: ['static', 'realtime'],
  seeds: [0, 7],
  routes: [
    { map: 'rt10', route: 0 },
    { map: 'rt10', route: 1 },
    { map: 'rt15', route: 16 },
  ],
  maxDecisions: null,
  without: [],
};

test('a plan is the product of its axes; the route varies fastest', () => {
  const plan = new RunPlan(axes);
  expect(plan.size).toBe(2 * 2 * 3 * 2 * 2 * 2 * 3);
  expect(plan.at(0)).toEqual({
    index: 0,
    map: 'rt10',
    route: 0,
    profile: 'rt-safe',
    policy: 'greedy',
    latency: 'none',
    difficulty: 'easy',
    mode: 'static',
    seed: 0,
  });
  expect(plan.at(2)).toMatchObject({ map: 'rt15', route: 16, seed: 0 });
  expect(plan.at(3)).toMatchObject({ map: 'rt10', route: 0, seed: 7 });
  expect(plan.at(plan.size - 1)).toMatchObject({ profile: 'strict', mode: 'realtime', seed: 7, route: 16 });
});

test('indexOf undoes at', () => {
  const plan = new RunPlan(axes);
  for (let index = 0; index < plan.size; index++) expect(plan.indexOf(plan.at(index))).toBe(index);
});

test('an episode outside of the plan has no place', () => {
  const plan = new RunPlan(axes);
  expect(plan.indexOf({ ...plan.at(0), seed: 1 })).toBeUndefined();
  expect(plan.indexOf({ ...plan.at(0), map: 'rt12' })).toBeUndefined();
});

test('an episode is named in one line', () => {
  expect(episodeName(new RunPlan(axes).at(0))).toBe('rt10:0 easy static rt-safe seed 0 greedy none');
});
