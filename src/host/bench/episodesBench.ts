// The scenario of a whole run, end to end: 36 hard routes and some seeds, real-time, greedy, records written to disk.
import type { OpenSimulator, RunProgress } from '../run/executeRun.ts';
import type { RunOptions } from '../run/prepareRun.ts';
import { timeRun } from './timedRun.ts';

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

/** Plays a run into a folder that is removed afterwards. */
export async function benchEpisodes(
  options: RunOptions,
  openSimulator: OpenSimulator,
  progress: RunProgress,
  signal?: AbortSignal,
): Promise<EpisodesResult> {
  const { summary, whole, start } = await timeRun(options, openSimulator, progress, signal);
  const { seconds, cpuSeconds } = whole;
  const { episodes, environments, decisions, simSeconds } = summary.wall;
  return {
    episodes,
    environments,
    decisions,
    simSeconds,
    seconds,
    startSeconds: start.seconds,
    cpuSeconds,
    episodesPerSecond: episodes / seconds,
    decisionsPerSecond: decisions / seconds,
    simSecondsPerSecond: simSeconds / seconds,
  };
}
