// Collecting, measured: how many decisions a second go into the journal, and how much memory that takes over many episodes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { executeCollection, type OpenEnvironment } from '../collection/executeCollection.ts';
import { type CollectionOptions, prepareCollection } from '../collection/prepareCollection.ts';
import type { RunProgress } from '../run/executeRun.ts';
import { splitForms } from '../run/optionLists.ts';
import { type BenchMachine, describeMachine, simulatorVersions } from './benchReport.ts';
import { type Duration, startTimer } from './timer.ts';

/** Shares of the episodes at which the memory is noted. */
export const memoryShares = [0.25, 0.5, 0.75, 1] as const;
const bytesPerMebibyte = 1024 * 1024;

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
  readonly residentMebibytes: readonly number[];
}

export interface CollectionReport {
  readonly format: 'rtsafe-bench-collection';
  readonly version: 1;
  readonly measuredAt: string;
  readonly simulator: ReturnType<typeof simulatorVersions>;
  readonly adapter: { readonly description: string };
  readonly machine: BenchMachine;
  readonly workload: Pick<
    CollectionOptions,
    'difficulty' | 'mode' | 'profile' | 'latency' | 'observation' | 'format'
  >;
  readonly policies: readonly CollectionResult[];
}

async function benchPolicy(
  options: CollectionOptions,
  open: OpenEnvironment,
  progress: RunProgress,
  signal: AbortSignal | undefined,
): Promise<{ result: CollectionResult; adapter: string }> {
  const parent = mkdtempSync(join(tmpdir(), 'rtsafe-bench-'));
  try {
    let readTimer: (() => Duration) | undefined;
    let collecting: Duration = { seconds: 0, cpuSeconds: 0 };
    let [first, decided, finished, total] = [0, 0, 0, 0];
    const resident: number[] = [];
    const watched: RunProgress = {
      start(planned, done) {
        total = planned;
        progress.start(planned, done);
      },
      advance(episodes, decisions, underway) {
        finished += episodes;
        decided += decisions;
        while (finished >= total * (memoryShares[resident.length] ?? Infinity)) {
          resident.push(process.memoryUsage.rss() / bytesPerMebibyte);
        }
        if (readTimer === undefined) {
          first = decisions;
          readTimer = startTimer();
        } else collecting = readTimer();
        progress.advance(episodes, decisions, underway);
      },
      stop: () => progress.stop(),
    };
    const silent: RunProgress = { start() {}, advance() {}, stop() {} };
    const prepared = await prepareCollection(options);
    const { wall } = await executeCollection(prepared, join(parent, 'collection'), {
      open,
      progress: watched,
      writeProgress: silent,
      ...(signal === undefined ? {} : { signal }),
    });
    const decisions = decided - first;
    const result = {
      policy: prepared.policy.name,
      environments: wall!.environments,
      episodes: finished,
      decisions: decided,
      decisionsPerSecond: decisions / collecting.seconds,
      cpuMillisecondsPerDecision: (1000 * collecting.cpuSeconds) / decisions,
      busyThreads: collecting.cpuSeconds / collecting.seconds,
      writeMillisecondsPerDecision: (1000 * wall!.writeSeconds) / decided,
      residentMebibytes: resident,
    };
    return { result, adapter: wall!.adapter };
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

/**
 * Collects the same episodes with each policy of a list, one after the other.
 *
 * @throws UsageError for a policy that there is not; RunError when `signal` is aborted.
 */
export async function benchCollection(
  policies: string,
  options: CollectionOptions,
  open: OpenEnvironment,
  progress: RunProgress,
  signal?: AbortSignal,
): Promise<CollectionReport> {
  const machine = describeMachine();
  const measuredAt = new Date().toISOString();
  const results: CollectionResult[] = [];
  let description = '';
  for (const policy of splitForms(policies)) {
    // oxlint-disable-next-line no-await-in-loop -- one at a time, so that each has the machine to itself
    const { result, adapter } = await benchPolicy({ ...options, policy }, open, progress, signal);
    results.push(result);
    description = adapter;
  }
  const { difficulty, mode, profile, latency, observation, format } = options;
  return {
    format: 'rtsafe-bench-collection',
    version: 1,
    measuredAt,
    simulator: simulatorVersions(),
    adapter: { description },
    machine,
    workload: { difficulty, mode, profile, latency, observation, format },
    policies: results,
  };
}
