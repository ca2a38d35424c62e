// One pass: every environment starts its episode and takes its first decisions. A pass is written down once, with the
// policy asked; since an episode is the same every time, all that is measured later does exactly the same work.
import { RunError } from '../errors.ts';
import { emptyRequest, fillRequest, type MutableRequest } from '../policies/policyRequest.ts';
import type { ResetRequest, Simulator } from '../run/simulator.ts';
import type { BenchBatch, BenchSimulator } from './benchDevice.ts';
import { type Duration, startTimer } from './timer.ts';
import type { Workload } from './workload.ts';

/** The value of `status` with which an environment stands at the end of its episode. */
const statusDone = 5;

/** What is staged before one round. */
interface Round {
  /** Episodes that were over, from the start again. */
  readonly resets: readonly ResetRequest[];
  /** Environments that decide, [place]; their actions and latencies are in the same order. */
  readonly deciding: readonly number[];
  readonly actions: readonly number[];
  readonly latencies: readonly number[];
}

export interface Pass {
  readonly rounds: readonly Round[];
  readonly decisions: number;
  /** Ticks simulated in the pass, [environment]. */
  readonly ticks: readonly number[];
  /** State hash after the last round, [environment]. */
  readonly stateHashes: readonly number[];
}

/** What a round costs on top of stepping. */
export const columns = ['stepping', 'readback', 'policy'] as const;
export type Column = (typeof columns)[number];

/** What the rounds of a pass took, and what of it went where. */
export interface PassTime extends Duration {
  /** Asking the policy, on the host. */
  readonly askSeconds: number;
  /** Nanoseconds in the kernels; zero for rounds without readback, and where the adapter has no timestamp queries. */
  readonly kernelNanoseconds: number;
}

/** Asks the workload's policy; its requests are made once and filled in anew, as a run does. */
export class PolicyDesk {
  readonly #workload: Workload;
  readonly #requests: readonly MutableRequest[];

  constructor(workload: Workload, environments: number) {
    this.#workload = workload;
    this.#requests = workload.episodes.slice(0, environments).map((episode) => emptyRequest(episode));
  }

  /** One action per environment, from the summaries as they are. */
  async ask({ summary }: Simulator, deciding: readonly number[]): Promise<number[]> {
    const { runWorld, policy } = this.#workload;
    const requests = deciding.map((env) => {
      const request = this.#requests[env]!;
      fillRequest(request, summary, env, runWorld.route(this.#workload.episodes[env]!));
      return request;
    });
    return (await policy.decide(requests)).map(({ action }) => action);
  }
}

function startsOf(workload: Workload, environments: number): readonly ResetRequest[] {
  return workload.starts.slice(0, environments);
}

/** Plays a pass of `decisions` rounds and writes it down. The compiling of the kernels falls into it. */
export async function recordPass(
  { simulator }: BenchBatch,
  workload: Workload,
  desk: PolicyDesk,
  decisions: number,
): Promise<Pass> {
  const { envCount, summary } = simulator;
  const rounds: Round[] = [];
  const ticks = new Array<number>(envCount).fill(0);
  simulator.reset(startsOf(workload, envCount));
  await simulator.advance();
  for (let count = 0; count < decisions; count++) {
    const resets: ResetRequest[] = [];
    const deciding: number[] = [];
    for (let env = 0; env < envCount; env++) {
      if (summary.get(env, 'status') === statusDone) resets.push(workload.starts[env]!);
      else deciding.push(env);
    }
    const actions = await desk.ask(simulator, deciding);
    const latencies = deciding.map((env) =>
      workload.latency.draw(workload.episodes[env]!, summary.get(env, 'decisions') + 1),
    );
    const round = { resets, deciding, actions, latencies };
    rounds.push(round);
    const before = deciding.map((env) => summary.get(env, 'worldTick'));
    stage(simulator, round, actions);
    await simulator.advance();
    for (const [place, env] of deciding.entries()) {
      ticks[env]! += summary.get(env, 'worldTick') - before[place]!;
    }
  }
  return {
    rounds,
    decisions: rounds.reduce((sum, { deciding }) => sum + deciding.length, 0),
    ticks,
    stateHashes: Array.from({ length: envCount }, (_, env) => summary.get(env, 'stateHash')),
  };
}

function stage(simulator: Simulator, round: Round, actions: readonly number[]): void {
  if (round.resets.length > 0) simulator.reset(round.resets);
  for (const [place, env] of round.deciding.entries()) {
    simulator.decide(env, actions[place]!, round.latencies[place]!);
  }
}

function sumOfKernels({ kernelTimes }: BenchSimulator): number {
  return Object.values(kernelTimes ?? {}).reduce((sum: number, time: number) => sum + time, 0);
}

/**
 * Plays a recorded pass again and returns what its rounds took, without the starting of the episodes.
 *
 * `stepping`: rounds are submitted one after the other, and waited for once. `readback`: every round's summaries are
 * waited for. `policy`: and the policy is asked.
 *
 * @throws RunError when an environment does not end in the recorded state.
 */
export async function timePass(
  batch: BenchBatch,
  workload: Workload,
  desk: PolicyDesk,
  pass: Pass,
  column: Column,
): Promise<PassTime> {
  const { simulator } = batch;
  simulator.reset(startsOf(workload, simulator.envCount));
  await simulator.advance();
  const kernelsBefore = sumOfKernels(simulator);
  let askSeconds = 0;
  const readTimer = startTimer();
  for (const round of pass.rounds) {
    let { actions } = round;
    if (column === 'policy') {
      const readAskTimer = startTimer();
      actions = await desk.ask(simulator, round.deciding);
      askSeconds += readAskTimer().seconds;
    }
    stage(simulator, round, actions);
    if (column === 'stepping') simulator.submit();
    else await simulator.advance();
  }
  if (column === 'stepping') await batch.finishWork();
  const duration = readTimer();
  const kernelNanoseconds = sumOfKernels(simulator) - kernelsBefore;
  if (column === 'stepping') await simulator.advance();
  for (const [env, expected] of pass.stateHashes.entries()) {
    const found = simulator.summary.get(env, 'stateHash');
    if (found !== expected) {
      throw new RunError(
        `bench: environment ${env} ended in state ${found.toString(16)} (${column}), expected ${expected.toString(16)}`,
      );
    }
  }
  return { ...duration, askSeconds, kernelNanoseconds };
}
