// A whole run into a folder that is removed afterwards, timed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunSummary } from '../metrics/runSummary.ts';
import { executeRun, type OpenSimulator, type RunProgress } from '../run/executeRun.ts';
import { prepareRun, type RunOptions } from '../run/prepareRun.ts';
import { type Duration, startTimer } from './timer.ts';

export interface TimedRun {
  readonly summary: RunSummary;
  /** From reading the options to the last byte of summary.json. */
  readonly whole: Duration;
  /** Of these: until the first round of decisions had ended. Opening, compiling, and that round. */
  readonly start: Duration;
  /** Decisions of that first round. */
  readonly startDecisions: number;
}

/** Rounds after which the kernels have all run once: the one that starts the episodes, and the first of decisions. */
const startingRounds = 2;

/** @throws what `prepareRun` and `executeRun` throw. */
export async function timeRun(
  options: RunOptions,
  openSimulator: OpenSimulator,
  progress: RunProgress,
  signal?: AbortSignal,
): Promise<TimedRun> {
  const parent = mkdtempSync(join(tmpdir(), 'rtsafe-bench-'));
  try {
    const readTimer = startTimer();
    let rounds = 0;
    let start: Duration = { seconds: 0, cpuSeconds: 0 };
    let startDecisions = 0;
    const watched: RunProgress = {
      start: (total, done) => progress.start(total, done),
      advance(episodes, decisions) {
        if (rounds++ < startingRounds) {
          start = readTimer();
          startDecisions += decisions;
        }
        progress.advance(episodes, decisions);
      },
      stop: () => progress.stop(),
    };
    const prepared = await prepareRun(options);
    const { summary } = await executeRun(prepared, join(parent, 'run'), openSimulator, watched, signal);
    return { summary, whole: readTimer(), start, startDecisions };
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}
