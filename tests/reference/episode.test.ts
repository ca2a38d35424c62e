// Whole episodes: the same input gives the same bits, and what must hold in any of them.
import { expect, test } from 'vitest';
import { randomU32, uniformBelow } from '../../src/kernels/random.ts';
import type { ReferenceEpisode } from './episode.ts';
import { mismatchTable } from './mismatches.ts';
import { actorFields } from './records.ts';
import { building, disc, strip, type TinyWorld, tinyEpisode } from './tinyWorld.ts';

/** A short street with something of everything. */
const street: TinyWorld = {
  corners: [
    [0, 700],
    [3000, 700],
    [3000, -700],
    [6000, -700],
  ],
  edgeKinds: ['sidewalk', 'crosswalk', 'sidewalk'],
  shapes: [
    strip('sidewalk', [0, 700], [6000, 700], 200),
    strip('sidewalk', [0, -700], [6000, -700], 200),
    strip('road', [0, 0], [6000, 0], 600),
    strip('crosswalk', [3000, -700], [3000, 700], 210, 2),
    building([0, 950], 3000, 2000),
    disc('furniture', [1500, 850], 30, 0),
    disc('trip', [900, 700], 20, 1),
    disc('oil', [2000, 720], 20, 2),
    disc('water', [2400, 650], 20, 3),
    disc('ball', [1200, 700], 20, 4),
    disc('box', [600, 600], 40, 5),
  ],
  props: [9, 10],
  falling: [disc('falling', [700, 700], 20), disc('falling', [1800, 700], 20)],
  pedestrianPaths: [
    [
      [0, 600],
      [6000, 600],
    ],
    [
      [0, 800],
      [6000, 800],
      [6000, -700],
      [0, -700],
    ],
  ],
  pedestrianCount: 20,
  dogPaths: [
    [
      [500, 500],
      [1000, 900],
      [1500, 500],
    ],
  ],
};

/** Random actions, mostly forward, with thoughts of up to ten seconds. */
function run(seed: number, mode: number, check?: (episode: ReferenceEpisode) => void): ReferenceEpisode {
  const rules = seed % 2 === 0 ? {} : { violationEveryTick: 1, hazardOncePerDecision: 0, firstPlanning: 0 };
  const episode = tinyEpisode(street, rules, { seed, mode, maxDecisions: 60, speedChoices: 3 });
  for (let decision = 0; !episode.isDone; decision++) {
    const random = (purpose: number, count: number) =>
      uniformBelow(randomU32(seed, 1000 + purpose, decision, 0), count);
    episode.decide(random(0, 2) === 0 ? 5 : random(1, 17), random(2, 1000));
    check?.(episode);
  }
  return episode;
}

test('the same episode gives the same words', () => {
  for (let seed = 0; seed < 3; seed++) {
    const [first, second] = [run(seed, 1), run(seed, 1)];
    expect(mismatchTable(first.stateWordNames(), first.stateWords(), second.stateWords())).toBe('');
    expect(first.stateHash).toBe(second.stateHash);
    expect(run(seed + 100, 1).stateHash).not.toBe(first.stateHash);
  }
});

const counters = ({ state }: ReferenceEpisode) => [
  state.clockCentiseconds,
  state.exposureCentiseconds,
  state.worldTick,
  state.decisions,
  state.travelled,
  state.impactSum,
  state.impactMaximum,
  ...state.contacts,
  ...state.incidents,
  ...state.hazards,
  ...state.violations,
  ...state.conflicts,
  ...state.closeTicks,
];

test('clocks never run backwards, counters never shrink, words are whole', () => {
  const outcomes = new Set<number>();
  for (let seed = 0; seed < 18; seed++) {
    let before: number[] | undefined;
    const mode = seed % 3 === 0 ? 0 : 1;
    const { state } = run(seed, mode, (episode) => {
      const now = counters(episode);
      const last = before ?? now;
      expect(now.filter((value, index) => value < last[index]!)).toEqual([]);
      before = now;
      const values = episode.actors.flatMap((actor) => actorFields.map((field) => actor[field]));
      expect(values.filter((value) => !Object.is(value, value | 0))).toEqual([]);
      expect(episode.state.heading).toBeGreaterThanOrEqual(0);
      expect(episode.state.heading).toBeLessThan(3600);
      expect(episode.isDone).toBe(episode.state.outcome !== 0);
    });
    outcomes.add(state.outcome);
    for (let type = 0; type < 8; type++) {
      expect(state.contacts[type]).toBeGreaterThanOrEqual(state.incidents[type]!);
    }
    if (mode === 0) {
      expect(state.clockCentiseconds).toBe(state.worldTick * 10);
      expect([1, 3, 5, 7].map((passive) => state.contacts[passive])).toEqual([0, 0, 0, 0]);
    } else if (state.outcome !== 2) {
      expect(state.clockCentiseconds).toBe(state.worldTick * 10 + state.carryCentiseconds);
    }
  }
  expect(outcomes).toEqual(new Set([2, 3, 4]));
});
