// Random programs of calls against a model of Gymnasium's rules: autoreset, masks, seeds, partial reset, snapshots.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AutoresetMode, BatchEnvironment } from '../../../src/kernels/environment/batchEnvironment.ts';
import { EnvironmentError } from '../../../src/kernels/environment/environmentError.ts';
import { presentSoftwareAdapters } from '../../host/adapters/softwareAdapters.ts';
import { TestGpu } from '../support/openBatch.ts';
import { EnvironmentIsOver, type Expected, GymnasiumModel } from './gymnasiumModel.ts';
import { courseEpisodes, courseLatency, courseWorld, openEnvironment } from './openEnvironment.ts';
import { foundOf } from './readRow.ts';

const timeout = 600_000;
const numEnvs = 5;

const seed = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const list = <Item>(item: fc.Arbitrary<Item>) => fc.array(item, { minLength: numEnvs, maxLength: numEnvs });
const mask = fc.option(list(fc.boolean()), { nil: undefined });
/** Mostly straight ahead, so that episodes get somewhere. */
const action = fc.oneof(
  { weight: 2, arbitrary: fc.constant(5) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 16 }) },
);
const slot = fc.nat({ max: numEnvs - 1 });

const reset = fc.record({
  call: fc.constant('reset' as const),
  seeds: fc.oneof(fc.constant(undefined), seed, list(fc.option(seed, { nil: undefined }))),
  mask,
});
const step = fc.record({
  call: fc.constant('step' as const),
  actions: list(action),
  latencies: fc.option(list(fc.integer({ min: 0, max: 600 })), { nil: undefined }),
  mask,
});
const move = fc.record({ call: fc.constant('move' as const), from: slot, to: slot });
/** Calls made at once, none waiting for another. */
const burst = fc.record({
  call: fc.constant('burst' as const),
  calls: fc.array(fc.oneof(reset, step), { maxLength: 4 }),
});

const program = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: reset },
    { weight: 6, arbitrary: step },
    { weight: 1, arbitrary: move },
    { weight: 1, arbitrary: burst },
  ),
  { minLength: 4, maxLength: 16 },
);
type Single =
  | (typeof reset extends fc.Arbitrary<infer R> ? R : never)
  | (typeof step extends fc.Arbitrary<infer S> ? S : never);
type Call = typeof program extends fc.Arbitrary<(infer C)[]> ? C : never;

const everyone = new Array<boolean>(numEnvs).fill(true);

function seedList(seeds: Extract<Single, { call: 'reset' }>['seeds']): (number | undefined)[] {
  if (typeof seeds === 'number') return everyone.map((_, env) => (seeds + env) % 2 ** 32);
  return seeds ?? new Array<undefined>(numEnvs).fill(undefined);
}

/** Stands for the outcome of a step where there was none yet. */
const silent = {
  rewards: new Float32Array(numEnvs),
  terminations: new Uint8Array(numEnvs),
  truncations: new Uint8Array(numEnvs),
};

let gpu: TestGpu;
const environments: BatchEnvironment[] = [];
beforeAll(async () => {
  gpu = await TestGpu.open(presentSoftwareAdapters[0]!);
});
afterAll(async () => {
  for (const environment of environments) await environment.close();
  await gpu.close();
});

/** Plays a program on both. The model's answer to a call that must fail is undefined. */
class Player {
  readonly #environment: BatchEnvironment;
  readonly #model: GymnasiumModel;
  #outcome: Parameters<typeof foundOf>[1] | undefined;

  constructor(environment: BatchEnvironment, model: GymnasiumModel) {
    this.#environment = environment;
    this.#model = model;
  }

  async play(call: Call): Promise<void> {
    switch (call.call) {
      case 'move': {
        const snapshot = await this.#environment.snapshot(call.from);
        await this.#environment.restore(call.to, structuredClone(snapshot));
        const expected = this.#model.restore(call.to, this.#model.snapshot(call.from));
        this.#compare(everyone.map((_, env) => (env === call.to ? expected : undefined)));
        return;
      }
      case 'burst': {
        const running = call.calls.map((single) => this.#call(single));
        const answers = call.calls.map((single) => this.#ask(single));
        const ended = await Promise.all(running);
        for (const [place, answer] of answers.entries()) expect(ended[place]).toBe(answer !== undefined);
        // The arrays are those of the last call that succeeded; which are only valid then.
        const last = answers.findLast((answer) => answer !== undefined);
        if (last !== undefined) this.#compare(last);
        return;
      }
      default: {
        const answer = this.#ask(call);
        expect(await this.#call(call)).toBe(answer !== undefined);
        if (answer !== undefined) this.#compare(answer);
      }
    }
  }

  /** False where the environment refuses. */
  async #call(call: Single): Promise<boolean> {
    try {
      if (call.call === 'reset') {
        const { mask: chosen, seeds } = call;
        await this.#environment.reset({
          ...(seeds === undefined ? {} : { seed: seeds }),
          ...(chosen === undefined ? {} : { options: { mask: chosen } }),
        });
      } else {
        const { actions, latencies, mask: chosen } = call;
        const options = {
          ...(latencies === undefined ? {} : { latencies }),
          ...(chosen === undefined ? {} : { mask: chosen }),
        };
        this.#outcome = await this.#environment.step(actions, options);
      }
      return true;
    } catch (error) {
      if (error instanceof EnvironmentError || error instanceof RangeError) return false;
      throw error;
    }
  }

  #ask(call: Single): (Expected | undefined)[] | undefined {
    const chosen = call.mask ?? everyone;
    if (call.call === 'reset')
      return chosen.includes(true) ? this.#model.reset(seedList(call.seeds), chosen) : undefined;
    try {
      return this.#model.step(call.actions, call.latencies, chosen);
    } catch (error) {
      if (error instanceof EnvironmentIsOver) return undefined;
      throw error;
    }
  }

  #compare(answers: readonly (Expected | undefined)[]): void {
    for (const [env, expected] of answers.entries()) {
      const found = foundOf(this.#environment, this.#outcome ?? silent, env);
      if (expected === undefined) {
        expect(found).toMatchObject({ decided: 0, started: 0, present: this.#model.standing(env) });
        continue;
      }
      expect({ ...found, reward: 0 }).toEqual({ ...expected, reward: 0 });
      expect(found.reward).toBeCloseTo(expected.reward, 3);
    }
  }
}

describe.each(['next-step', 'same-step', 'disabled'] as const)(
  'autoreset %s',
  (autoresetMode: AutoresetMode) => {
    let environment: BatchEnvironment;
    beforeAll(async () => {
      environment = await openEnvironment(gpu.context, { numEnvs, autoresetMode });
      environments.push(environment);
    });

    test('is declared in the metadata', () => {
      expect(environment.metadata.autoresetMode).toBe(autoresetMode);
    });

    test('random programs of calls give what the model gives', { timeout }, async () => {
      await fc.assert(
        fc.asyncProperty(seed, program, async (first, calls) => {
          const model = new GymnasiumModel(
            courseWorld,
            numEnvs,
            autoresetMode,
            courseEpisodes,
            courseLatency,
          );
          const player = new Player(environment, model);
          await player.play({ call: 'reset', seeds: first, mask: undefined });
          for (const call of calls) await player.play(call);
        }),
        { numRuns: 25, seed: 6, endOnFailure: true },
      );
    });
  },
);
