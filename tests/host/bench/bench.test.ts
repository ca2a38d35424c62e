// The benchmark's own logic, on the CPU reference: all columns do the same recorded work, and what is counted is right.
import { beforeAll, expect, test, vi } from 'vitest';
import { benchPage } from '../../../src/host/bench/benchPage.ts';
import { comparableSchema } from '../../../src/host/bench/benchReport.ts';
import { formatBench } from '../../../src/host/bench/benchText.ts';
import { benchEpisodes } from '../../../src/host/bench/episodesBench.ts';
import { kernelWork } from '../../../src/host/bench/kernelWork.ts';
import { PolicyDesk, recordPass, timePass } from '../../../src/host/bench/pass.ts';
import { roofOf } from '../../../src/host/bench/rooflineSuite.ts';
import { runBench } from '../../../src/host/bench/runBench.ts';
import { spreadOf } from '../../../src/host/bench/spread.ts';
import { benchStepping } from '../../../src/host/bench/steppingBench.ts';
import type { StepResult } from '../../../src/host/bench/stepSuite.ts';
import { parseSuites, suites } from '../../../src/host/bench/suites.ts';
import { benchRunOptions, makeWorkload, type Workload } from '../../../src/host/bench/workload.ts';
import type { PlannedEpisode } from '../../../src/host/episodes/plan.ts';
import { neighbours } from '../../../src/host/run/seating.ts';
import { openReference } from '../run/referenceSimulator.ts';
import { silent } from '../run/testRun.ts';
import { openReferenceDevice, type ReferenceBenchSimulator } from './referenceDevice.ts';
import { easyRoutes, smallPlan, useOwnTemporaryFolder } from './smallBench.ts';

const options = { decisions: 2, repetitions: 7, minimumSeconds: 0 };

let workload: Workload;
beforeAll(async () => {
  workload = await makeWorkload(4, easyRoutes);
});

async function makeBatch(environments: number) {
  const simulators: ReferenceBenchSimulator[] = [];
  const device = await openReferenceDevice(simulators)(workload.runWorld);
  const batch = await device.createBatch(environments);
  return { device, batch, simulator: simulators[0]! };
}

test('median and range of repetitions', () => {
  expect(spreadOf([5, 1, 3])).toEqual({ median: 3, lowest: 1, highest: 5 });
  expect(spreadOf([4, 1, 3, 2])).toEqual({ median: 2.5, lowest: 1, highest: 4 });
  expect(spreadOf([7])).toEqual({ median: 7, lowest: 7, highest: 7 });
});

function routeOf({ map, route }: PlannedEpisode): string {
  return `${map}:${route}`;
}

test('the workload is all 36 routes, hard, real-time, full rules, neighbours on the same route; then more seeds', async () => {
  const round = 36 * neighbours;
  const full = await makeWorkload(round + 1);
  expect(full.routes).toBe(36);
  expect(full.episodes).toHaveLength(round + 1);
  expect(full.episodes[0]).toMatchObject({
    difficulty: 'hard',
    mode: 'realtime',
    profile: 'rt-safe',
    seed: 0,
  });
  const blocks = full.episodes.slice(0, round).filter((_, env) => env % neighbours === 0);
  expect(new Set(blocks.map(routeOf)).size).toBe(36);
  for (const [env, episode] of full.episodes.slice(0, neighbours).entries())
    expect([routeOf(episode), episode.seed]).toEqual([routeOf(full.episodes[0]!), env]);
  expect(full.episodes[round]).toMatchObject({ map: full.episodes[0]!.map, seed: neighbours });
  for (const { classes, percent } of full.starts) expect([classes, percent]).toEqual([63, 100]);
});

test('a pass counts decisions and the ticks that the clocks moved', async () => {
  const { batch, simulator } = await makeBatch(3);
  const pass = await recordPass(batch, workload, new PolicyDesk(workload, 3), 2);
  expect(pass.decisions).toBe(6);
  expect(pass.ticks).toEqual([0, 1, 2].map((env) => simulator.summary.get(env, 'worldTick')));
  // 3 s of thought and the action itself, twice.
  for (const ticks of pass.ticks) expect(ticks).toBeGreaterThanOrEqual(2 * (30 + 5));
});

test('an episode that is over starts again, and its new decisions count', async () => {
  const { batch } = await makeBatch(1);
  const short = { ...workload, starts: [{ ...workload.starts[0]!, maxDecisions: 1 }] };
  const pass = await recordPass(batch, short, new PolicyDesk(short, 1), 3);
  expect(pass.rounds.map(({ resets, deciding }) => [resets.length, deciding.length])).toEqual([
    [0, 1],
    [1, 0],
    [0, 1],
  ]);
  expect(pass.decisions).toBe(2);
  expect(await timePass(batch, short, new PolicyDesk(short, 1), pass, 'policy')).toBeDefined();
});

test('stepping alone submits every round and reads back only before and after', async () => {
  const { batch, simulator } = await makeBatch(2);
  const desk = new PolicyDesk(workload, 2);
  const pass = await recordPass(batch, workload, desk, 4);
  const count = async (column: 'stepping' | 'readback' | 'policy') => {
    const before = [simulator.submits, simulator.readbacks];
    const duration = await timePass(batch, workload, desk, pass, column);
    expect(duration.seconds).toBeGreaterThan(0);
    return [simulator.submits - before[0]!, simulator.readbacks - before[1]!];
  };
  expect(await count('stepping')).toEqual([4, 2]);
  expect(await count('readback')).toEqual([0, 5]);
  expect(await count('policy')).toEqual([0, 5]);
});

test('a pass says what of its time went into the policy and into kernels', async () => {
  const { batch } = await makeBatch(2);
  const desk = new PolicyDesk(workload, 2);
  const pass = await recordPass(batch, workload, desk, 3);
  const asked = await timePass(batch, workload, desk, pass, 'policy');
  // The reference takes 1000 ns a round; starting the episodes is not in it.
  expect(asked.kernelNanoseconds).toBe(3000);
  expect(asked.askSeconds).toBeGreaterThan(0);
  expect(asked.askSeconds).toBeLessThan(asked.seconds);
  const silentPass = await timePass(batch, workload, desk, pass, 'readback');
  expect([silentPass.askSeconds, silentPass.kernelNanoseconds]).toEqual([0, 3000]);
});

test('a pass that does not end as recorded is an error: the columns must do the same work', async () => {
  const { batch } = await makeBatch(2);
  const desk = new PolicyDesk(workload, 2);
  const pass = await recordPass(batch, workload, desk, 2);
  const wrong = { ...pass, stateHashes: [pass.stateHashes[0]!, 1] };
  await expect(timePass(batch, workload, desk, wrong, 'stepping')).rejects.toThrow(
    /environment 1 ended in state [0-9a-f]+ \(stepping\), expected 1/,
  );
});

test('rates are work over time, and every repetition has all columns', async () => {
  const { device } = await makeBatch(1);
  const walkers: number[] = [];
  let repetitions = 0;
  const result = await benchStepping(device, workload, 4, options, walkers, () => repetitions++);
  expect(repetitions).toBe(21);
  expect(walkers).toHaveLength(4);
  expect(result.walkers).toBe(walkers.reduce((sum, count) => sum + count, 0));
  expect(result.work.decisions).toBe(8);
  expect(result.work.actorTicks / result.work.environmentTicks).toBeGreaterThan(20);
  const { stepping, policy } = result.columns;
  expect(stepping.actorTicksPerSecond.median).toBeCloseTo(result.work.actorTicks / stepping.seconds.median);
  expect(stepping.actorTicksPerSecond.highest).toBeCloseTo(result.work.actorTicks / stepping.seconds.lowest);
  expect(stepping.relativeToStepping).toEqual({ median: 1, lowest: 1, highest: 1 });
  expect(policy.decisionsPerSecond.median).toBeCloseTo(8 / policy.seconds.median);
  expect(result.microsecondsPerDecision.median).toBeCloseTo((1e6 * stepping.seconds.median) / 8);
  // One to start the episodes, one a decision.
  expect(result.kernelNanoseconds).toEqual({ reset: 0, settle: 0, advance: 3000, summarize: 0 });
});

test('a repetition is as many passes as fill the time', async () => {
  const { device } = await makeBatch(1);
  let clock = 0;
  // Every look at the clock finds it 100 ms later: a pass takes 0.1 s.
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => {
    clock += 100;
    return clock;
  });
  try {
    const wanted = { ...options, minimumSeconds: 0.25 };
    const { passesPerRepetition, work, columns } = await benchStepping(device, workload, 1, wanted, []);
    expect(passesPerRepetition).toBe(3);
    expect(work.decisions).toBe(2 * 3);
    expect(columns.stepping.seconds.median).toBeCloseTo(0.3);
  } finally {
    spy.mockRestore();
  }
});

test('an abort ends the benchmark after the measurement it is in', async () => {
  const { device } = await makeBatch(1);
  const controller = new AbortController();
  let repetitions = 0;
  const onRepetition = () => {
    repetitions++;
    controller.abort();
  };
  await expect(
    benchStepping(device, workload, 1, options, [], onRepetition, controller.signal),
  ).rejects.toThrow('bench: stopped');
  expect(repetitions).toBe(1);
});

const temporaryFiles = useOwnTemporaryFolder();

test('the run end to end leaves nothing behind', async () => {
  const small = { ...benchRunOptions('0..1'), routes: 'rt12:8', maxDecisions: '3' };
  const result = await benchEpisodes(small, openReference, silent);
  expect(result).toMatchObject({ episodes: 2, environments: 2, decisions: 6 });
  expect(result.cpuSeconds).toBeGreaterThan(0);
  expect(result.startSeconds).toBeGreaterThan(0);
  expect(result.startSeconds).toBeLessThanOrEqual(result.seconds);
  expect(result.simSecondsPerSecond).toBeCloseTo(result.simSeconds / result.seconds);
  expect(temporaryFiles()).toEqual([]);
});

test('one suite: each size once, and told of every repetition', async () => {
  const simulators: ReferenceBenchSimulator[] = [];
  const progress = { start: vi.fn(), advance: vi.fn(), stop: vi.fn() };
  const report = await runBench({
    ...smallPlan('step', simulators),
    repetitionsProgress: () => progress,
  });
  expect(report).toMatchObject({
    format: 'rtsafe-bench',
    version: 2,
    workload: { routes: 2, difficulty: 'easy' },
  });
  expect(Object.keys(report.suites)).toEqual(['step']);
  expect((report.suites.step as StepResult).sizes.map(({ environments }) => environments)).toEqual([1, 2]);
  expect(simulators.map(({ envCount }) => envCount)).toEqual([1, 2]);
  expect(progress.start).toHaveBeenCalledWith(2 * 3 * 3, 0);
  expect(progress.advance).toHaveBeenCalledTimes(2 * 3 * 3);
  expect(progress.stop).toHaveBeenCalledOnce();
});

test('all suites: tables, figures and numbers to compare of each; a page without outside references', async () => {
  const report = await runBench(smallPlan('all'));
  expect(Object.keys(report.suites)).toEqual(suites.map(({ name }) => name));
  for (const { name } of suites) expect(report.metrics[name]!.length).toBeGreaterThan(0);
  for (const metric of Object.values(report.metrics).flat())
    expect([metric.name, Number.isFinite(metric.median)]).toEqual([metric.name, true]);
  const text = formatBench(report);
  // A lone one is followed by one thing: no "1 environments", in tables or in the names that reports are compared by.
  const manyOfOne = /(?<![\d.,])\b1 [a-z]{2,}s\b/g;
  expect(`${text}${JSON.stringify(report.metrics)}`.match(manyOfOne)).toBeNull();
  for (const title of [
    'stepping alone',
    'in a batch of 2',
    'walkers only',
    'ceilings of this machine',
    'observe, decide',
    'primitives an image',
    'KiB per env',
    'safe',
    'threads busy',
  ])
    expect(text).toContain(title);
  expect(text).not.toMatch(/NaN|undefined/);
  const page = benchPage(report);
  for (const { name } of suites) expect(page).toContain(`<h2>${name}</h2>`);
  expect(page.match(/<svg/g)!.length).toBeGreaterThanOrEqual(5);
  expect(page).not.toMatch(/NaN|undefined|(?:src|href)="/);
  expect(comparableSchema.parse(JSON.parse(JSON.stringify(report)))).toMatchObject({ version: 2 });
});

test.each(suites.map(({ name }) => name))('%s tells of as many repetitions as it said', async (name) => {
  const progress = { start: vi.fn(), advance: vi.fn(), stop: vi.fn() };
  const plan = { ...smallPlan(name), repetitionsProgress: () => progress };
  await runBench(plan);
  expect(progress.advance).toHaveBeenCalledTimes(plan.suites[0]!.repetitions(plan.options));
});

test('suites by name, in their own order; an unknown one is refused', () => {
  expect(parseSuites('decide, step', [64]).map(({ name }) => name)).toEqual(['step', 'decide']);
  expect(parseSuites('all', [64]).map(({ name }) => name)).not.toContain('scaling');
  expect(parseSuites('all', [64, 256])).toHaveLength(suites.length);
  expect(() => parseSuites('scaling', [64])).toThrow(
    '--suite scaling: found one size, 64, allowed are two --sizes or more',
  );
  expect(() => parseSuites('step,stride', [64])).toThrow(
    '--suite: found "stride", allowed are step, scaling, yardstick, roofline, decide, camera, memory, episodes, policies, collect and all',
  );
});

test('the work of kernels grows with what there is to do', async () => {
  const { batch } = await makeBatch(2);
  const work = async (decisions: number) => {
    const pass = await recordPass(batch, workload, new PolicyDesk(workload, 2), decisions);
    return kernelWork(pass, await batch.readEnvironments([0, 1]));
  };
  const [one, two] = [await work(1), await work(2)];
  expect(two.settle.bytes).toBe(2 * one.settle.bytes);
  expect(two.advance.bytes).toBe(2 * one.advance.bytes);
  expect(two.advance.dispatches).toBe(2 * one.advance.dispatches);
  expect(two.advance.operations).toBeGreaterThan(1.5 * one.advance.operations!);
  expect(two.reset).toEqual(one.reset);
});

test('the roof is the longest of memory, arithmetic and dispatches', () => {
  const ceilings = {
    bytesPerSecond: spreadOf([90, 100]),
    transferBytesPerSecond: spreadOf([20]),
    operationsPerSecond: spreadOf([1000]),
    secondsPerDispatch: spreadOf([0.5, 2]),
    secondsPerSubmission: spreadOf([1]),
  };
  expect(roofOf({ bytes: 200, operations: 1000, dispatches: 1 }, ceilings)).toEqual({
    limit: 'memory',
    seconds: 2,
  });
  expect(roofOf({ bytes: 200, operations: 5000, dispatches: 1 }, ceilings)).toEqual({
    limit: 'arithmetic',
    seconds: 5,
  });
  expect(roofOf({ bytes: 200, operations: null, dispatches: 8 }, ceilings)).toEqual({
    limit: 'dispatch',
    seconds: 4,
  });
  const faster = { ...ceilings, transferBytesPerSecond: spreadOf([200]) };
  expect(roofOf({ bytes: 400, operations: 1000, dispatches: 1 }, faster)).toEqual({
    limit: 'memory',
    seconds: 2,
  });
});
