// The state vector and the action masks against the CPU reference, over random scenarios; and the same bits everywhere.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readShader } from '../../../src/host/shaderFiles.ts';
import { stateConstants, stateFields, stateGroups } from '../../../src/kernels/environment/stateFields.ts';
import { actionCount, StateObserver } from '../../../src/kernels/environment/stateObserver.ts';
import { presentSoftwareAdapters } from '../../host/adapters/softwareAdapters.ts';
import type { ReferenceEpisode } from '../../reference/episode.ts';
import { executions, TestGpu } from '../support/openBatch.ts';
import {
  describeScenario,
  drawDecision,
  drawScenario,
  type ScenarioDecision,
} from '../support/randomScenarios.ts';
import { referenceEpisode, scenarioWorld } from '../support/testWorld.ts';
import { expectedMask, expectedState } from './expectedState.ts';

const timeout = 600_000;
const world = scenarioWorld();
/** From the middle of the family: thoughts of 1 to 10 s. */
const scenarios = Array.from({ length: 48 }, (_, index) => drawScenario(world, 31, 32 + index));
const mostDecisions = 20;
const envs = scenarios.map((_, env) => env);

/** How far the kernel's whole numbers may be from the float, by unit. */
function tolerance(name: string, unit: string, expected: number, values: Record<string, number>): number {
  if (unit === 'flag' || unit === 's') return 0;
  if (unit === 'm') return 0.01 + Math.abs(expected) / 4096;
  if (unit === 'm/s') return 0.02;
  if (!/\.(?:cos|sin|headingCos|headingSin)$/.test(name)) return 1e-6;
  // A vector of few units has a coarse direction.
  const distance = values[name.replace(/\w+$/, 'distance')] ?? 1;
  return 0.001 + 0.002 / Math.max(distance, 0.001);
}

interface Played {
  readonly states: Float32Array;
  readonly masks: Uint8Array;
}

/** Decides for all that await it; undefined where an episode is over. [env] */
type Decide = (round: number) => readonly (ScenarioDecision | undefined)[];

/** Plays all scenarios together and observes after every round. */
async function playAll(
  gpu: TestGpu,
  execution: (typeof executions)['solo' | 'team'],
  decide: Decide,
  onRound: (played: Played, round: number) => void,
): Promise<void> {
  const batch = await gpu.batch(world, scenarios.length, execution);
  const observer = await StateObserver.create(gpu.context, readShader, batch);
  batch.reset(scenarios.map(({ start }, env) => ({ env, ...start })));
  const played = {
    states: new Float32Array(scenarios.length * StateObserver.fieldCount),
    masks: new Uint8Array(scenarios.length * actionCount),
  };
  for (let round = 0; round < mostDecisions; round++) {
    await batch.advance();
    await observer.observe(envs, played.states, played.masks);
    onRound(played, round);
    for (const [env, decision] of decide(round).entries())
      if (decision) batch.decide(env, decision.action, decision.latencyCentiseconds);
  }
  await observer.destroy();
}

/** What was decided and seen the first time. [round] */
const decisions: (ScenarioDecision | undefined)[][] = [];
const seenBits: string[] = [];

function bitsOf({ states, masks }: Played): string {
  return `${Buffer.from(states.buffer).toString('base64')} ${masks.join('')}`;
}

function decideAll(episodes: readonly ReferenceEpisode[]): readonly (ScenarioDecision | undefined)[] {
  const chosen = scenarios.map((scenario, env) => {
    const episode = episodes[env]!;
    if (episode.isDone) return undefined;
    const decision = drawDecision(scenario, episode);
    episode.decide(decision.action, decision.latencyCentiseconds);
    return decision;
  });
  decisions.push(chosen);
  return chosen;
}

describe('the state vector', () => {
  let gpu: TestGpu;
  beforeAll(async () => {
    gpu = await TestGpu.open(presentSoftwareAdapters[0]!);
  });
  afterAll(() => gpu.close());

  test('is what the reference sees, in every field', { timeout }, async () => {
    const seen = new Set<string>();
    const faults: string[] = [];
    let masked = 0;
    const episodes = scenarios.map(({ start }) => referenceEpisode(world, start));
    const decide = () => decideAll(episodes);
    await playAll(gpu, executions.solo, decide, ({ states, masks }) => {
      seenBits.push(bitsOf({ states, masks }));
      for (const [env, episode] of episodes.entries()) {
        const values = expectedState(episode);
        for (const [field, { name, unit, minimum, maximum }] of stateFields.entries()) {
          const expected = Math.fround(Math.min(Math.max(values[name] ?? 0, minimum), maximum));
          const found = states[env * stateFields.length + field]!;
          if (found !== 0) seen.add(name.replace(/\[\d\]/, ''));
          if (Math.abs(found - expected) > tolerance(name, unit, expected, values)) {
            const scenario = describeScenario(world, scenarios[env]!);
            faults.push(
              `${scenario}, decision ${episode.state.decisions}: ${name}: ${found}, not ${expected}`,
            );
          }
        }
        for (const [index, allowed] of expectedMask(episode).entries()) {
          const found = masks[env * actionCount + index] === 1;
          if (!found) masked++;
          if (allowed !== 'either' && found !== allowed)
            faults.push(`${env}, decision ${episode.state.decisions}: action ${index + 1}: ${found}`);
        }
      }
    });
    expect(faults.slice(0, 5)).toEqual([]);
    const fields = stateGroups.flatMap(({ name, fields: members }) =>
      members.map((field) => `${name}.${field.name}`),
    );
    expect(fields.filter((name) => !seen.has(name))).toEqual([]);
    expect(masked).toBeGreaterThan(10);
  });
});

test('the same bits on another driver, with the work shared out otherwise', { timeout }, async () => {
  const gpu = await TestGpu.open(presentSoftwareAdapters.at(-1)!);
  const found: string[] = [];
  await playAll(
    gpu,
    executions.team,
    (round) => decisions[round]!,
    (played) => found.push(bitsOf(played)),
  );
  await gpu.close();
  expect(found).toHaveLength(mostDecisions);
  expect(found).toEqual(seenBits);
});

test('fields have different names, and bounds that hold something', () => {
  expect(new Set(stateFields.map(({ name }) => name)).size).toBe(stateFields.length);
  for (const { minimum, maximum } of stateFields) expect(minimum).toBeLessThan(maximum);
  expect(StateObserver.space.shape).toEqual([stateFields.length]);
});

test('no list of the kernel is shorter than its group', () => {
  const limit = Number(/NEAREST_LIMIT = (\d+)u/.exec(readShader('common/nearest.wgsl'))![1]);
  expect(Math.max(...stateGroups.map(({ count }) => count))).toBeLessThanOrEqual(limit);
  expect(stateConstants()).toContain(`const STATE_FIELDS = ${stateFields.length}u;`);
});
