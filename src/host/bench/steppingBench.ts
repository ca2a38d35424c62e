// Measures stepping at one batch size, in three columns that do the same work.
import type { KernelTimes } from '../../kernels/batchSimulator.ts';
import { RunError } from '../errors.ts';
import { type BenchBatch, type BenchDevice, countWalkers } from './benchDevice.ts';
import { type Column, columns, type Pass, PolicyDesk, recordPass, timePass } from './pass.ts';
import { type Spread, spreadOf } from './spread.ts';
import type { BenchOptions } from './suite.ts';
import type { Duration } from './timer.ts';
import type { Workload } from './workload.ts';

export type SteppingOptions = Pick<BenchOptions, 'decisions' | 'repetitions' | 'minimumSeconds'>;

/** Work per second. */
export interface ColumnRates {
  /** Seconds of one repetition. */
  readonly seconds: Spread;
  /** CPU seconds of this process in one repetition: with a driver on the CPU, how much of the machine it got. */
  readonly cpuSeconds: Spread;
  readonly actorTicksPerSecond: Spread;
  readonly environmentTicksPerSecond: Spread;
  readonly decisionsPerSecond: Spread;
  /** Seconds of a repetition over those of the same repetition's stepping alone. */
  readonly relativeToStepping: Spread;
}

export interface SteppingResult {
  readonly environments: number;
  /** Pedestrians and robot dogs that are present, over all environments. */
  readonly walkers: number;
  /** Until the first pass was through: allocating, compiling, and that pass itself. */
  readonly readySeconds: number;
  readonly repetitions: number;
  readonly passesPerRepetition: number;
  /** Work of one repetition. */
  readonly work: {
    readonly decisions: number;
    readonly environmentTicks: number;
    readonly actorTicks: number;
  };
  readonly columns: Record<Column, ColumnRates>;
  /** Wall time of stepping alone for one decision of one environment, in microseconds. */
  readonly microsecondsPerDecision: Spread;
  /**
   * Nanoseconds of one repetition with readback, the starting of its episodes included, by timestamp queries, averaged over the
   * repetitions; null where the adapter has none.
   */
  readonly kernelNanoseconds: KernelTimes | null;
}

/** Present walkers, [environment]. Environment e starts alike at every size, so `known` is only ever extended. */
async function countAllWalkers(batch: BenchBatch, known: number[]): Promise<void> {
  const missing = Array.from({ length: batch.simulator.envCount }, (_, env) => env).slice(known.length);
  for (const environment of await batch.readEnvironments(missing)) known.push(countWalkers(environment));
}

function ratesOf(
  durations: readonly Duration[],
  stepping: readonly Duration[],
  work: SteppingResult['work'],
): ColumnRates {
  const seconds = durations.map((duration) => duration.seconds);
  const rate = (amount: number) => spreadOf(seconds.map((time) => amount / time));
  return {
    seconds: spreadOf(seconds),
    cpuSeconds: spreadOf(durations.map((duration) => duration.cpuSeconds)),
    actorTicksPerSecond: rate(work.actorTicks),
    environmentTicksPerSecond: rate(work.environmentTicks),
    decisionsPerSecond: rate(work.decisions),
    relativeToStepping: spreadOf(seconds.map((time, place) => time / stepping[place]!.seconds)),
  };
}

function divideTimes(times: KernelTimes, divisor: number): KernelTimes {
  const { reset, settle, advance, summarize } = times;
  return {
    reset: reset / divisor,
    settle: settle / divisor,
    advance: advance / divisor,
    summarize: summarize / divisor,
  };
}

function sumTicks(pass: Pass, weights?: readonly number[]): number {
  return pass.ticks.reduce((sum, ticks, env) => sum + ticks * (weights?.[env] ?? 1), 0);
}

/**
 * Warms up by recording a pass, then times repetitions; the columns take turns, so that whatever else the machine does
 * meets all of them alike.
 *
 * @param walkers present walkers by environment, extended here
 * @throws RunError when `signal` is aborted.
 */
export async function benchStepping(
  device: BenchDevice,
  workload: Workload,
  environments: number,
  options: SteppingOptions,
  walkers: number[],
  onRepetition: (decisions: number) => void = () => {},
  signal?: AbortSignal,
): Promise<SteppingResult> {
  const begin = performance.now();
  const batch = await device.createBatch(environments);
  try {
    const { simulator } = batch;
    const desk = new PolicyDesk(workload, environments);
    const pass = await recordPass(batch, workload, desk, options.decisions);
    const readySeconds = (performance.now() - begin) / 1000;
    await countAllWalkers(batch, walkers);
    const passes = Math.max(
      1,
      Math.ceil(options.minimumSeconds / (await timePass(batch, workload, desk, pass, 'stepping')).seconds),
    );
    const work = {
      decisions: passes * pass.decisions,
      environmentTicks: passes * sumTicks(pass),
      actorTicks: passes * sumTicks(pass, walkers),
    };
    const durations: Record<Column, Duration[]> = { stepping: [], readback: [], policy: [] };
    const { kernelTimes } = simulator;
    const kernelSums: KernelTimes = { reset: 0, settle: 0, advance: 0, summarize: 0 };
    for (let repetition = 0; repetition < options.repetitions; repetition++) {
      for (const column of columns) {
        const kernelsBefore = { ...kernelTimes };
        let seconds = 0;
        let cpuSeconds = 0;
        for (let count = 0; count < passes; count++) {
          const duration = await timePass(batch, workload, desk, pass, column);
          seconds += duration.seconds;
          cpuSeconds += duration.cpuSeconds;
        }
        durations[column].push({ seconds, cpuSeconds });
        if (kernelTimes !== undefined && column === 'readback') {
          for (const kernel of Object.keys(kernelSums) as (keyof KernelTimes)[])
            kernelSums[kernel] += kernelTimes[kernel] - kernelsBefore[kernel]!;
        }
        onRepetition(work.decisions);
        if (signal?.aborted) throw new RunError('bench: stopped');
      }
    }
    const rates = Object.fromEntries(
      columns.map((column) => [column, ratesOf(durations[column], durations.stepping, work)]),
    ) as SteppingResult['columns'];
    return {
      environments,
      walkers: walkers.slice(0, environments).reduce((sum, count) => sum + count, 0),
      readySeconds,
      repetitions: options.repetitions,
      passesPerRepetition: passes,
      work,
      columns: rates,
      microsecondsPerDecision: spreadOf(
        durations.stepping.map(({ seconds }) => (1e6 * seconds) / work.decisions),
      ),
      kernelNanoseconds: kernelTimes === undefined ? null : divideTimes(kernelSums, options.repetitions),
    };
  } finally {
    await batch.destroy();
  }
}
