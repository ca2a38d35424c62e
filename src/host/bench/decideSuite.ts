// Suite `decide`: whole rounds (observe, ask the policy, advance all environments to the end of their decision), and what share of
// the wall time passes in kernels.

import * as Plot from '@observablehq/plot';
import { counted } from '../counted.ts';
import { RunError } from '../errors.ts';
import { drawPlot } from '../report/drawPlot.ts';
import { percent, shortNumber, spreadText } from './numberText.ts';
import { type PassTime, PolicyDesk, recordPass, timePass } from './pass.ts';
import { type Spread, spreadOf } from './spread.ts';
import { anySuite, type BenchFigure, sizeUpTo } from './suite.ts';

/** The batch of which "over 90 % of a round is in kernels" is asked. */
const mostEnvironments = 4096;

export interface DecideResult {
  readonly environments: number;
  readonly rounds: number;
  readonly decisions: number;
  readonly repetitions: number;
  /** Wall time of one round. */
  readonly roundSeconds: Spread;
  readonly decisionsPerSecond: Spread;
  /** Shares of the wall time; null where the adapter has no timestamp queries. */
  readonly kernelShare: Spread | null;
  readonly policyShare: Spread;
}

const parts = ['kernels', 'policy', 'rest'] as const;

function sharesOf({ kernelShare, policyShare }: DecideResult): Record<(typeof parts)[number], number> {
  const kernels = kernelShare?.median ?? 0;
  return { kernels, policy: policyShare.median, rest: Math.max(0, 1 - kernels - policyShare.median) };
}

function shareFigure(result: DecideResult): BenchFigure {
  const shares = sharesOf(result);
  const bars = parts.map((name) => ({ name, share: shares[name], row: 'a round' }));
  const svg = drawPlot(
    {
      width: 480,
      height: 110,
      marginLeft: 64,
      marginBottom: 42,
      x: {
        domain: [0, 1],
        tickFormat: '.0%',
        label: 'share of wall time (%)',
        labelAnchor: 'center',
        labelArrow: 'none',
      },
      y: { label: null },
      color: { domain: [...parts], range: parts.map((_, place) => `var(--series-${place + 1})`) },
      marks: [
        Plot.barX(bars, Plot.stackX({ x: 'share', y: 'row', fill: 'name', stroke: 'var(--paper)' })),
        Plot.ruleX([0.9], { stroke: 'currentColor', strokeDasharray: '4 3' }),
      ],
    },
    'Shares of a round: kernels, policy and the rest; the numbers are in the table',
  );
  return {
    svg,
    caption:
      'From the left: kernels, policy, the rest (staging, submitting, reading back). The dashed line is the aim of 90 %.',
  };
}

export const decideSuite = anySuite<DecideResult>({
  name: 'decide',
  about: `whole rounds of up to ${mostEnvironments} environments, and the share of kernels in them`,
  repetitions: ({ repetitions }) => repetitions,
  async measure({ device, workload, options, onRepetition, say, signal }) {
    const environments = sizeUpTo(options.sizes, mostEnvironments);
    say(`decide: ${counted(environments, 'environment')}`);
    const batch = await device.createBatch(environments);
    try {
      const desk = new PolicyDesk(workload, environments);
      const pass = await recordPass(batch, workload, desk, options.decisions);
      const times: PassTime[] = [];
      for (let repetition = 0; repetition < options.repetitions; repetition++) {
        times.push(await timePass(batch, workload, desk, pass, 'policy'));
        onRepetition(pass.decisions);
        if (signal?.aborted) throw new RunError('bench: stopped');
      }
      const shares = (part: (time: PassTime) => number) =>
        spreadOf(times.map((time) => part(time) / time.seconds));
      return {
        environments,
        rounds: pass.rounds.length,
        decisions: pass.decisions,
        repetitions: options.repetitions,
        roundSeconds: spreadOf(times.map(({ seconds }) => seconds / pass.rounds.length)),
        decisionsPerSecond: spreadOf(times.map(({ seconds }) => pass.decisions / seconds)),
        kernelShare:
          batch.simulator.kernelTimes === undefined
            ? null
            : shares(({ kernelNanoseconds }) => kernelNanoseconds / 1e9),
        policyShare: shares(({ askSeconds }) => askSeconds),
      };
    } finally {
      await batch.destroy();
    }
  },
  tables: (result) => [
    {
      columns: [
        { title: `rounds of ${counted(result.environments, 'environment')}: observe, decide, advance` },
        { title: '', align: 'right' },
      ],
      rows: [
        ['ms per round', spreadText(result.roundSeconds, (seconds) => shortNumber(1000 * seconds))],
        ['decisions/s', spreadText(result.decisionsPerSecond, shortNumber)],
        [
          'wall time in kernels (aim: over 90 %)',
          result.kernelShare === null ? 'no timestamp queries' : spreadText(result.kernelShare, percent),
        ],
        ['wall time in the policy', spreadText(result.policyShare, percent)],
      ],
      notes: [
        `${counted(result.repetitions, 'repetition')} of ${counted(result.rounds, 'round')}, ${counted(result.decisions, 'decision')}`,
      ],
    },
  ],
  figures: (result) => (result.kernelShare === null ? [] : [shareFigure(result)]),
  metrics: ({ environments, decisionsPerSecond, kernelShare }) => [
    {
      name: `${counted(environments, 'environment')}, whole rounds`,
      unit: 'decisions/s',
      better: 'higher',
      ...decisionsPerSecond,
    },
    ...(kernelShare === null
      ? []
      : [
          {
            name: `${counted(environments, 'environment')}, wall time in kernels`,
            unit: 'share',
            better: 'higher' as const,
            ...kernelShare,
          },
        ]),
  ],
});
