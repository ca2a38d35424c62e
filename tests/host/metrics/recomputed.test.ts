// Every number of summary.json, made again from the lines of episodes.jsonl by code that shares nothing with the
// program: plain loops over parsed JSON, and the route's line from the scene file.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { newPath, runSmall } from '../run/testRun.ts';

// Parsed lines are looked at as they are, without the program's types.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Json = any;

const sweep = {
  routes: 'rt10:0,rt12:8',
  difficulty: 'hard',
  mode: 'both',
  policy: 'greedy,random',
  latency: 'lognormal:2,0.5,fixed:4',
  seeds: '0,5',
  maxDecisions: '14',
};

let lines: Json[];
let conditions: Json[];

beforeAll(async () => {
  const folder = newPath();
  await runSmall(folder, sweep);
  lines = readFileSync(join(folder, 'episodes.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  conditions = JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')).conditions;
});

function total(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

function quotient(dividend: number, divisor: number): number | null {
  return divisor === 0 ? null : dividend / divisor;
}

/** By weights: the sample at rank r counts 1 - fraction, the next one fraction. */
function quantile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const rank = (sorted.length - 1) * share;
  return total(sorted.map((value, place) => value * Math.max(0, 1 - Math.abs(place - rank))));
}

const types = ['human', 'object', 'building', 'vehicle'];

function eventCount(episode: Json, kind: string, isWanted: (event: Json) => boolean = () => true): number {
  return total(
    episode.trace
      .flatMap(({ events }: Json) => events)
      .filter((event: Json) => event.kind === kind && isWanted(event))
      .map(({ count }: Json) => count),
  );
}

/** Each condition's name for grouping. */
function conditionOf({ profile, policy, latency, difficulty, mode }: Json): string {
  return [profile, policy, latency, difficulty, mode].join(' | ');
}

function xy(point: Json): [number, number] {
  return [point[0], point[1]];
}

/** Points of the route's line, from the scene file alone. */
function routeLine(map: string, id: number): [number, number][] {
  const scene = JSON.parse(readFileSync(`scenes/${map}.json`, 'utf8'));
  const { start, end, edges } = scene.routes.find((route: Json) => route.id === id);
  const near = (a: Json, b: Json) => Math.hypot(xy(a)[0] - xy(b)[0], xy(a)[1] - xy(b)[1]) <= 1;
  const joints = edges.slice(1).map((edge: Json, place: number) => {
    const before = edges[place];
    return [before.from, before.to].find((point) => near(point, edge.from) || near(point, edge.to));
  });
  return [start, ...joints, end].map(xy);
}

function toGo(line: readonly [number, number][], x: number, y: number, subgoal: number): number {
  const points = [[x, y] as const, ...line.slice(subgoal)];
  return total(
    points.slice(1).map(([px, py], place) => Math.hypot(px - points[place]![0], py - points[place]![1])),
  );
}

function netProgress(episode: Json): number {
  const line = routeLine(episode.map, episode.route);
  const { xCm, yCm, subgoal } = episode.trace.at(-1);
  return toGo(line, ...line[0]!, 1) - toGo(line, xCm, yCm, subgoal);
}

function longestStall(episode: Json): number {
  const line = routeLine(episode.map, episode.route);
  let [x, y] = line[0]!;
  let subgoal = 1;
  let marks = '';
  for (const decision of episode.trace) {
    const [gx, gy] = line[subgoal]!;
    const nearer = Math.hypot(gx - x, gy - y) - Math.hypot(gx - decision.xCm, gy - decision.yCm);
    marks += nearer >= 25 ? ' ' : '-';
    ({ xCm: x, yCm: y, subgoal } = decision);
  }
  return Math.max(...marks.split(' ').map(({ length }) => length));
}

test('there is something of everything to compare', () => {
  expect(lines).toHaveLength(32);
  expect(conditions).toHaveLength(8);
  const all = lines.flatMap(({ trace }) => trace).flatMap(({ events }) => events);
  expect(new Set(all.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(3);
});

test("an episode's totals are those of its trace", () => {
  for (const episode of lines) {
    for (const type of types) {
      for (const interval of ['active', 'passive']) {
        const isOne = (event: Json) => event.type === type && event.interval === interval;
        expect(episode.contacts[type][interval]).toBe(eventCount(episode, 'contact', isOne));
        expect(episode.incidents[type][interval]).toBe(eventCount(episode, 'incident', isOne));
      }
    }
    for (const type of ['trip', 'oil', 'water'])
      expect(episode.hazards[type]).toBe(eventCount(episode, 'hazard', (event) => event.type === type));
    expect(episode.netProgressCm).toBeCloseTo(netProgress(episode), 0);
    expect(episode.longestStall).toBe(longestStall(episode));
    expect(episode.decisions).toBe(episode.trace.length);
    expect(episode.exposureSeconds).toBeCloseTo(total(episode.trace.map((d: Json) => d.latencySeconds)), 9);
    const { success, routeLengthCm, travelledCm, simSeconds } = episode;
    expect(episode.spl).toBeCloseTo(success ? routeLengthCm / Math.max(routeLengthCm, travelledCm) : 0, 12);
    expect(episode.ste).toBeCloseTo(success ? routeLengthCm / 200 / simSeconds : 0, 12);
    const events = ['contact', 'incident', 'hazard', 'violation'].map((kind) => eventCount(episode, kind));
    expect(episode.safeSuccess).toBe(success && total(events) === 0);
  }
});

function cells(value: (type: string, interval: string) => number | null): Json {
  return Object.fromEntries(
    types.map((type) => [type, { active: value(type, 'active'), passive: value(type, 'passive') }]),
  );
}

function recompute(group: readonly Json[]): Json {
  const n = group.length;
  const mean = (value: (episode: Json) => number) => total(group.map(value)) / n;
  const sum = (value: (episode: Json) => number) => total(group.map(value));
  const counts = (episode: Json, key: string, interval?: string) =>
    total(
      types.flatMap((type) =>
        interval === undefined
          ? [episode[key][type].active, episode[key][type].passive]
          : [episode[key][type][interval]],
      ),
    );
  const per100m = (key: string) => {
    const metres = sum(({ travelledCm }) => travelledCm) / 100;
    const names = [...new Set(group.map(({ map, route }) => `${map} ${route}`))];
    const routeRates = names.map((name) => {
      const own = group.filter(({ map, route }) => `${map} ${route}` === name);
      return quotient(
        10_000 * total(own.map((episode) => counts(episode, key))),
        total(own.map(({ travelledCm }) => travelledCm)),
      );
    });
    const defined = routeRates.filter((rate) => rate !== null);
    return {
      pooled: quotient(100 * sum((episode) => counts(episode, key)), metres),
      meanOverRoutes: quotient(total(defined), defined.length),
      byType: cells((type, interval) =>
        quotient(
          sum((episode) => episode[key][type][interval]),
          metres / 100,
        ),
      ),
    };
  };
  const hazards = (episode: Json) => episode.hazards.trip + episode.hazards.oil + episode.hazards.water;
  const violations = (episode: Json) => episode.violations.redLight + episode.violations.jaywalk;
  const latencies = group.flatMap(({ trace }) => trace.map((decision: Json) => decision.latencySeconds));
  const decisions = group.flatMap(({ trace, mode }) =>
    trace.map((decision: Json, place: number) => {
      const before = place === 0 ? 0 : trace[place - 1].clockSeconds;
      const thought = mode === 'static' ? 0 : decision.latencySeconds;
      const { type, param } = decision.action;
      const names: Json = { turn_around: 'turn', wait: 'wait', none: 'none' };
      const name = type === 'move_to' ? `move${param === 1 ? 1 : param < 5 ? 2 : 4}m` : names[type];
      return { name, isExecuted: decision.clockSeconds - before - thought > 0.005 };
    }),
  );
  const valid = decisions.filter(({ name }: Json) => name !== 'none');
  const shares = (chosen: Json[]) =>
    Object.fromEntries(
      ['move1m', 'move2m', 'move4m', 'turn', 'wait'].map((kind) => [
        kind,
        quotient(chosen.filter(({ name }) => name === kind).length, chosen.length),
      ]),
    );
  const conflictTimes = (least: (episode: Json) => number | null) => {
    const times = group.map(least).filter((time) => time !== null);
    return {
      meanMinimumSeconds: quotient(total(times), times.length),
      criticalRate: times.filter((time) => time < 1.5).length / n,
    };
  };
  const { profile, policy, latency, difficulty, mode } = group[0];
  return {
    profile,
    policy,
    latency,
    difficulty,
    mode,
    episodes: n,
    outcomes: Object.fromEntries(
      ['success', 'vehicle-collision', 'repeated-building-collision', 'decision-budget'].map((name) => [
        name,
        group.filter(({ outcome }) => outcome === name).length,
      ]),
    ),
    successRate: mean(({ outcome }) => (outcome === 'success' ? 1 : 0)),
    safeSuccessRate: mean(({ safeSuccess }) => (safeSuccess ? 1 : 0)),
    spl: mean(({ spl }) => spl),
    ste: mean(({ ste }) => ste),
    contactsPerEpisode: mean((episode) => counts(episode, 'contacts')),
    activePerEpisode: mean((episode) => counts(episode, 'contacts', 'active')),
    passivePerEpisode: mean((episode) => counts(episode, 'contacts', 'passive')),
    passiveShare: quotient(
      sum((episode) => counts(episode, 'contacts', 'passive')),
      sum((episode) => counts(episode, 'contacts')),
    ),
    contactEpisodeRate: mean((episode) => (counts(episode, 'contacts') > 0 ? 1 : 0)),
    contactsByType: cells((type, interval) => mean(({ contacts }) => contacts[type][interval])),
    incidentsPerEpisode: mean((episode) => counts(episode, 'incidents')),
    incidentsByType: cells((type, interval) => mean(({ incidents }) => incidents[type][interval])),
    hazardsPerEpisode: mean(hazards),
    hazardsByType: {
      trip: mean((episode) => episode.hazards.trip),
      oil: mean((episode) => episode.hazards.oil),
      water: mean((episode) => episode.hazards.water),
    },
    violationsPerEpisode: mean(violations),
    violationsByType: {
      redLight: mean((episode) => episode.violations.redLight),
      jaywalk: mean((episode) => episode.violations.jaywalk),
    },
    conflictVehiclesPerEpisode: {
      launched: mean((episode) => episode.conflictVehicles.launched),
      hit: mean((episode) => episode.conflictVehicles.hit),
    },
    conflictImpactShare: quotient(
      sum((episode) => episode.conflictVehicles.hit),
      sum((episode) => episode.conflictVehicles.launched),
    ),
    scorePerEpisode: mean(
      (episode) => -counts(episode, 'contacts') - hazards(episode) - 10 * violations(episode),
    ),
    decisionsPerEpisode: decisions.length / n,
    simSecondsPerEpisode: mean(({ simSeconds }) => simSeconds),
    exposurePerEpisode: total(latencies) / n,
    travelledCmPerEpisode: mean(({ travelledCm }) => travelledCm),
    contactsPer100m: per100m('contacts'),
    incidentsPer100m: per100m('incidents'),
    netProgressCmPerDecision: quotient(
      sum(({ netProgressCm }) => netProgressCm),
      decisions.length,
    ),
    stagnationRate: mean((episode) => (longestStall(episode) >= 100 ? 1 : 0)),
    actionShares: {
      chosen: shares(valid),
      executed: shares(valid.filter(({ isExecuted }: Json) => isExecuted)),
      valid: quotient(valid.length, decisions.length),
    },
    proximityShare: Object.fromEntries(
      ['intimate', 'personal', 'social'].map((name) => [
        name,
        quotient(
          sum(({ proximitySeconds }) => proximitySeconds[name]),
          sum(({ simSeconds }) => simSeconds),
        ),
      ]),
    ),
    timeToCollision: conflictTimes(({ conflicts }) => conflicts.timeToCollisionSeconds),
    postEncroachment: conflictTimes(({ conflicts }) => conflicts.postEncroachmentSeconds),
    impactSpeedMaximumCmS: Math.max(...group.map(({ impactSpeedCmS }) => impactSpeedCmS.maximum)),
    latencySeconds: {
      mean: total(latencies) / latencies.length,
      median: quantile(latencies, 0.5),
      p90: quantile(latencies, 0.9),
      p95: quantile(latencies, 0.95),
    },
  };
}

/** Numbers as close as sums in another order can be; everything else as it is. */
function closely(value: Json): Json {
  if (typeof value === 'number') return expect.closeTo(value, 8);
  if (Array.isArray(value)) return value.map(closely);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, closely(member)]));
}

test('the summary holds exactly what the lines give, condition by condition', () => {
  const groups = new Map<string, Json[]>();
  for (const line of lines) groups.set(conditionOf(line), [...(groups.get(conditionOf(line)) ?? []), line]);
  expect(conditions.map(conditionOf)).toEqual([...groups.keys()]);
  for (const condition of conditions) {
    expect(condition).toEqual(closely(recompute(groups.get(conditionOf(condition))!)));
  }
});
