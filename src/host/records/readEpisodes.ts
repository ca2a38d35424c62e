// Reads episodes.jsonl one episode at a time and names the line that is damaged.
import { existsSync, statSync } from 'node:fs';
import { checkJson, inputFault } from '../input/jsonFault.ts';
import { parseJson } from '../input/readTextFile.ts';
import { type EpisodeRecord, episodeRecordSchema } from './episodeRecord.ts';
import { readLines } from './readLines.ts';

export interface EpisodeLine {
  /** From 1. */
  readonly number: number;
  /** Bytes before the line. */
  readonly offset: number;
  /** Bytes of the line with its newline. */
  readonly bytes: number;
  /** Undefined for a last line that was cut off, where that is allowed. */
  readonly record: EpisodeRecord | undefined;
}

/**
 * Yields the episodes of a file in bounded memory.
 *
 * @throws UsageError naming file, line, JSON path, what was found and what is allowed.
 */
export function* readEpisodeLines(
  path: string,
  lastLine: 'whole' | 'cut-off-allowed' = 'whole',
): Generator<EpisodeLine> {
  if (!existsSync(path) || !statSync(path).isFile()) {
    throw inputFault(path, 'no such file', 'the episodes.jsonl of a run');
  }
  for (const { number, offset, bytes, text, complete } of readLines(path)) {
    const source = `${path}: line ${number}`;
    if (!complete) {
      if (lastLine === 'whole') throw inputFault(source, 'a line that is cut off', 'whole lines');
      yield { number, offset, bytes, record: undefined };
      return;
    }
    const record = checkJson(episodeRecordSchema, parseJson(text, source), source);
    yield { number, offset, bytes, record };
  }
}

/** Yields the records alone. */
export function* readEpisodes(path: string): Generator<EpisodeRecord> {
  for (const { record } of readEpisodeLines(path)) {
    if (record !== undefined) yield record;
  }
}
