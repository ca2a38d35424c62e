// Suite `collect`: collecting into a folder that is removed: how many decisions a second go into the journal, and how much memory
// that takes over many episodes.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { executeCollection } from '../collection/executeCollection.ts';
import { defaultCollectionOptions, prepareCollection } from '../collection/prepareCollection.ts';
import { counted } from '../counted.ts';
import type { RunProgress } from '../run/executeRun.ts';
import { mebibytes, shortNumber } from './numberText.ts';
import { measuredOnce } from './spread.ts';
import { anySuite, type BenchContext, type Metric } from './suite.ts';
import { type Duration, startTimer } from './timer.ts';

/** Fewer than the episodes, so that every slot plays several and memory that is kept would show. */
const environments = 256;
const format = 'npz';
/** Shares of the episodes at which the memory is noted. */
const memoryShares = [0.25, 0.5, 0.75, 1] as const;

export interface CollectionResult {
  readonly policy: string;
  readonly environments: number;
  readonly episodes: number;
  readonly decisions: number;
  /** After the first step, so without compiling; until the last episode was in the journal. */
  readonly decisionsPerSecond: number;
  readonly cpuMillisecondsPerDecision: number;
  /** Threads that were busy, on average. */
  readonly busyThreads: number;
  /** Writing the datasets, per decision. */
  readonly writeMillisecondsPerDecision: number;
  /** Of the process, when so many of the episodes were in the journal: see `memoryShares`. */
  readonly residentBytes: readonly number[];
}

export interface CollectResult {
  readonly observation: string;
  readonly format: string;
  readonly policies: readonly CollectionResult[];
}

const silent: RunProgress = { start() {}, advance() {}, stop() {} };

async function measurePolicy(
  policy: string,
  { options, runOptions, openEnvironment, episodesProgress: progress, signal }: BenchContext,
): Promise<CollectionResult> {
  const parent = mkdtempSync(join(tmpdir(), 'rtsafe-bench-'));
  try {
    let readTimer: (() => Duration) | undefined;
    let collecting: Duration = { seconds: 0, cpuSeconds: 0 };
    let [first, decided, finished, total] = [0, 0, 0, 0];
    const residentBytes: number[] = [];
    const watched: RunProgress = {
      start(planned, done) {
        total = planned;
        progress.start(planned, done);
      },
      advance(episodes, decisions, underway) {
        finished += episodes;
        decided += decisions;
        while (finished >= total * (memoryShares[residentBytes.length] ?? Infinity)) {
          residentBytes.push(process.memoryUsage.rss());
        }
        if (readTimer === undefined) {
          first = decisions;
          readTimer = startTimer();
        } else collecting = readTimer();
        progress.advance(episodes, decisions, underway);
      },
      stop: () => progress.stop(),
    };
    const prepared = await prepareCollection({
      ...defaultCollectionOptions,
      ...runOptions('0'),
      policy,
      episodes: String(options.collectionEpisodes),
      envs: String(environments),
      format,
    });
    const { wall } = await executeCollection(prepared, join(parent, 'collection'), {
      open: openEnvironment,
      progress: watched,
      writeProgress: silent,
      ...(signal === undefined ? {} : { signal }),
    });
    const decisions = decided - first;
    return {
      policy: prepared.policy.name,
      environments: wall!.environments,
      episodes: finished,
      decisions: decided,
      decisionsPerSecond: decisions / collecting.seconds,
      cpuMillisecondsPerDecision: (1000 * collecting.cpuSeconds) / decisions,
      busyThreads: collecting.cpuSeconds / collecting.seconds,
      writeMillisecondsPerDecision: (1000 * wall!.writeSeconds) / decided,
      residentBytes,
    };
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

const columns: readonly { title: string; show: (result: CollectionResult) => string }[] = [
  { title: 'episodes', show: ({ episodes }) => String(episodes) },
  { title: 'decisions', show: ({ decisions }) => String(decisions) },
  { title: 'decisions/s', show: ({ decisionsPerSecond }) => shortNumber(decisionsPerSecond) },
  {
    title: 'CPU ms/decision',
    show: ({ cpuMillisecondsPerDecision }) => shortNumber(cpuMillisecondsPerDecision),
  },
  { title: 'threads busy', show: ({ busyThreads }) => busyThreads.toFixed(1) },
  {
    title: 'ms/decision to write',
    show: ({ writeMillisecondsPerDecision }) => shortNumber(writeMillisecondsPerDecision),
  },
  ...memoryShares.map((share, place) => ({
    title: `at ${100 * share} %`,
    show: ({ residentBytes }: CollectionResult) => mebibytes(residentBytes[place]!),
  })),
];

function metricsOf(result: CollectionResult): Metric[] {
  const metric = (unit: string, better: Metric['better'], value: number): Metric => ({
    name: `${result.policy}, ${counted(result.episodes, 'episode')} collected`,
    unit,
    better,
    ...measuredOnce(value),
  });
  const { residentBytes } = result;
  return [
    metric('decisions/s', 'higher', result.decisionsPerSecond),
    metric('CPU ms/decision', 'lower', result.cpuMillisecondsPerDecision),
    metric('memory at the end over first quarter', 'lower', residentBytes.at(-1)! / residentBytes[0]!),
  ];
}

export const collectSuite = anySuite<CollectResult>({
  name: 'collect',
  about: 'collecting --collection-episodes episodes: rate and memory',
  repetitions: () => 0,
  async measure(context) {
    const policies: CollectionResult[] = [];
    for (const policy of context.options.collectionPolicies) {
      context.say(`collect: ${policy}`);
      policies.push(await measurePolicy(policy, context));
    }
    return { observation: defaultCollectionOptions.observation, format, policies };
  },
  tables: ({ observation, format: written, policies }) => [
    {
      columns: [{ title: 'collecting' }, ...columns.map(({ title }) => ({ title, align: 'right' as const }))],
      rows: policies.map((result) => [result.policy, ...columns.map(({ show }) => show(result))]),
      notes: [
        `${counted(policies[0]?.environments ?? 0, 'environment')}, observation ${observation}, format ${written}; from the end of the first ` +
          'step to the last episode in the journal, the datasets apart;',
        'at 25 % ..: memory of this process when so many of the episodes were in the journal',
      ],
    },
  ],
  figures: () => [],
  metrics: ({ policies }) => policies.flatMap(metricsOf),
});
