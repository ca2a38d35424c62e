// The same episode gives the same bits: alone, among thousands, in any order and slot, resumed, whatever other maps are
// loaded, on every driver, by one thread or a workgroup. And what must hold in any episode.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BatchSimulator, Execution } from '../../src/kernels/batchSimulator.ts';
import { softwareAdapters, whyAbsent } from '../host/adapters/softwareAdapters.ts';
import { executions, TestGpu } from './support/openBatch.ts';
import { drawScenario } from './support/randomScenarios.ts';
import { playRounds, type Recording, recordEpisode, replay, type Seat } from './support/recordings.ts';
import { bundledWorld } from './support/testWorld.ts';

const world = bundledWorld();
const family = 6;
const crowd = 4096;
const mostDecisions = 24;
const timeout = 600_000;

/** Every sixth scenario, so that all lengths of thought are among them: scenarios that follow one another share theirs. */
const scenarioStep = 6;

/** Episodes of a few dozen decisions at most, in both modes. */
const recordings: readonly Recording[] = Array.from({ length: 16 }, (_, index) => {
  const scenario = drawScenario(world, family, index * scenarioStep);
  const maxDecisions = Math.min(scenario.start.maxDecisions, mostDecisions);
  return recordEpisode(world, { ...scenario, start: { ...scenario.start, maxDecisions } });
});

/** Each recording in the environment that `envOf` gives it. */
function seatAll(envOf: (index: number) => number, some: readonly Recording[] = recordings): Seat[] {
  return some.map((recording, index) => ({ env: envOf(index), recording }));
}

/** Starts other episodes in all environments but the taken ones, and lets some of them decide each round. */
function crowdOf(batch: BatchSimulator, seats: readonly Seat[]): (round: number) => void {
  const taken = new Set(seats.map(({ env }) => env));
  const others = Array.from({ length: batch.envCount }, (_, env) => env).filter((env) => !taken.has(env));
  batch.reset(
    others.map((env) => ({ env, ...drawScenario(batch.world, family + 1, env).start, maxDecisions: 1000 })),
  );
  return (round) => {
    if (round === 0) return;
    for (const env of others) if (env % 64 === round % 64) batch.decide(env, 1 + (env % 16), env % 200);
  };
}

/** Everything in a summary that may only grow. */
const growing = [
  'clockCentiseconds',
  'exposureCentiseconds',
  'decisions',
  'travelled',
  'worldTick',
  'contacts',
  'incidents',
  'hazards',
  'violations',
  'conflicts',
  'closeTicks',
  'impactMaximum',
  'impactSum',
] as const;
const passive = [1, 3, 5, 7];

describe.for(softwareAdapters)('on %s', (adapter) => {
  const absent = whyAbsent(adapter);
  let gpu: TestGpu | undefined;
  beforeAll(async () => {
    if (!absent) gpu = await TestGpu.open(adapter);
  });
  afterAll(() => gpu?.close());

  /** All batches here have one shape, so that a driver compiles the kernels once. */
  const openBatch = (maps?: readonly string[], execution?: Execution): Promise<BatchSimulator> =>
    gpu!.batch(bundledWorld(maps), crowd, execution);

  test.skipIf(absent)('alone: one after the other, with nothing else in the batch', { timeout }, async () => {
    const batch = await openBatch();
    for (const recording of recordings.slice(0, 4)) {
      expect(await replay(batch, [{ env: 0, recording }])).toEqual([]);
    }
    expect(batch.summary.get(1, 'status')).toBe(0);
  });

  test.skipIf(absent)(`among ${crowd} others; in other slots, in another order`, { timeout }, async () => {
    const batch = await openBatch();
    const spread = seatAll((index) => (index * 257 + 3) % crowd);
    expect(await replay(batch, spread, { beforeRound: crowdOf(batch, spread) })).toEqual([]);
    const reversed = seatAll((index) => crowd - 1 - index, [...recordings].reverse());
    expect(await replay(batch, reversed)).toEqual([]);
  });

  test.skipIf(absent)('resumed half-way, from the actions and latencies so far', { timeout }, async () => {
    const half = Math.floor(mostDecisions / 2);
    const interrupted = await openBatch();
    expect(
      await replay(
        interrupted,
        seatAll((index) => index),
        { decisions: half },
      ),
    ).toEqual([]);
    const resumed = await openBatch();
    const seats = seatAll((index) => 2 * index + 1);
    await replay(resumed, seats, { decisions: half });
    expect(await playRounds(resumed, seats, half + 1, mostDecisions)).toEqual([]);
  });

  test.skipIf(absent)('with looks in the middle of actions', { timeout }, async () => {
    for (const frameTicks of [5, 3]) {
      const batch = await openBatch();
      const seats = seatAll((index) => index * 5);
      let looks = 0;
      const onFrame = (envs: readonly number[]) => {
        looks += envs.length;
        return Promise.resolve();
      };
      const beforeRound = crowdOf(batch, seats);
      expect(await replay(batch, seats, { beforeRound, watch: { frameTicks, onFrame } })).toEqual([]);
      expect(looks).toBeGreaterThan(1000);
    }
  });

  test.skipIf(absent)('with other maps loaded, in another order', { timeout }, async () => {
    // rt10 has the most actors of all, which fixes the shape of the batch.
    for (const loaded of [['rt10'], ['rt20', 'rt12', 'rt10']]) {
      const batch = await openBatch(loaded);
      const some = recordings.filter(({ map }) => loaded.includes(map));
      expect(some.length).toBeGreaterThan(1);
      expect(
        await replay(
          batch,
          seatAll((index) => index, some),
        ),
      ).toEqual([]);
    }
  });

  // Lavapipe takes over a minute to compile what a workgroup shares; `npm run verify-reference` can be told to.
  test.skipIf(absent ?? adapter === 'lavapipe')(
    'by a workgroup to each environment',
    { timeout },
    async () => {
      const batch = await gpu!.batch(world, recordings.length, executions.team);
      expect(
        await replay(
          batch,
          seatAll((index) => index),
        ),
      ).toEqual([]);
    },
  );

  test.skipIf(absent)(
    'clocks never run backwards, counters never shrink, time charged is time moved',
    {
      timeout,
    },
    async () => {
      const batch = await openBatch();
      const { summary } = batch;
      const seats = seatAll((index) => index);
      const countersOf = (env: number) => growing.flatMap((member) => [...summary.getArray(env, member)]);
      const before = new Map<number, number[]>();
      const exposure = new Map<number, number>();
      const stateOf = async (env: number) => {
        const { state } = await batch.readEnvironment(env);
        return (member: string) => state[batch.stateLayout.word(member)]!;
      };

      const check = async (round: number, played: readonly Seat[]) => {
        for (const { env, recording } of played) {
          const counters = countersOf(env);
          const last = before.get(env) ?? counters;
          expect(counters.filter((value, place) => value < last[place]!)).toEqual([]);
          before.set(env, counters);
          if (round === 0) continue;

          const { latencyCentiseconds } = recording.decisions[round - 1]!;
          const charged = (exposure.get(env) ?? 0) + latencyCentiseconds;
          exposure.set(env, charged);
          expect(summary.get(env, 'exposureCentiseconds')).toBe(charged);
          const ticks = summary.get(env, 'worldTick');
          const clock = summary.get(env, 'clockCentiseconds');
          const contacts = summary.getArray(env, 'contacts');
          const state = await stateOf(env);
          if (recording.start.mode === 'static') {
            expect(clock).toBe(ticks * 10);
            expect(passive.map((index) => contacts[index])).toEqual([0, 0, 0, 0]);
          } else if (summary.get(env, 'outcome') !== 2) {
            expect(clock).toBe(ticks * 10 + state('carryCentiseconds'));
            expect(state('carryCentiseconds')).toBeLessThan(10);
          }
          // Every contact belongs to an interval: those of the decision are the active and the passive ones.
          const place = growing.slice(0, growing.indexOf('contacts')).length;
          const gained = contacts.map((count, index) => count - last[place + index]!);
          const [humans, , objects, , buildings] = gained;
          expect(state('decisionContacts')).toBe(humans! + objects!);
          expect(state('decisionBuilding')).toBe(buildings);
          expect(state('decisionPassive')).toBe(passive.reduce((sum, index) => sum + gained[index]!, 0));
        }
      };
      expect(await replay(batch, seats, { afterRound: check })).toEqual([]);
      // Both kinds of episodes took part, and something happened in them.
      expect(new Set(recordings.map(({ start }) => start.mode)).size).toBe(2);
      expect(seats.some(({ env }) => summary.getArray(env, 'contacts')[0]! > 0)).toBe(true);
      expect(
        seats.some(({ env }) => passive.some((index) => summary.getArray(env, 'contacts')[index]! > 0)),
      ).toBe(true);
    },
  );
});
