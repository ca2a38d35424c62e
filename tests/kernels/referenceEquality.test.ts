// The kernels against the CPU reference, bit for bit, over random scenarios: all maps, both bundled profiles and random ones,
// all classes, both modes, thoughts of 0 to 60 s, agents that walk well and agents that walk into everything.
// `npm run verify-reference` does the same for as long as one likes.
import { afterAll, describe, expect, test } from 'vitest';
import type { BatchSimulator, Execution } from '../../src/kernels/batchSimulator.ts';
import { softwareAdapters, whyAbsent } from '../host/adapters/softwareAdapters.ts';
import { type Comparison, compareWithReference, MismatchError } from './support/compareWithReference.ts';
import { executions, TestGpu } from './support/openBatch.ts';
import { drawScenario } from './support/randomScenarios.ts';
import { bundledProfileCount } from './support/testProfiles.ts';
import { scenarioWorld } from './support/testWorld.ts';

const world = scenarioWorld();
/** Chosen so that everything that can happen does. */
const family = 7;
const environments = 32;
const patienceMilliseconds = 600_000;

/** Every `step`-th scenario: scenarios that follow one another share the length of their thoughts. */
function scenarios(count: number, step: number) {
  return Array.from({ length: count }, (_, index) => drawScenario(world, family, index * step));
}

/** Compiling takes longer than playing: each test that can takes the batch of another. */
const batches = new Map<string, { gpu: TestGpu; batch: BatchSimulator }>();
afterAll(async () => {
  for (const { gpu } of batches.values()) await gpu.close();
});

async function openBatch(adapter: string, execution: Execution): Promise<BatchSimulator> {
  const key = JSON.stringify([adapter, execution]);
  const known = batches.get(key);
  if (known) return known.batch;
  const gpu = await TestGpu.open(adapter);
  const batch = await gpu.batch(world, environments, execution);
  batches.set(key, { gpu, batch });
  return batch;
}

async function compare(
  adapter: string,
  execution: Execution,
  count: number,
  step: number,
): Promise<Comparison> {
  return compareWithReference(await openBatch(adapter, execution), scenarios(count, step));
}

describe.for(softwareAdapters)('on %s', (adapter) => {
  test(
    '96 scenarios, a thread to each environment',
    async ({ skip }) => {
      const absent = whyAbsent(adapter);
      if (absent) skip(absent);
      const { episodes, seconds, happenings } = await compare(adapter, executions.solo, 96, 1);
      expect(episodes).toBe(96);
      for (const bundled of seconds.slice(0, bundledProfileCount)) expect(bundled).toBeGreaterThan(1000);
      for (const random of seconds.slice(bundledProfileCount)) expect(random).toBeGreaterThan(100);
      expect(happenings.missing).toEqual([]);
    },
    patienceMilliseconds,
  );
});

test(
  'a workgroup to each environment, as on a GPU',
  async () => {
    const { seconds } = await compare('swiftshader', executions.team, 12, 8);
    expect(seconds.reduce((sum, value) => sum + value)).toBeGreaterThan(300);
  },
  patienceMilliseconds,
);

test(
  'odd numbers of threads and lanes, and a few ticks a dispatch',
  async () => {
    const odd: Execution = { teamwork: 'solo', threads: 3, laneBlock: 1, tickBudget: 7 };
    const { seconds } = await compare('swiftshader', odd, 12, 8);
    expect(seconds.reduce((sum, value) => sum + value)).toBeGreaterThan(300);
  },
  patienceMilliseconds,
);

test(
  'a difference is reported with its episode, decision and words',
  async () => {
    const batch = await openBatch('swiftshader', executions.solo);
    const decide = batch.decide.bind(batch);
    // In its third decision the agent of the batch waits, whatever the reference's does.
    batch.decide = (env, action, latency) => {
      decide(env, batch.summary.get(env, 'decisions') === 2 ? 16 : action, latency);
    };
    const long = scenarios(96, 1).find(({ start, style }) => start.maxDecisions > 20 && style === 'greedy')!;
    const comparison = compareWithReference(batch, [long], { places: 1 });
    await expect(comparison).rejects.toThrow(MismatchError);
    await expect(comparison).rejects.toThrow(
      new RegExp(
        `^scenario ${long.index} of family ${family} .* after decision 3 \\(.*\\):\\nindex +name +actual`,
      ),
    );
  },
  patienceMilliseconds,
);
