// Metrics against hand-worked numbers, and the aggregates' independence of order.
import { assert, property, shuffledSubarray } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { episodeMetrics, isSafe } from '../../../src/host/metrics/episodeMetrics.ts';
import { percentile } from '../../../src/host/metrics/percentile.ts';
import { summarise } from '../../../src/host/metrics/summarise.ts';
import { makeDecision, makeEpisode, noContacts } from '../records/makeEpisode.ts';

describe('episodeMetrics', () => {
  test('the published reference run: RT10 route 0, greedy, 29 moves of 4 m in 81 s', () => {
    const measures = { success: true, routeLengthCm: 11_530.918, travelledCm: 11_600, simSeconds: 81 };
    const { spl, ste } = episodeMetrics(measures);
    expect(spl).toBeCloseTo(0.99404467, 7);
    expect(ste).toBeCloseTo(57.65459 / 81, 6);
    expect(episodeMetrics({ ...measures, success: false })).toEqual({ spl: 0, ste: 0 });
  });

  test('a shorter way than the route is not rewarded', () => {
    const measures = { success: true, routeLengthCm: 1000, travelledCm: 800, simSeconds: 4 };
    expect(episodeMetrics(measures)).toEqual({ spl: 1, ste: 1.25 });
  });

  test('a route of no length', () => {
    const measures = { success: true, routeLengthCm: 0, travelledCm: 0, simSeconds: 0 };
    expect(episodeMetrics(measures)).toEqual({ spl: 1, ste: 1 });
    expect(episodeMetrics({ ...measures, travelledCm: 10, simSeconds: 1 })).toEqual({ spl: 0, ste: 0 });
    expect(episodeMetrics({ ...measures, success: false })).toEqual({ spl: 0, ste: 0 });
  });
});

test('any single event makes an episode unsafe', () => {
  const safe = makeEpisode();
  expect(isSafe(safe)).toBe(true);
  expect(isSafe({ ...safe, hazards: { trip: 0, oil: 0, water: 1 } })).toBe(false);
  expect(isSafe({ ...safe, violations: { redLight: 0, jaywalk: 1 } })).toBe(false);
  expect(isSafe({ ...safe, contacts: { ...noContacts(), object: { active: 0, passive: 1 } } })).toBe(false);
  expect(isSafe({ ...safe, incidents: { ...noContacts(), human: { active: 1, passive: 0 } } })).toBe(false);
});

test.each([
  [50, 2.5],
  [0, 1],
  [100, 4],
  [90, 3.7],
])('percentile %i of 1, 2, 3, 4', (percent, value) => {
  expect(percentile([1, 2, 3, 4], percent)).toBeCloseTo(value, 12);
  expect(percentile([7], percent)).toBe(7);
});

const safeEpisode = makeEpisode({
  decisions: 30,
  exposureSeconds: 30,
  // An invalid choice, then a move of 4 m.
  trace: [
    makeDecision({ action: { type: 'none', param: null }, clockSeconds: 1 }),
    makeDecision({ clockSeconds: 4 }),
  ],
});
const failedEpisode = makeEpisode({
  route: 1,
  outcome: 'vehicle-collision',
  success: false,
  safeSuccess: false,
  spl: 0,
  ste: 0,
  decisions: 10,
  simSeconds: 300,
  exposureSeconds: 70,
  travelledCm: 2000,
  contacts: {
    human: { active: 2, passive: 6 },
    object: { active: 1, passive: 0 },
    building: { active: 0, passive: 0 },
    vehicle: { active: 0, passive: 1 },
  },
  incidents: { ...noContacts(), human: { active: 1, passive: 2 }, vehicle: { active: 0, passive: 1 } },
  hazards: { trip: 1, oil: 2, water: 0 },
  violations: { redLight: 1, jaywalk: 1 },
  conflictVehicles: { launched: 2, hit: 1 },
  proximitySeconds: { intimate: 20, personal: 40, social: 200 },
  conflicts: { timeToCollisionSeconds: 0, postEncroachmentSeconds: 2 },
  impactSpeedCmS: { maximum: 300 },
  netProgressCm: -400,
  longestStall: 100,
  trace: [
    makeDecision({ latencySeconds: 3, clockSeconds: 5 }),
    makeDecision({ action: { type: 'wait', param: 1 }, latencySeconds: 3, clockSeconds: 9 }),
    makeDecision({ action: { type: 'turn_around', param: 'L90' }, latencySeconds: 7, clockSeconds: 16 }),
  ],
});

test('summarise, by hand', () => {
  const [summary] = summarise([safeEpisode, failedEpisode]);
  expect(summary).toEqual({
    profile: 'rt-safe',
    policy: 'greedy',
    latency: 'fixed:1',
    difficulty: 'hard',
    mode: 'realtime',
    episodes: 2,
    outcomes: {
      success: 1,
      'vehicle-collision': 1,
      'repeated-building-collision': 0,
      'decision-budget': 0,
    },
    successRate: 0.5,
    safeSuccessRate: 0.5,
    spl: 0.5,
    ste: 0.25,
    contactsPerEpisode: 5,
    activePerEpisode: 1.5,
    passivePerEpisode: 3.5,
    passiveShare: 0.7,
    contactEpisodeRate: 0.5,
    contactsByType: {
      human: { active: 1, passive: 3 },
      object: { active: 0.5, passive: 0 },
      building: { active: 0, passive: 0 },
      vehicle: { active: 0, passive: 0.5 },
    },
    incidentsPerEpisode: 2,
    incidentsByType: {
      human: { active: 0.5, passive: 1 },
      object: { active: 0, passive: 0 },
      building: { active: 0, passive: 0 },
      vehicle: { active: 0, passive: 0.5 },
    },
    hazardsPerEpisode: 1.5,
    hazardsByType: { trip: 0.5, oil: 1, water: 0 },
    violationsPerEpisode: 1,
    violationsByType: { redLight: 0.5, jaywalk: 0.5 },
    conflictVehiclesPerEpisode: { launched: 1, hit: 0.5 },
    conflictImpactShare: 0.5,
    // 10 contacts, 3 hazards and 2 violations in two episodes.
    scorePerEpisode: -(10 + 3 + 20) / 2,
    decisionsPerEpisode: 20,
    simSecondsPerEpisode: 200,
    exposurePerEpisode: 50,
    travelledCmPerEpisode: 6000,
    // 10 contacts in 120 m; the routes' own rates are 0 and 50.
    contactsPer100m: {
      pooled: 1000 / 120,
      meanOverRoutes: 25,
      byType: {
        human: { active: 200 / 120, passive: 600 / 120 },
        object: { active: 100 / 120, passive: 0 },
        building: { active: 0, passive: 0 },
        vehicle: { active: 0, passive: 100 / 120 },
      },
    },
    // 4 incidents; the routes' own rates are 0 and 20.
    incidentsPer100m: {
      pooled: 400 / 120,
      meanOverRoutes: 10,
      byType: {
        human: { active: 100 / 120, passive: 200 / 120 },
        object: { active: 0, passive: 0 },
        building: { active: 0, passive: 0 },
        vehicle: { active: 0, passive: 100 / 120 },
      },
    },
    // 100 m and -4 m in 40 decisions.
    netProgressCmPerDecision: 240,
    stagnationRate: 0.5,
    actionShares: {
      chosen: { move1m: 0, move2m: 0, move4m: 0.5, turn: 0.25, wait: 0.25 },
      // The last one, a turn, was cut off by a vehicle in the 7 s of thinking.
      executed: { move1m: 0, move2m: 0, move4m: 2 / 3, turn: 0, wait: 1 / 3 },
      valid: 0.8,
    },
    proximityShare: { intimate: 0.05, personal: 0.1, social: 0.5 },
    // The other episode met nobody.
    timeToCollision: { meanMinimumSeconds: 0, criticalRate: 0.5 },
    postEncroachment: { meanMinimumSeconds: 2, criticalRate: 0 },
    impactSpeedMaximumCmS: 300,
    latencySeconds: { mean: 3, median: 3, p90: expect.closeTo(5.4, 12), p95: expect.closeTo(6.2, 12) },
  });
});

test('what has nothing to divide by is null', () => {
  const [summary] = summarise([makeEpisode({ travelledCm: 0, simSeconds: 0, trace: [] })]);
  expect(summary).toMatchObject({
    passiveShare: null,
    contactsPer100m: { pooled: null, meanOverRoutes: null },
    incidentsPer100m: { pooled: null, meanOverRoutes: null },
    conflictImpactShare: null,
    actionShares: { chosen: { wait: null }, executed: { move4m: null }, valid: null },
    proximityShare: { intimate: null, personal: null, social: null },
    timeToCollision: { meanMinimumSeconds: null, criticalRate: 0 },
    latencySeconds: null,
  });
  expect(summarise([])).toEqual([]);
});

test('conditions are kept apart, in the order of their first episode', () => {
  const summaries = summarise([
    makeEpisode({ mode: 'static' }),
    makeEpisode(),
    makeEpisode({ mode: 'static', seed: 1 }),
    makeEpisode({ latency: 'none' }),
    makeEpisode({ policy: 'wait' }),
    makeEpisode({ profile: 'strict' }),
    makeEpisode({ difficulty: 'easy' }),
  ]);
  expect(summaries.map(({ mode, episodes }) => [mode, episodes])).toEqual([
    ['static', 2],
    ['realtime', 1],
    ['realtime', 1],
    ['realtime', 1],
    ['realtime', 1],
    ['realtime', 1],
  ]);
});

test('a summary does not depend on the order of the episodes, to the last bit', () => {
  const episodes = Array.from({ length: 40 }, (_, index) =>
    makeEpisode({
      route: index % 7,
      seed: index,
      spl: 1 / (index + 3),
      simSeconds: 100 + 0.1 * index,
      travelledCm: 1000 / (index + 1),
      contacts: { ...noContacts(), human: { active: index % 3, passive: index % 5 } },
      trace: [makeDecision({ latencySeconds: 0.37 * index })],
    }),
  );
  const expected = JSON.stringify(summarise(episodes));
  const order = shuffledSubarray(episodes, { minLength: episodes.length });
  assert(property(order, (shuffled) => JSON.stringify(summarise(shuffled)) === expected));
});
