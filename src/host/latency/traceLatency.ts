// Latencies replayed from a file: those of a recorded run, or a plain list of seconds.
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { z } from 'zod';
import { checkJson, inputFault } from '../input/jsonFault.ts';
import { parseJson, readTextFile } from '../input/readTextFile.ts';
import { RecordedEpisodes } from '../records/recordedEpisodes.ts';
import { type LatencyModel, maximumLatencySeconds, toCentiseconds } from './latencyModel.ts';

const largestListBytes = 64 * 1024 * 1024;

const error = `a number of seconds from 0 to ${maximumLatencySeconds}`;
const secondsSchema = z
  .array(z.number({ error }).min(0, { error }).max(maximumLatencySeconds, { error }), {
    error: 'a list of seconds',
  })
  .min(1, { error: 'a list of at least one latency in seconds' });

/** True for a file whose first character other than white space opens a JSON list. */
function holdsList(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(256);
    return head.toString('utf8', 0, readSync(file, head)).trimStart().startsWith('[');
  } finally {
    closeSync(file);
  }
}

function listLatency(path: string): LatencyModel {
  const value = parseJson(readTextFile(path, 'a list of seconds in JSON', largestListBytes), path);
  const latencies = Uint32Array.from(checkJson(secondsSchema, value, path), toCentiseconds);
  return {
    name: `trace:${path}`,
    draw: (_episode, decision) => latencies[(decision - 1) % latencies.length]!,
  };
}

function runLatency(path: string): LatencyModel {
  const recorded = RecordedEpisodes.read(path);
  return {
    name: `trace:${path}`,
    draw(episode, decision) {
      const latencies = recorded.find(episode, 'nearest').latencyCentiseconds;
      return latencies.length === 0 ? 0 : latencies[(decision - 1) % latencies.length]!;
    },
    checkEpisodes(episodes) {
      for (const episode of episodes) recorded.find(episode, 'nearest');
    },
  };
}

/**
 * Replays latencies from
 *
 * - the folder or the episodes.jsonl of a run: each episode gets the latencies recorded for its map, route and seed (of
 *   the same difficulty and mode where there are several), or
 * - a JSON list of seconds, `[3.2, 0.8, ...]`, the same for all episodes.
 *
 * Decision k gets the k-th value; an episode with more decisions than values starts over at the first.
 *
 * @throws UsageError for a missing or faulty file; `draw` and `checkEpisodes` for an episode that it does not hold.
 */
export function traceLatency(path: string): LatencyModel {
  if (path === '') throw inputFault('trace:', 'no file', 'trace:<file>');
  return holdsList(path) ? listLatency(path) : runLatency(path);
}
