// summary.json: the aggregates of a run per condition, and how fast it was computed.

import { readEpisodes } from '../records/readEpisodes.ts';
import { type ConditionSummary, summarise } from './summarise.ts';

/** What was computed in the session that finished the run, and in what wall time. */
export interface WallTime {
  readonly seconds: number;
  /** Of these, opening the GPU and compiling the kernels. */
  readonly setupSeconds: number;
  readonly environments: number;
  readonly adapter: string;
  /** Those of this start of the command; the others were there before. */
  readonly episodes: number;
  readonly decisions: number;
  readonly simSeconds: number;
}

export interface RunSummary {
  readonly format: 'rtsafe-summary';
  readonly version: 1;
  readonly conditions: readonly ConditionSummary[];
  /** Rates leave the set-up out. */
  readonly wall: WallTime & {
    readonly episodesPerSecond: number;
    readonly decisionsPerSecond: number;
    readonly simSecondsPerSecond: number;
  };
}

/** @throws UsageError for a damaged file. */
export function makeRunSummary(episodesPath: string, wall: WallTime): RunSummary {
  const playSeconds = wall.seconds - wall.setupSeconds;
  const rate = (amount: number) => (playSeconds > 0 ? amount / playSeconds : 0);
  return {
    format: 'rtsafe-summary',
    version: 1,
    conditions: summarise(readEpisodes(episodesPath)),
    wall: {
      ...wall,
      episodesPerSecond: rate(wall.episodes),
      decisionsPerSecond: rate(wall.decisions),
      simSecondsPerSecond: rate(wall.simSeconds),
    },
  };
}

/** The text of summary.json. */
export function runSummaryText(summary: RunSummary): string {
  return `${JSON.stringify(summary, null, 2)}\n`;
}
