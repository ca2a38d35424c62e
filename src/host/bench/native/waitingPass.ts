// What the kernels do when the yardstick is held against them: every agent stands where it is and waits, and of all that moves
// only pedestrians and robot dogs are there.

import { actorClassNames } from '../../episodes/difficulties.ts';
import { RunError } from '../../errors.ts';
import type { RunOptions } from '../../run/prepareRun.ts';
import type { BenchBatch } from '../benchDevice.ts';
import { type Pass, PolicyDesk, recordPass } from '../pass.ts';
import { benchRunOptions, type Workload } from '../workload.ts';
import { type Scenarios, type WalkersAfter, walkersOf } from './scenarioFile.ts';

const walkerClasses: readonly string[] = ['pedestrians', 'dogs'];

/** The benchmark's own options, or others, made to wait. */
export function waitingRunOptions(seeds: string, options = benchRunOptions): RunOptions {
  return {
    ...options(seeds),
    policy: 'wait',
    without: actorClassNames.filter((name) => !walkerClasses.includes(name)).join(),
  };
}

export interface RecordedWaiting {
  readonly pass: Pass;
  /** From the start of the episodes to the end of the pass. */
  readonly scenarios: Scenarios;
  /** How they ended in the kernels, [environment]. */
  readonly after: readonly WalkersAfter[];
}

/**
 * Plays a pass in which nobody moves but the walkers.
 *
 * @param workload made with `waitingRunOptions`
 * @throws RunError when an agent did not stay where it was: then there is nothing to compare.
 */
export async function recordWaiting(
  batch: BenchBatch,
  workload: Workload,
  decisions: number,
): Promise<RecordedWaiting> {
  const { simulator } = batch;
  const envs = Array.from({ length: simulator.envCount }, (_, env) => env);
  simulator.reset(workload.starts.slice(0, simulator.envCount));
  await simulator.advance();
  const starts = await batch.readEnvironments(envs);
  const pass = await recordPass(batch, workload, new PolicyDesk(workload, simulator.envCount), decisions);
  const ends = await batch.readEnvironments(envs);
  for (const env of envs) {
    const pose = ['x', 'y', 'decisions'].map((name) => ends[env]!.member(name)[0]!);
    const expected = [...['x', 'y'].map((name) => starts[env]!.member(name)[0]!), decisions];
    if (pose.join() !== expected.join())
      throw new RunError(`bench: the agent of environment ${env} did not stand still`);
  }
  const { world, rules } = workload.runWorld;
  return {
    pass,
    scenarios: { world, rules: rules[0]!, starts, ticks: pass.ticks },
    after: ends.map(walkersOf),
  };
}
