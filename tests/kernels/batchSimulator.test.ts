// The batch at its boundaries: sizes, empty worlds, resets and decisions out of turn, memory, destruction.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type BatchSimulator,
  outcomes,
  type ResetRequest,
  status,
  suitableExecution,
} from '../../src/kernels/batchSimulator.ts';
import { actorWords } from '../../src/kernels/world.ts';
import { whyAbsent } from '../host/adapters/softwareAdapters.ts';
import { ReferenceEpisode } from '../reference/episode.ts';
import { stateHash } from '../reference/stateHash.ts';
import { compareWithReference } from './support/compareWithReference.ts';
import { emptyStreet, emptyStreetRouteCm } from './support/emptyStreet.ts';
import { executions, TestGpu } from './support/openBatch.ts';
import { drawScenario } from './support/randomScenarios.ts';
import { bundledWorld, referenceEpisode, routeIndex } from './support/testWorld.ts';

const world = bundledWorld();
const street = emptyStreet();
const fourMetresAhead = 5;
const waitOneSecond = 14;
const timeout = 600_000;

let gpu: TestGpu;
beforeAll(async () => {
  gpu = await TestGpu.open('swiftshader');
});
afterAll(() => gpu.close());

function request(env: number, changes: Partial<ResetRequest> = {}): ResetRequest {
  return {
    env,
    route: 0,
    rules: 0,
    mode: 'realtime',
    seed: 1000 + env,
    maxDecisions: 100,
    percent: 100,
    speedChoices: 1,
    classes: 63,
    ...changes,
  };
}

function adapterOf(info: Partial<GPUAdapterInfo>): GPUAdapter {
  return { info: { vendor: '', architecture: '', description: '', ...info } } as GPUAdapter;
}

function hashOf(batch: BatchSimulator, env: number): number {
  return batch.summary.get(env, 'stateHash');
}

/** The hash of an episode on the reference after some decisions. */
function expectedHash(
  batch: BatchSimulator,
  start: ResetRequest,
  decisions: readonly [number, number][],
): number {
  const episode = referenceEpisode(batch.world, start);
  for (const [action, latency] of decisions) episode.decide(action, latency);
  return stateHash(episode.environment);
}

describe('sizes', () => {
  test.each([0, -1, 1.5, Number.NaN])('%s environments are a RangeError', async (envCount) => {
    await expect(gpu.batch(street, envCount)).rejects.toThrow(
      new RangeError(`envCount ${envCount}: allowed is 1 or more`),
    );
  });

  test.each([1, 65])('%i environments, all used', { timeout }, async (envCount) => {
    const batch = await gpu.batch(street, envCount);
    const scenarios = Array.from({ length: envCount + 3 }, (_, index) => drawScenario(street, 21, index));
    const { episodes } = await compareWithReference(batch, scenarios);
    expect(episodes).toBe(envCount + 3);
  });

  test('65,536 environments: more workgroups than one dimension takes', { timeout }, async () => {
    const envCount = 65_536;
    expect(gpu.context.device.limits.maxComputeWorkgroupsPerDimension).toBeLessThan(envCount);
    const batch = await gpu.batch(street, envCount, { threads: 1 });
    const some = [0, 1, 63, 64, 32_767, 32_768, 65_534, 65_535].map((env) => request(env));
    batch.reset(some);
    await batch.advance();
    for (const { env } of some) batch.decide(env, fourMetresAhead, 150);
    await batch.advance();
    for (const start of some) {
      expect(hashOf(batch, start.env)).toBe(expectedHash(batch, start, [[fourMetresAhead, 150]]));
    }
    expect(batch.summary.get(2, 'status')).toBe(0);
  });

  test('more environments than one storage binding holds', { timeout }, async ({ skip }) => {
    const absent = whyAbsent('lavapipe');
    if (absent) skip(absent);
    const lavapipe = await TestGpu.open('lavapipe');
    const { maxStorageBufferBindingSize } = lavapipe.context.device.limits;
    const envCount = 25_000;
    const batch = await lavapipe.batch(bundledWorld(['rt10']), envCount);
    const shardSize = Math.floor(maxStorageBufferBindingSize / (batch.actorStride * actorWords * 4) / 8) * 8;
    expect(shardSize).toBeLessThan(envCount);
    const some = [0, shardSize - 1, shardSize, envCount - 1].map((env) => request(env));
    batch.reset(some);
    await batch.advance();
    for (const { env } of some) batch.decide(env, fourMetresAhead, 70);
    await batch.advance();
    for (const start of some) {
      expect(hashOf(batch, start.env)).toBe(expectedHash(batch, start, [[fourMetresAhead, 70]]));
    }
    const { state } = await batch.readEnvironment(envCount - 1);
    expect(state[batch.stateLayout.word('seed')]).toBe(1000 + envCount - 1);
    await lavapipe.close();
  });
});

describe('looks in the middle of actions', () => {
  /** Environment by environment: an action, the thought before it, and how many looks 5 ticks apart it takes. */
  const cases: readonly (readonly [action: number, latency: number, looks: number])[] = [
    [0, 30, 0],
    [1, 30, 0],
    [2, 0, 1],
    [5, 2569, 3],
    [8, 7, 1],
    [14, 9999, 1],
    [15, 30, 3],
    [16, 30, 5],
  ];

  test.each(['static', 'realtime'] as const)(
    'strictly before their end, in %s mode',
    { timeout },
    async (mode) => {
      const batch = await gpu.batch(street, cases.length, { tickBudget: 256 });
      batch.reset(cases.map((_, env) => request(env, { mode, percent: 0, classes: 0 })));
      await batch.advance();
      const startX = batch.summary.get(3, 'x');
      for (const round of [0, 1]) {
        const looks = cases.map(() => 0);
        const walked: number[] = [];
        const before = batch.summary.get(3, 'x');
        for (const [env, [action, latency]] of cases.entries()) batch.decide(env, action, latency);
        await batch.advance({
          frameTicks: 5,
          onFrame(envs) {
            for (const env of envs) looks[env]!++;
            if (envs.includes(3)) walked.push(batch.summary.get(3, 'x') - before);
            return Promise.resolve();
          },
        });
        expect(looks).toEqual(cases.map(([, , expected]) => expected));
        expect(walked).toEqual([1600, 3200, 4800]);
        for (const [env, [action, latency]] of cases.entries()) {
          const played = Array.from({ length: round + 1 }, () => [action, latency] as [number, number]);
          const start = request(env, { mode, percent: 0, classes: 0 });
          expect(hashOf(batch, env)).toBe(expectedHash(batch, start, played));
        }
      }
      expect(batch.summary.get(3, 'x') - startX).toBe(2 * 6400);
    },
  );

  test('a period that is no whole number of ticks is a RangeError', async () => {
    const batch = await gpu.batch(street, 1);
    batch.reset([request(0)]);
    await batch.advance();
    batch.decide(0, 1, 0);
    await expect(batch.advance({ frameTicks: 0.5, onFrame: () => Promise.resolve() })).rejects.toThrow(
      new RangeError('frameTicks 0.5: allowed is 1 or more'),
    );
  });
});

describe('worlds', () => {
  test('a route of one edge is walked to its end', async () => {
    const batch = await gpu.batch(street, 8);
    batch.reset([request(0, { classes: 0 })]);
    await batch.advance();
    let decisions = 0;
    while (batch.summary.get(0, 'status') === status.awaiting) {
      batch.decide(0, fourMetresAhead, 0);
      await batch.advance();
      decisions++;
    }
    expect(batch.summary.get(0, 'outcome')).toBe(outcomes.success);
    expect(batch.summary.get(0, 'travelled')).toBe(decisions * 400 * 16);
    // The last 2.5 m need not be walked.
    expect(decisions).toBe(Math.ceil((emptyStreetRouteCm - 250) / 400));
    expect(batch.summary.get(0, 'clockCentiseconds')).toBe(decisions * 200);
    expect(batch.summary.get(0, 'subgoal')).toBe(1);
  });

  test('no actors at all', async () => {
    const batch = await gpu.batch(street, 8);
    const start = request(3, { classes: 0, percent: 0 });
    batch.reset([start]);
    await batch.advance();
    expect(hashOf(batch, 3)).toBe(expectedHash(batch, start, []));
    batch.decide(3, fourMetresAhead, 6000);
    await batch.advance();
    expect(hashOf(batch, 3)).toBe(expectedHash(batch, start, [[fourMetresAhead, 6000]]));
    const { state, actors } = await batch.readEnvironment(3);
    const counts = ['pedestrians', 'dogs', 'falling', 'props'].map(
      (name) => state[batch.stateLayout.word(name)],
    );
    expect(counts).toEqual([0, 0, 0, 0]);
    expect(actors.every((word) => word === 0)).toBe(true);
  });

  test('a class switched off has no slots, one at 0 % none either', { timeout }, async () => {
    const batch = await gpu.batch(world, 4096);
    const starts = [
      request(0, { classes: 63 & ~1 }),
      request(1, { classes: 63 & ~8 }),
      request(2, { percent: 0 }),
      request(3, { percent: 1, classes: 3 }),
    ];
    batch.reset(starts);
    await batch.advance();
    const countsOf = async (env: number) => {
      const { state } = await batch.readEnvironment(env);
      return ['pedestrians', 'dogs', 'falling', 'props'].map((name) => state[batch.stateLayout.word(name)]);
    };
    for (const start of starts) {
      const { state } = new ReferenceEpisode(world, referenceEpisode(world, start).environment.rules, {
        ...start,
        mode: 1,
      });
      expect(await countsOf(start.env)).toEqual([state.pedestrians, state.dogs, state.falling, state.props]);
    }
    expect((await countsOf(0))[0]).toBe(0);
    expect((await countsOf(1))[3]).toBe(0);
    expect((await countsOf(2)).slice(0, 3)).toEqual([0, 0, 0]);
  });
});

describe('out of turn', () => {
  let batch: BatchSimulator;
  beforeAll(async () => {
    batch = await gpu.batch(street, 8);
  });

  async function start(...requests: ResetRequest[]): Promise<void> {
    batch.reset(requests);
    await batch.advance();
  }

  test('a reset in the middle of others leaves them as they are', async () => {
    const [first, second, third] = [request(0), request(1), request(2)];
    await start(first, second, third);
    for (const { env } of [first, second, third]) batch.decide(env, fourMetresAhead, 130);
    await batch.advance();
    const again = request(1, { seed: 77, mode: 'static' });
    batch.reset([again]);
    batch.decide(0, waitOneSecond, 40);
    await batch.advance();
    expect(hashOf(batch, 0)).toBe(
      expectedHash(batch, first, [
        [fourMetresAhead, 130],
        [waitOneSecond, 40],
      ]),
    );
    expect(hashOf(batch, 1)).toBe(expectedHash(batch, again, []));
    expect(hashOf(batch, 2)).toBe(expectedHash(batch, third, [[fourMetresAhead, 130]]));
  });

  test('of two resets of one slot in one round, and of two decisions, the last counts', async () => {
    const last = request(4, { seed: 6 });
    batch.reset([request(4, { seed: 5 }), request(5)]);
    batch.reset([last]);
    await batch.advance();
    expect(hashOf(batch, 4)).toBe(expectedHash(batch, last, []));
    batch.decide(4, waitOneSecond, 10);
    batch.decide(4, fourMetresAhead, 250);
    await batch.advance();
    expect(hashOf(batch, 4)).toBe(expectedHash(batch, last, [[fourMetresAhead, 250]]));
    expect(batch.summary.get(4, 'decisions')).toBe(1);
  });

  test('a decision staged together with a reset is the first of the new episode', async () => {
    const fresh = request(6, { seed: 8 });
    await start(request(6));
    batch.reset([fresh]);
    batch.decide(6, fourMetresAhead, 30);
    await batch.advance();
    expect(hashOf(batch, 6)).toBe(expectedHash(batch, fresh, [[fourMetresAhead, 30]]));
  });

  test('a decision for an environment that is done, or was never started, is ignored for good', async () => {
    const fresh = await gpu.batch(street, 8);
    fresh.reset([request(0, { maxDecisions: 1 }), request(1)]);
    await fresh.advance();
    fresh.decide(0, waitOneSecond, 0);
    await fresh.advance();
    expect(fresh.summary.get(0, 'status')).toBe(status.done);
    expect(fresh.summary.get(0, 'outcome')).toBe(outcomes.decisionBudget);
    const before = hashOf(fresh, 0);
    for (const env of [0, 2]) fresh.decide(env, fourMetresAhead, 500);
    await fresh.advance();
    expect(hashOf(fresh, 0)).toBe(before);
    expect(fresh.summary.get(0, 'decisions')).toBe(1);
    expect(fresh.summary.get(2, 'status')).toBe(0);
    // Nor does it wait for the next episode in that slot.
    for (const env of [0, 2]) fresh.decide(env, fourMetresAhead, 500);
    await fresh.advance();
    fresh.reset([request(0), request(2)]);
    await fresh.advance();
    fresh.decide(1, waitOneSecond, 0);
    await fresh.advance();
    for (const env of [0, 2]) {
      expect(fresh.summary.get(env, 'decisions')).toBe(0);
      expect(hashOf(fresh, env)).toBe(expectedHash(fresh, request(env), []));
    }
  });

  test('an advance with nothing staged changes nothing', async () => {
    await start(request(7));
    batch.decide(7, waitOneSecond, 12);
    await batch.advance();
    const { state, actors } = await batch.readEnvironment(7);
    await batch.advance();
    expect(await batch.readEnvironment(7)).toEqual({ state, actors });
  });

  test('a decision of no time at all ends at once', async () => {
    await start(request(3));
    batch.decide(3, 0, 0);
    await batch.advance();
    expect(batch.summary.get(3, 'decisions')).toBe(1);
    expect(batch.summary.get(3, 'clockCentiseconds')).toBe(0);
    expect(batch.summary.get(3, 'status')).toBe(status.awaiting);
  });

  test('unknown environments and routes are RangeErrors that leave the batch usable', async () => {
    for (const env of [-1, 8, Number.NaN]) {
      const message = new RangeError(`environment ${env}: allowed are 0 to 7`);
      expect(() => batch.decide(env, 1, 0)).toThrow(message);
      expect(() => batch.reset([request(env)])).toThrow(message);
      await expect(batch.readEnvironment(env)).rejects.toThrow(message);
    }
    for (const route of [-1, 1, 0.5]) {
      expect(() => batch.reset([request(0, { route })])).toThrow(
        new RangeError(`route ${route}: the world has 1`),
      );
    }
    await start(request(0, { seed: 4 }));
    expect(hashOf(batch, 0)).toBe(expectedHash(batch, request(0, { seed: 4 }), []));
  });
});

describe('memory', () => {
  const mebibyte = 1024 * 1024;

  test('4096 hard environments of all five maps take less than 512 MiB; maps cost nothing per environment', {
    timeout,
  }, async () => {
    const [small, large, all] = [
      (await gpu.batch(street, 8)).memory,
      (await gpu.batch(street, 72)).memory,
      (await gpu.batch(world, 4096)).memory,
    ];
    expect(small.world).toBe(large.world);
    expect(all.world).toBeGreaterThan(2 * large.world);
    expect(all.world).toBeLessThan(4 * mebibyte);
    expect(large.batch).toBeCloseTo(9 * small.batch, -4);
    expect(all.world + all.batch).toBeLessThan(512 * mebibyte);
  });

  test('a destroyed batch leaves no GPU error behind, and the context usable', async () => {
    const first = await gpu.batch(street, 3);
    first.reset([request(0)]);
    await first.advance();
    await first.destroy();
    const second = await gpu.batch(street, 3);
    second.reset([request(0)]);
    await second.advance();
    expect(hashOf(second, 0)).toBe(expectedHash(second, request(0), []));
    expect(gpu.context.failure).toBeUndefined();
  });
});

describe('the execution that suits an adapter', () => {
  test.each([
    { info: { architecture: 'swiftshader' }, teamwork: 'solo' },
    { info: { description: 'llvmpipe (LLVM 19.1.7, 256 bits)' }, teamwork: 'solo' },
    { info: { vendor: 'nvidia', architecture: 'hopper' }, teamwork: 'team' },
    { info: {}, teamwork: 'team' },
  ])('$info: $teamwork', ({ info, teamwork }) => {
    expect(suitableExecution(adapterOf(info)).teamwork).toBe(teamwork);
  });

  test('software drivers here are run solo', () => {
    expect(suitableExecution(gpu.context.adapter)).toEqual(executions.solo);
  });
});

test('routes of the test worlds are found by name', () => {
  expect(world.routeList[routeIndex(world, 'rt15', 16)]).toMatchObject({ map: 'rt15', id: 16 });
});
