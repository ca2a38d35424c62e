// The actions and latencies of a recorded run, found by episode, for policies and latencies that replay it.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { actionCode } from '../episodes/actions.ts';
import { type EpisodeIdentity, identityText } from '../episodes/episodeIdentity.ts';
import { UsageError } from '../errors.ts';
import { readEpisodes } from './readEpisodes.ts';

export interface RecordedEpisode extends EpisodeIdentity {
  /** [decision] */
  readonly actions: Uint8Array;
  /** [decision] */
  readonly latencyCentiseconds: Uint32Array;
}

function placeKey({ map, route, seed }: EpisodeIdentity): string {
  return JSON.stringify([map, route, seed]);
}

/** Higher is nearer; 3 is the same episode. */
function nearness(recorded: EpisodeIdentity, wanted: EpisodeIdentity): number {
  return (recorded.difficulty === wanted.difficulty ? 2 : 0) + (recorded.mode === wanted.mode ? 1 : 0);
}

/** The path of the episodes of a run: a folder stands for the episodes.jsonl in it. */
function episodesPath(path: string): string {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? join(path, 'episodes.jsonl') : path;
}

/** @example const recorded = RecordedEpisodes.read('runs/first').find(episode, 'exact'); */
export class RecordedEpisodes {
  readonly #path: string;
  readonly #byPlace = new Map<string, RecordedEpisode[]>();

  private constructor(path: string) {
    this.#path = path;
  }

  /**
   * Reads an episodes.jsonl, or that of a run folder.
   *
   * @throws UsageError for a missing or faulty file.
   */
  static read(path: string): RecordedEpisodes {
    const file = episodesPath(path);
    const recorded = new RecordedEpisodes(file);
    for (const { map, route, seed, difficulty, mode, trace } of readEpisodes(file)) {
      const identity = { map, route, seed, difficulty, mode };
      const episode = {
        ...identity,
        actions: Uint8Array.from(trace, (decision) => actionCode(decision.action)),
        latencyCentiseconds: Uint32Array.from(trace, (decision) => Math.round(decision.latencySeconds * 100)),
      };
      const key = placeKey(identity);
      const others = recorded.#byPlace.get(key);
      if (others === undefined) recorded.#byPlace.set(key, [episode]);
      else others.push(episode);
    }
    return recorded;
  }

  /**
   * The recording of an episode. `nearest` accepts another difficulty or mode of the same map, route and seed where the
   * episode itself is not recorded, the same difficulty before the same mode.
   *
   * @throws UsageError when there is none, or more than one to choose from.
   */
  find(wanted: EpisodeIdentity, match: 'exact' | 'nearest'): RecordedEpisode {
    const candidates = this.#byPlace.get(placeKey(wanted)) ?? [];
    const best = candidates.reduce((highest, candidate) => Math.max(highest, nearness(candidate, wanted)), 0);
    const found = candidates.filter((candidate) => nearness(candidate, wanted) === best);
    const [only] = found;
    if (only === undefined || (match === 'exact' && best < 3)) {
      throw new UsageError(
        `${this.#path}: found no episode ${identityText(wanted)}, allowed is a run that holds it`,
      );
    }
    if (found.length > 1) {
      throw new UsageError(
        `${this.#path}: found ${found.length} episodes ${identityText(only)}, allowed is a run that holds one`,
      );
    }
    return only;
  }
}
