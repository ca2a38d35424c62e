// Suite `scaling`: is an environment in a large batch as cheap as in a small one? The smallest and the largest size by turns, doing
// the same amount of work, so that whatever else the machine does meets both.
import { counted } from '../counted.ts';
import { RunError } from '../errors.ts';
import { shortNumber, spreadText, twoDigits } from './numberText.ts';
import { type Column, type Pass, PolicyDesk, recordPass, timePass } from './pass.ts';
import { type Spread, spreadOf } from './spread.ts';
import { anySuite, type BenchContext, type Reading } from './suite.ts';
import type { Duration } from './timer.ts';

/** Microseconds of one decision of one environment. */
interface Cost {
  readonly wall: Spread;
  readonly cpu: Spread;
}

export interface ScalingResult {
  /** Environments: the smallest and the largest size. */
  readonly small: number;
  readonly large: number;
  readonly repetitions: number;
  /** Stepping alone. */
  readonly smallCost: Cost;
  readonly largeCost: Cost;
  /** The large batch with the readback of every round's summaries. */
  readonly readbackCost: Cost;
}

interface Side {
  readonly passes: number;
  readonly decisions: number;
  readonly time: (column: Column) => Promise<Duration>;
  readonly destroy: () => Promise<void>;
}

async function openSide({ device, workload, options }: BenchContext, environments: number): Promise<Side> {
  const batch = await device.createBatch(environments);
  let pass: Pass;
  const desk = new PolicyDesk(workload, environments);
  try {
    pass = await recordPass(batch, workload, desk, options.decisions);
  } catch (error) {
    await batch.destroy();
    throw error;
  }
  const passes = Math.max(1, Math.round(options.sizes.at(-1)! / environments));
  return {
    passes,
    decisions: passes * pass.decisions,
    async time(column) {
      const durations: Duration[] = [];
      for (let count = 0; count < passes; count++)
        durations.push(await timePass(batch, workload, desk, pass, column));
      return {
        seconds: durations.reduce((sum, { seconds }) => sum + seconds, 0),
        cpuSeconds: durations.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
      };
    },
    destroy: () => batch.destroy(),
  };
}

function costOf(durations: readonly Duration[], decisions: number): Cost {
  return {
    wall: spreadOf(durations.map(({ seconds }) => (1e6 * seconds) / decisions)),
    cpu: spreadOf(durations.map(({ cpuSeconds }) => (1e6 * cpuSeconds) / decisions)),
  };
}

async function measureScaling(context: BenchContext): Promise<ScalingResult> {
  const { options, say, onRepetition, signal } = context;
  const [small, large] = [options.sizes[0]!, options.sizes.at(-1)!];
  say(`scaling: ${small} and ${counted(large, 'environment')}`);
  const sides: Side[] = [];
  try {
    for (const environments of [small, large]) sides.push(await openSide(context, environments));
    const [smallSide, largeSide] = sides as [Side, Side];
    const smallTimes: Duration[] = [];
    const largeTimes: Duration[] = [];
    const readbackTimes: Duration[] = [];
    for (let repetition = 0; repetition < options.repetitions; repetition++) {
      smallTimes.push(await smallSide.time('stepping'));
      largeTimes.push(await largeSide.time('stepping'));
      readbackTimes.push(await largeSide.time('readback'));
      onRepetition(2 * largeSide.decisions + smallSide.decisions);
      if (signal?.aborted) throw new RunError('bench: stopped');
    }
    return {
      small,
      large,
      repetitions: options.repetitions,
      smallCost: costOf(smallTimes, smallSide.decisions),
      largeCost: costOf(largeTimes, largeSide.decisions),
      readbackCost: costOf(readbackTimes, largeSide.decisions),
    };
  } finally {
    for (const side of sides) await side.destroy();
  }
}

/** Ratios of the best repetitions, by what the machine's other work falsifies least. */
export function scalingRatios(
  { smallCost, largeCost, readbackCost }: ScalingResult,
  { runsOnCpu }: Reading,
): { readonly size: number; readonly readback: number } {
  const best = ({ wall, cpu }: Cost) => (runsOnCpu ? cpu : wall).lowest;
  return { size: best(largeCost) / best(smallCost), readback: best(readbackCost) / best(largeCost) };
}

export const scalingSuite = anySuite<ScalingResult>({
  name: 'scaling',
  about: 'cost of an environment in the smallest and in the largest batch, by turns',
  repetitions: ({ repetitions }) => repetitions,
  measure: measureScaling,
  tables: (result, reading) => {
    const { small, large, smallCost, largeCost, readbackCost, repetitions } = result;
    const ratios = scalingRatios(result, reading);
    const row = (title: string, { wall, cpu }: Cost, ratio: string) => [
      title,
      spreadText(wall, shortNumber),
      ...(reading.runsOnCpu ? [spreadText(cpu, shortNumber)] : []),
      ratio,
    ];
    return [
      {
        columns: [
          { title: 'a decision of an environment' },
          { title: 'us', align: 'right' },
          ...(reading.runsOnCpu ? [{ title: 'CPU us', align: 'right' as const }] : []),
          { title: 'best over best', align: 'right' },
        ],
        rows: [
          row(`in a batch of ${small}`, smallCost, ''),
          row(`in a batch of ${large}`, largeCost, `${twoDigits(ratios.size)} of that`),
          row('+ summary readback', readbackCost, `${twoDigits(ratios.readback)} of that`),
        ],
        notes: [`${counted(repetitions, 'repetition')} by turns, the same number of decisions in each`],
      },
    ];
  },
  figures: () => [],
  metrics: ({ small, large, smallCost, largeCost }, { runsOnCpu }) =>
    [[small, smallCost] as const, [large, largeCost] as const].map(([environments, { wall, cpu }]) => ({
      name: `a decision in a batch of ${environments}`,
      unit: runsOnCpu ? 'CPU us' : 'us',
      better: 'lower' as const,
      ...(runsOnCpu ? cpu : wall),
    })),
});
