// A run's folder for those who read it: verification, merging, reports. Nothing that is damaged or does not belong there
// gets past it: it is refused by name, or, where a run was merely cut off, left out and counted.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { RunPlan } from '../episodes/plan.ts';
import type { UsageError } from '../errors.ts';
import { inputFault } from '../input/jsonFault.ts';
import type { EpisodeRecord } from './episodeRecord.ts';
import { type PlannedLine, readPlannedLines } from './plannedLines.ts';
import { type RunConfig, runIdentity } from './runConfig.ts';
import { episodesName, readRunConfig } from './runFolder.ts';

/** A run in which nothing is to be seen yet. */
export function noEpisodeFault(folder: string): UsageError {
  return inputFault(folder, 'no finished episode', 'a run with one or more');
}

type LastLine = 'whole' | 'cut-off-allowed';

/** How far a run got. */
export interface RunExtent {
  /** Whole lines, all of this run. */
  readonly episodes: number;
  readonly plannedEpisodes: number;
  /** 1 when the last line was cut off (by a kill or a full disk) and is left out, else 0. */
  readonly cutOffLines: number;
}

/**
 * @example
 * const run = RecordedRun.read('runs/first');
 * const { cutOffLines } = run.extent(); // reads and checks every line
 * const summaries = summarise(run.episodes());
 */
export class RecordedRun {
  readonly folder: string;
  readonly config: RunConfig;
  readonly plan: RunPlan;
  readonly #run: string;
  readonly #lastLine: LastLine;

  private constructor(folder: string, lastLine: LastLine) {
    this.folder = folder;
    this.#lastLine = lastLine;
    this.config = readRunConfig(folder);
    this.plan = new RunPlan(this.config.plan, this.config.shard);
    this.#run = runIdentity(this.config);
  }

  /**
   * A last line that was cut off is left out and counted, or refused (`whole`).
   *
   * @throws UsageError for a folder without a config.json, or a faulty one.
   */
  static read(folder: string, lastLine: LastLine = 'cut-off-allowed'): RecordedRun {
    return new RecordedRun(folder, lastLine);
  }

  get episodesPath(): string {
    return join(this.folder, episodesName);
  }

  /**
   * All whole lines, in the file's order.
   *
   * @throws UsageError for a line that is damaged, of another run or version, not planned, or there twice.
   */
  *lines(): Generator<PlannedLine> {
    for (const line of this.#allLines()) if (line.record !== undefined) yield line;
  }

  /** The records alone; see `lines`. */
  *episodes(): Generator<EpisodeRecord> {
    for (const { record } of this.lines()) yield record;
  }

  /** Reads and checks all lines; see `lines` for what is thrown. */
  extent(): RunExtent {
    let episodes = 0;
    let cutOffLines = 0;
    for (const { record } of this.#allLines()) {
      if (record === undefined) cutOffLines++;
      else episodes++;
    }
    return { episodes, plannedEpisodes: this.plan.size, cutOffLines };
  }

  #allLines() {
    // A run that was killed before its first episode ended has no such file yet.
    if (!existsSync(this.episodesPath)) return [];
    return readPlannedLines(this.episodesPath, this.plan, this.#run, this.#lastLine);
  }
}
