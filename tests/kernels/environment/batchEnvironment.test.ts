// The vector environment beyond Gymnasium's rules: many calls at once, snapshots, latencies, pictures, faults.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileCameraScene } from '../../../src/host/images/cameraScene.ts';
import { readShader } from '../../../src/host/shaderFiles.ts';
import { Camera } from '../../../src/kernels/camera/camera.ts';
import { publishedRig } from '../../../src/kernels/camera/rig.ts';
import type {
  BatchEnvironment,
  EnvironmentOptions,
} from '../../../src/kernels/environment/batchEnvironment.ts';
import { EnvironmentError } from '../../../src/kernels/environment/environmentError.ts';
import type { Episode } from '../../../src/kernels/environment/episodes.ts';
import { fixedLatency } from '../../../src/kernels/environment/latency.ts';
import type { Transition } from '../../../src/kernels/environment/reward.ts';
import { stateFields } from '../../../src/kernels/environment/stateFields.ts';
import { presentSoftwareAdapters } from '../../host/adapters/softwareAdapters.ts';
import { obstacleCourse } from '../support/obstacleCourse.ts';
import { executions, TestGpu } from '../support/openBatch.ts';
import { openEnvironment } from './openEnvironment.ts';
import { stateOf } from './readRow.ts';

const timeout = 600_000;
const fourMetresAhead = 5;
const waitOneSecond = 14;

let gpu: TestGpu;
const opened: BatchEnvironment[] = [];
beforeAll(async () => {
  gpu = await TestGpu.open(presentSoftwareAdapters[0]!);
});
afterAll(async () => {
  for (const environment of opened) await environment.close();
  await gpu.close();
});

async function open(
  options: Partial<EnvironmentOptions<Episode>> & { readonly numEnvs: number },
): Promise<BatchEnvironment> {
  const environment = await openEnvironment(gpu.context, options);
  opened.push(environment);
  return environment;
}

/** Episodes that are long, and alike but for their seed. */
function longEpisode(
  changes: Partial<Episode['start']> = {},
): (place: { seed: number; number: number }) => Episode {
  return ({ seed, number }) => ({
    start: {
      route: 1,
      rules: 0,
      mode: 'realtime',
      seed: seed + 1000 * number,
      maxDecisions: 100,
      percent: 100,
      speedChoices: 1,
      classes: 63,
      ...changes,
    },
  });
}

describe('many calls at once', () => {
  test('a thousand asynchronous resets in a row, of finished environments too', { timeout }, async () => {
    const environment = await open({
      numEnvs: 3,
      autoresetMode: 'disabled',
      episodes: longEpisode({ maxDecisions: 1 }),
    });
    await environment.reset({ seed: 5 });
    const { truncations } = await environment.step([waitOneSecond, fourMetresAhead, waitOneSecond]);
    expect([...truncations]).toEqual([1, 1, 1]);
    const resets = Array.from({ length: 1000 }, (_, call) =>
      environment.reset({ options: { mask: [true, call % 2 === 0, call % 10 === 0] } }),
    );
    await Promise.all(resets);
    expect([...environment.infos.episodeNumber]).toEqual([1000, 500, 100]);
    expect([...environment.infos.status]).toEqual([1, 1, 1]);
    const fresh = await open({
      numEnvs: 3,
      episodes: ({ env }) =>
        longEpisode({ maxDecisions: 1 })({ seed: 5 + env, number: [1000, 500, 100][env]! }),
    });
    await fresh.reset();
    expect(environment.infos.stateHash).toEqual(fresh.infos.stateHash);
    expect(environment.observations).toEqual(fresh.observations);
    const [ended, expected] = [await environment.step([5, 6, 7]), await fresh.step([5, 6, 7])];
    expect(ended.infos.stateHash).toEqual(expected.infos.stateHash);
  });

  test('a step that is sent goes on while the caller does something else', async () => {
    const environment = await open({ numEnvs: 2, episodes: longEpisode() });
    await environment.reset({ seed: 1 });
    const actions = [fourMetresAhead, fourMetresAhead];
    environment.send(actions);
    // The arrays are the caller's again at once.
    actions.fill(waitOneSecond);
    await expect(environment.reset()).rejects.toThrow(
      new EnvironmentError('reset: a step was sent; recv its result first'),
    );
    await expect(environment.snapshot(0)).rejects.toThrow('snapshot: a step was sent');
    expect(() => environment.send([1, 1])).toThrow('send: a step was sent already; recv its result first');
    const { infos } = await environment.recv();
    expect([...infos.decided]).toEqual([1, 1]);
    expect(stateOf(environment.observations, 0, 'agent.lastAction')).toBe(fourMetresAhead);
    await expect(environment.recv()).rejects.toThrow('recv: found nothing sent');
  });

  test('one seed gives one episode, whatever the batch and the slot', async () => {
    const [small, large] = [await open({ numEnvs: 2 }), await open({ numEnvs: 9 })];
    await small.reset({ seed: [77, 78] });
    await large.reset({ seed: 70 });
    const bits = (environment: BatchEnvironment, env: number) =>
      environment.observations.state!.slice(env * stateFields.length, (env + 1) * stateFields.length);
    expect([small.infos.stateHash[0], small.infos.stateHash[1]]).toEqual([
      ...large.infos.stateHash.subarray(7, 9),
    ]);
    expect(bits(small, 1)).toEqual(bits(large, 8));
    expect(small.episode(0)).toEqual(large.episode(7));
  });
});

describe('snapshots', () => {
  // Actors of eight environments are interleaved, or of one.
  test.each([8, 1])(
    'restored into another slot go on with the same hashes, blocks of %i',
    { timeout },
    async (laneBlock) => {
      const environment = await open({
        numEnvs: 19,
        episodes: longEpisode(),
        execution: { ...executions.solo, laneBlock },
        latency: fixedLatency(1.3),
      });
      await environment.reset({ seed: 3 });
      const go = (action: number) => environment.step(new Uint8Array(19).fill(action));
      for (const action of [5, 5, 11, 5]) await go(action);
      const snapshot = structuredClone(await environment.snapshot(2));
      const actions = [5, 10, 3, 16, 5];
      const hashes: number[] = [];
      for (const action of actions) hashes.push((await go(action)).infos.stateHash[2]!);
      const others = environment.infos.stateHash.slice();
      // Other lanes of the block, other blocks, and where it came from.
      const slots = [18, 9, 2, 7];
      for (const env of slots) await environment.restore(env, snapshot);
      for (const env of slots) expect(environment.infos.decisions[env]).toBe(4);
      for (let env = 0; env < 19; env++)
        if (!slots.includes(env)) expect(environment.infos.stateHash[env]).toBe(others[env]);
      for (const [place, action] of actions.entries()) {
        const { infos } = await go(action);
        for (const env of slots) expect(infos.stateHash[env]).toBe(hashes[place]);
      }
    },
  );

  test('of an episode that is over, and into another environment of the same world', async () => {
    const [first, second] = [await open({ numEnvs: 1 }), await open({ numEnvs: 4 })];
    await first.reset({ options: { episodes: [longEpisode({ maxDecisions: 1 })({ seed: 4, number: 0 })] } });
    const { truncations } = await first.step([fourMetresAhead]);
    expect([...truncations]).toEqual([1]);
    const snapshot = await first.snapshot(0);
    await second.reset({ seed: 1 });
    await second.restore(3, snapshot);
    expect(second.infos.stateHash[3]).toBe(first.infos.stateHash[0]);
    const { infos } = await second.step([1, 1, 1, 1]);
    expect([infos.decided[3], infos.started[3], infos.episodeNumber[3]]).toEqual([0, 1, 1]);
  });

  test('of another layout, or of no episode, are refused', async () => {
    const environment = await open({ numEnvs: 2 });
    await expect(environment.snapshot(1)).rejects.toThrow(
      'snapshot: environment 1 plays no episode; reset it first',
    );
    await environment.reset();
    const snapshot = await environment.snapshot(1);
    const { state, actors } = snapshot.simulated;
    const short = { ...snapshot, simulated: { state, actors: actors.slice(8) } };
    await expect(environment.restore(0, short)).rejects.toThrow(RangeError);
    await expect(environment.restore(2, snapshot)).rejects.toThrow('environment 2: allowed are 0 to 1');
    const lost = { ...snapshot, episode: longEpisode({ route: 7 })({ seed: 0, number: 0 }) };
    await expect(environment.restore(0, lost)).rejects.toThrow('episode: found route 7, allowed are 0 to 1');
  });
});

describe('latency', () => {
  test('is what the clock moves on before the action, drawn or supplied', async () => {
    const environment = await open({
      numEnvs: 2,
      episodes: longEpisode({ classes: 0 }),
      latency: ({ start }, decision) => start.seed + decision,
    });
    await environment.reset({ seed: [40, 50] });
    const first = await environment.step([waitOneSecond, waitOneSecond]);
    expect([...first.infos.latencyCentiseconds]).toEqual([41, 51]);
    expect([...first.infos.clockCentiseconds]).toEqual([141, 151]);
    const second = await environment.step([waitOneSecond, waitOneSecond], { latencies: [7, 300] });
    expect([...second.infos.latencyCentiseconds]).toEqual([7, 300]);
    expect([...second.infos.clockCentiseconds]).toEqual([248, 551]);
    expect([...second.infos.exposureCentiseconds]).toEqual([48, 351]);
  });

  test('must come with every step where it is supplied', async () => {
    const environment = await open({ numEnvs: 1, latency: 'supplied' });
    expect(environment.metadata.latency).toBe('supplied');
    await environment.reset();
    await expect(environment.step([1])).rejects.toThrow(
      new RangeError(
        'latencies: found none, allowed is one for each environment where the latency is supplied',
      ),
    );
    for (const wrong of [-1, 0.5, 360_001, Number.NaN]) {
      await expect(environment.step([1], { latencies: [wrong] })).rejects.toThrow(
        new RangeError(
          `latencies: environment 0: found ${wrong}, allowed are whole centiseconds from 0 to 360000`,
        ),
      );
    }
    expect([...(await environment.step([1], { latencies: [360_000] })).infos.decided]).toEqual([1]);
  });

  test('that is no latency changes nothing', async () => {
    let latency = 1.5;
    const environment = await open({ numEnvs: 2, latency: () => latency });
    await environment.reset({ seed: 1 });
    const before = environment.infos.stateHash.slice();
    await expect(environment.step([1, 1])).rejects.toThrow('latency: environment 0: found 1.5');
    latency = 100;
    await environment.step([1, 1], { mask: [false, false] });
    expect(environment.infos.stateHash).toEqual(before);
    expect(() => fixedLatency(-1)).toThrow('latency: found -100');
  });
});

describe('episodes', () => {
  test('end with their source: the environment stands idle', async () => {
    const environment = await open({
      numEnvs: 2,
      episodes: (place) =>
        place.number < 1 + place.env ? longEpisode({ maxDecisions: 1 })(place) : undefined,
    });
    await environment.reset({ seed: 1 });
    const step = () => environment.step([waitOneSecond, waitOneSecond]);
    expect([...(await step()).truncations]).toEqual([1, 1]);
    expect([...(await step()).infos.started]).toEqual([0, 1]);
    expect(environment.episode(0)).toBeUndefined();
    const { infos, truncations, rewards } = await step();
    expect([...infos.decided, ...infos.started, ...truncations]).toEqual([0, 1, 0, 0, 0, 1]);
    expect([rewards[0], infos.status[0]]).toEqual([0, 0]);
    // A given episode revives it.
    await environment.reset({
      options: { mask: [1, 0], episodes: [longEpisode()({ seed: 9, number: 0 }), undefined] },
    });
    expect([...(await step()).infos.decided]).toEqual([1, 0]);
  });

  test('whose source fails, or asks for what is not there, leave everything as it is', async () => {
    let fails = false;
    const environment = await open({
      numEnvs: 3,
      episodes: (place) => {
        if (fails && place.env === 2) throw new Error('no more');
        return longEpisode(fails ? { rules: 99 } : {})(place);
      },
    });
    await environment.reset({ seed: 1 });
    const before = structuredClone(environment.infos.stateHash);
    fails = true;
    await expect(environment.reset({ options: { mask: [0, 0, 1] } })).rejects.toThrow('no more');
    await expect(environment.reset()).rejects.toThrow('episode: found rules 99');
    fails = false;
    expect([...environment.infos.episodeNumber]).toEqual([0, 0, 0]);
    await environment.step([1, 1, 1], { mask: [0, 0, 0] });
    expect(environment.infos.stateHash).toEqual(before);
  });
});

describe('pictures', () => {
  const scene = compileCameraScene([obstacleCourse()]);
  const [width, height] = [24, 16];

  test("are what the agent's camera shows, the last of an episode included", { timeout }, async () => {
    const environment = await open({
      numEnvs: 3,
      autoresetMode: 'same-step',
      image: { scene, width, height },
    });
    expect(environment.singleObservationSpace.spaces.image).toEqual({
      type: 'Box',
      dtype: 'uint8',
      shape: [height, width, 3],
      low: 0,
      high: 255,
    });
    expect(environment.observationSpace.spaces.image!.shape).toEqual([3, height, width, 3]);
    const endless = await open({ numEnvs: 3, image: { scene, width, height }, episodes: longEpisode() });
    const starts = [0, 1, 2].map((seed) =>
      longEpisode({ maxDecisions: seed === 1 ? 1 : 9 })({ seed, number: 0 }),
    );
    await environment.reset({ options: { episodes: starts } });
    await endless.reset({ seed: [0, 1, 2] });
    expect(environment.observations.image).toEqual(endless.observations.image);
    await environment.step([fourMetresAhead, 10, waitOneSecond], { latencies: [0, 0, 0] });
    await endless.step([fourMetresAhead, 10, waitOneSecond], { latencies: [0, 0, 0] });
    const bytes = width * height * 3;
    const row = (image: Uint8Array, env: number) => image.subarray(env * bytes, (env + 1) * bytes);
    expect([...environment.infos.finalMask]).toEqual([0, 1, 0]);
    expect(row(environment.infos.finalObs.image!, 1)).toEqual(row(endless.observations.image!, 1));
    expect(row(environment.observations.image!, 0)).toEqual(row(endless.observations.image!, 0));
    expect(row(environment.observations.image!, 1)).not.toEqual(row(endless.observations.image!, 1));
    const camera = await Camera.create(gpu.context, endless.batch, {
      shaders: readShader,
      scene,
      rig: { ...publishedRig, width, height },
    });
    const { colour } = await camera.render([0, 1, 2].map((env) => ({ env })));
    const rgb = colour.filter((_, byte) => byte % 4 < 3);
    expect(endless.observations.image).toEqual(rgb);
    expect(new Set(rgb).size).toBeGreaterThan(20);
    await camera.destroy();
  });

  test('alone: no state vector, still masks', async () => {
    const environment = await open({ numEnvs: 1, state: false, image: { scene, width, height } });
    expect(Object.keys(environment.singleObservationSpace.spaces)).toEqual(['image']);
    const { observations } = await environment.reset({ seed: 1 });
    expect(observations.state).toBeUndefined();
    expect(environment.actionMasks.reduce((sum, mask) => sum + mask, 0)).toBeGreaterThan(10);
  });
});

describe('rewards', () => {
  test('may be a function of the caller, which is told what a decision did', async () => {
    const seen: Transition[] = [];
    const environment = await open({
      numEnvs: 1,
      episodes: longEpisode({ classes: 0, route: 0 }),
      latency: fixedLatency(0.5),
      reward: (transition) => {
        seen.push({ ...transition });
        return 7;
      },
    });
    expect(environment.metadata.reward).toEqual({ name: 'custom', weights: {} });
    await environment.reset();
    const { rewards } = await environment.step([fourMetresAhead]);
    expect([...rewards]).toEqual([7]);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ seconds: 2.5, latencySeconds: 0.5, contacts: 0, success: false });
    expect(seen[0]!.progressMetres).toBeCloseTo(4, 6);
  });

  test('a safe arrival is worth its metres and a hundred more', async () => {
    const environment = await open({
      numEnvs: 1,
      episodes: longEpisode({ classes: 0, route: 0 }),
      autoresetMode: 'disabled',
    });
    await environment.reset();
    let total = 0;
    let terminated = 0;
    let decisions = 0;
    while (terminated === 0) {
      const { rewards, terminations } = await environment.step([fourMetresAhead], { latencies: [0] });
      total += rewards[0]!;
      terminated = terminations[0]!;
      decisions++;
    }
    expect(environment.infos.outcome[0]).toBe(1);
    expect(total).toBeCloseTo(4 * decisions + 100, 3);
  });
});

describe('faults', () => {
  let environment: BatchEnvironment;
  beforeAll(async () => {
    environment = await open({ numEnvs: 2 });
  });

  test('a step before the first reset', async () => {
    await expect(environment.step([1, 1])).rejects.toThrow(
      new EnvironmentError('step: environment 0 was never reset; reset it first'),
    );
    await environment.reset({ options: { mask: [true, false] } });
    await expect(environment.step([1, 1])).rejects.toThrow('environment 1 was never reset');
    expect([...(await environment.step([1, 1], { mask: [1, 0] })).infos.decided]).toEqual([1, 0]);
  });

  test.each([
    [[1], 'actions: found 1 entries, allowed are 2, one for each environment'],
    [[1, 17], 'actions: environment 1: found 17, allowed are whole numbers from 0 to 16'],
    [[0.5, 1], 'actions: environment 0: found 0.5, allowed are whole numbers from 0 to 16'],
  ])('actions %j', async (actions, message) => {
    await expect(environment.step(actions)).rejects.toThrow(new RangeError(message));
  });

  test.each([
    [{ seed: -1 }, 'seed: found -1, allowed are whole numbers from 0 to 4294967295'],
    [{ seed: [1] }, 'seed: found 1 entries, allowed are 2, one for each environment'],
    [{ seed: [1, 2 ** 32] }, 'seed: found 4294967296, allowed are whole numbers from 0 to 4294967295'],
    [{ options: { mask: [1] } }, 'mask: found 1 entries, allowed are 2, one for each environment'],
    [{ options: { mask: [0, false] } }, 'mask: found no environment to reset, allowed is one or more'],
    [{ options: { episodes: [] } }, 'episodes: found 0 entries, allowed are 2, one for each environment'],
  ])('reset(%j)', async (options, message) => {
    await expect(environment.reset(options)).rejects.toThrow(new RangeError(message));
  });

  test.each([
    [
      { autoresetMode: 'sometimes' as 'disabled' },
      'autoresetMode: found "sometimes", allowed are next-step, same-step, disabled',
    ],
    [{ state: false }, 'observation: found neither state nor image, allowed are one of them or both'],
    [{ numEnvs: 0 }, 'envCount 0: allowed is 1 or more'],
    [{ reward: { name: 'protocol', weights: { joy: 1 } } as never }, 'reward protocol: found the term joy'],
  ])('options %j', async (options, message) => {
    await expect(openEnvironment(gpu.context, { numEnvs: 1, ...options })).rejects.toThrow(message);
  });

  test('calls after close', async () => {
    const closed = await openEnvironment(gpu.context, { numEnvs: 1 });
    const running = closed.reset();
    await Promise.all([closed.close(), closed.close()]);
    expect([...(await running).infos.started]).toEqual([1]);
    await expect(closed.reset()).rejects.toThrow(new EnvironmentError('the environment is closed'));
    await expect(closed.step([1])).rejects.toThrow('the environment is closed');
  });
});

test('spaces say what arrays there are', async () => {
  const environment = await open({ numEnvs: 3 });
  expect(environment.singleActionSpace).toEqual({ type: 'Discrete', dtype: 'int64', n: 16, start: 1 });
  expect(environment.actionSpace).toEqual({
    type: 'MultiDiscrete',
    dtype: 'int64',
    nvec: [16, 16, 16],
    start: [1, 1, 1],
  });
  const { state } = environment.observationSpace.spaces;
  expect(state!.shape).toEqual([3, stateFields.length]);
  const { observations } = await environment.reset({ seed: 1 });
  for (let step = 0; step < 6; step++) {
    for (const [place, value] of observations.state!.entries()) {
      expect(value).toBeGreaterThanOrEqual((state!.low as Float32Array)[place]!);
      expect(value).toBeLessThanOrEqual((state!.high as Float32Array)[place]!);
    }
    expect((await environment.step([5, 8, 16])).observations).toBe(observations);
  }
});
