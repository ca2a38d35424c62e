// The readback of whole states: what it says of every environment is what a readback of that one says.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { actorFields } from '../../src/kernels/environmentsView.ts';
import { actorWords } from '../../src/kernels/world.ts';
import { executions, TestGpu } from './support/openBatch.ts';
import { drawScenario } from './support/randomScenarios.ts';
import { bundledWorld } from './support/testWorld.ts';

const world = bundledWorld();
/** Not a multiple of the eight environments that are interleaved on CPU drivers. */
const envCount = 11;
const timeout = 600_000;

let gpu: TestGpu;
beforeAll(async () => {
  gpu = await TestGpu.open('swiftshader');
});
afterAll(() => gpu.close());

describe.each(['solo', 'team'] as const)('%s', (teamwork) => {
  test('every word of every environment, round after round over the same buffer', { timeout }, async () => {
    const batch = await gpu.batch(world, envCount, executions[teamwork]);
    batch.reset(
      Array.from({ length: envCount }, (_, env) => ({ ...drawScenario(world, 5, env).start, env })),
    );
    await batch.advance();
    const memory: number[] = [batch.memory.batch];
    for (let round = 0; round < 2; round++) {
      // oxlint-disable-next-line no-await-in-loop -- rounds follow each other
      const view = await batch.readEnvironments();
      memory.push(batch.memory.batch);
      for (const env of [0, 1, 7, 8, envCount - 1]) {
        // oxlint-disable-next-line no-await-in-loop -- one readback after the other
        const { state, actors } = await batch.readEnvironment(env);
        const words = batch.stateLayout.words;
        expect(view.states.subarray(env * words, (env + 1) * words)).toEqual(
          new Int32Array(state.buffer, state.byteOffset, words),
        );
        for (const { name, word } of batch.stateLayout.members) {
          expect([name, view.get(env, name)]).toEqual([name, state[word]! | 0]);
        }
        const found = new Int32Array(batch.actorStride * actorWords);
        for (const [place, field] of Object.keys(actorFields).entries()) {
          for (let slot = 0; slot < batch.actorStride; slot++) {
            found[place * batch.actorStride + slot] = view.actor(
              env,
              slot,
              field as keyof typeof actorFields,
            );
          }
        }
        expect(found).toEqual(actors);
      }
      for (let env = 0; env < envCount; env++) batch.decide(env, 5, 100 + env);
      // oxlint-disable-next-line no-await-in-loop -- rounds follow each other
      await batch.advance();
    }
    expect(memory[1]).toBeGreaterThan(memory[0]!);
    expect(memory[2]).toBe(memory[1]);
  });
});

test('a member that is not there', { timeout }, async () => {
  const batch = await gpu.batch(world, 1);
  const view = await batch.readEnvironments();
  expect(() => view.get(0, 'colour')).toThrow('struct EnvState has no member colour');
});
