// Reads the episodes.jsonl of a run and holds every line against the run's config.json: a line of another run, of
// another version's run, of an episode that was never planned, or of one that is there already, is named and refused.

import { episodeName, type RunPlan } from '../episodes/plan.ts';
import { inputFault } from '../input/jsonFault.ts';
import type { EpisodeRecord } from './episodeRecord.ts';
import { type EpisodeLine, readEpisodeLines } from './readEpisodes.ts';

export interface PlannedLine extends EpisodeLine {
  /** The episode's place in the plan. */
  readonly index: number;
  readonly record: EpisodeRecord;
}

/** Where a last line that was cut off begins. */
export interface CutOffLine {
  readonly offset: number;
  readonly bytes: number;
  readonly record: undefined;
}

/**
 * Yields the lines in the file's order, in bounded memory but for a mark per episode. `run` is the `runIdentity` of the
 * folder's config.
 *
 * @throws UsageError naming file, line, what was found and what is allowed.
 */
export function* readPlannedLines(
  path: string,
  plan: RunPlan,
  run: string,
  lastLine: 'whole' | 'cut-off-allowed' = 'whole',
): Generator<PlannedLine | CutOffLine> {
  const seen = new Uint8Array(plan.gridSize);
  for (const line of readEpisodeLines(path, lastLine)) {
    const { record, number, offset, bytes } = line;
    if (record === undefined) {
      yield { offset, bytes, record };
      return;
    }
    const place = `${path}: line ${number}`;
    if (record.run !== run) {
      throw inputFault(
        place,
        `an episode of another run or version (${record.run})`,
        `episodes of the run in config.json (${run})`,
      );
    }
    const index = plan.indexOf(record);
    if (index === undefined) {
      throw inputFault(place, `the episode ${episodeName(record)}`, 'an episode that config.json plans');
    }
    if (seen[index] === 1) {
      throw inputFault(place, `the episode ${episodeName(record)} again`, 'each episode once');
    }
    seen[index] = 1;
    yield { number, offset, bytes, record, index };
  }
}
