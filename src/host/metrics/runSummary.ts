// summary.json: the aggregates of a run per condition, and how fast it was computed.
import { z } from 'zod';
import { UsageError } from '../errors.ts';
import { checkJson } from '../input/jsonFault.ts';
import { parseJson, readTextFile } from '../input/readTextFile.ts';
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

const maximumSummaryBytes = 256 * 1024 * 1024;

/** As much as tells a summary from anything else, and one that is whole from one that was edited. */
const summarySchema = z.looseObject(
  {
    format: z.literal('rtsafe-summary', { error: '"rtsafe-summary"' }),
    version: z.literal(1, { error: '1' }),
    conditions: z.array(z.looseObject({})),
    wall: z.looseObject({
      seconds: z.number(),
      setupSeconds: z.number(),
      environments: z.number(),
      adapter: z.string(),
      episodes: z.number(),
      decisions: z.number(),
      simSeconds: z.number(),
      episodesPerSecond: z.number(),
      decisionsPerSecond: z.number(),
      simSecondsPerSecond: z.number(),
    }),
  },
  { error: 'the summary.json of a run' },
);

export interface ReadSummary {
  /** The content of summary.json. */
  readonly summaryText: string;
  readonly summary: RunSummary;
}

/**
 * Reads a summary.json that is there.
 *
 * @throws UsageError for one that cannot be read, is cut off or is no summary; it says how to be rid of that.
 */
export function readRunSummary(path: string): ReadSummary {
  try {
    const summaryText = readTextFile(path, 'the summary.json of a run', maximumSummaryBytes);
    const summary = checkJson(summarySchema, parseJson(summaryText, path), path);
    return { summaryText, summary: summary as unknown as RunSummary };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const advice = 'without this file, the command that wrote the run makes it again from the episodes';
    throw new UsageError(`${error.message} (${advice})`, { cause: error });
  }
}

/** The text of summary.json. */
export function runSummaryText(summary: RunSummary): string {
  return `${JSON.stringify(summary, null, 2)}\n`;
}
