// The scenario of a whole run, end to end: 36 hard routes and some seeds, real-time, greedy, records written to disk.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { executeRun, type OpenSimulator, type RunProgress } from '../run/executeRun.ts';
import { prepareRun, type RunOptions } from '../run/prepareRun.ts';
import { startTimer } from './timer.ts';

export interface EpisodesResult {
  readonly episodes: number;
  readonly environments: number;
  readonly decisions: number;
  readonly simSeconds: number;
  /** From reading the options to the last byte of summary.json. */
  readonly seconds: number;
  /** Of these: until the first round of decisions had ended. Opening, compiling, and that round. */
  readonly startSeconds: number;
  /** CPU seconds of this process. */
  readonly cpuSeconds: number;
  readonly episodesPerSecond: number;
  readonly decisionsPerSecond: number;
  readonly simSecondsPerSecond: number;
}

/** Rounds after which the kernels have all run once: the one that starts the episodes, and the first of decisions. */
const startingRounds = 2;

/** Plays a run into a folder that is removed afterwards. */
export async function benchEpisodes(
  options: RunOptions,
  openSimulator: OpenSimulator,
  progress: RunProgress,
  signal?: AbortSignal,
): Promise<EpisodesResult> {
  const parent = mkdtempSync(join(tmpdir(), 'rtsafe-bench-'));
  try {
    const readTimer = startTimer();
    let rounds = 0;
    let startSeconds = 0;
    const watched: RunProgress = {
      start: (total, done) => progress.start(total, done),
      advance(episodes, decisions) {
        if (++rounds === startingRounds) startSeconds = readTimer().seconds;
        progress.advance(episodes, decisions);
      },
      stop: () => progress.stop(),
    };
    const prepared = await prepareRun(options);
    const { summary } = await executeRun(prepared, join(parent, 'run'), openSimulator, watched, signal);
    const { seconds, cpuSeconds } = readTimer();
    const { episodes, environments, decisions, simSeconds } = summary.wall;
    return {
      episodes,
      environments,
      decisions,
      simSeconds,
      seconds,
      startSeconds,
      cpuSeconds,
      episodesPerSecond: episodes / seconds,
      decisionsPerSecond: decisions / seconds,
      simSecondsPerSecond: simSeconds / seconds,
    };
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}
