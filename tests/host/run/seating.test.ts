// Which environment plays which episode: all are played once, and neighbours play one route.
import { expect, test } from 'vitest';
import { RunPlan } from '../../../src/host/episodes/plan.ts';
import { neighbours, RouteSeating } from '../../../src/host/run/seating.ts';

function planOf(routes: number, seeds: number): RunPlan {
  return new RunPlan({
    profiles: ['rt-safe'],
    policies: ['greedy'],
    latencies: ['none', 'fixed:1'],
    difficulties: ['hard'],
    modes: ['realtime'],
    seeds: Array.from({ length: seeds }, (_, seed) => seed),
    routes: Array.from({ length: routes }, (_, route) => ({ map: 'rt10', route })),
    maxDecisions: null,
    without: [],
  });
}

function seatingOf(plan: RunPlan): RouteSeating {
  return new RouteSeating(plan.axes.routes.map((_, route) => plan.episodesOf(route)));
}

test.for([
  [1, 1, 1],
  [3, 5, 4],
  [5, 20, 64],
  [36, 3, 40],
])('%i routes, %i seeds, %i environments: every episode once', ([routes, seeds, environments]) => {
  const plan = planOf(routes!, seeds!);
  const queue = seatingOf(plan);
  const played: number[] = [];
  for (let turn = 0; ; turn++) {
    const episode = queue.next((turn * 7) % environments!);
    if (episode === undefined) break;
    played.push(episode.index);
  }
  expect(played.toSorted((first, second) => first - second)).toEqual(
    [...plan.episodes()].map(({ index }) => index),
  );
  expect(queue.next(0)).toBeUndefined();
});

test('neighbours start on the same route, blocks on one after the other', () => {
  const queue = seatingOf(planOf(3, 20));
  const routes = Array.from({ length: 4 * neighbours }, (_, env) => queue.next(env)!.route);
  expect(routes).toEqual([0, 1, 2, 0].flatMap((route) => new Array<number>(neighbours).fill(route)));
});

test('an environment stays with the route of its block until that is played out', () => {
  const plan = planOf(2, neighbours);
  const queue = seatingOf(plan);
  for (let env = 0; env < neighbours; env++) queue.next(env);
  const rest = Array.from({ length: neighbours }, () => queue.next(3)!.route);
  expect(rest).toEqual(new Array(neighbours).fill(0));
  expect(queue.next(3)!.route).toBe(1);
});

test('nothing to play', () => {
  expect(new RouteSeating([]).next(0)).toBeUndefined();
});
