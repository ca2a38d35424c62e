// Which episode an environment plays next.
import type { ResetRequest } from '../batchSimulator.ts';
import { randomU32 } from '../random.ts';

/** An episode to be played. A caller's own may say more, such as the map's name: it is handed back as it is. */
export interface Episode {
  readonly start: Omit<ResetRequest, 'env'>;
}

/** Whose next episode it is. */
export interface EpisodePlace {
  /** The environment's own seed, u32, as `reset` set it. */
  readonly seed: number;
  /** Episodes the environment has had since it was seeded. */
  readonly number: number;
  /** Its slot in the batch. */
  readonly env: number;
}

/**
 * Chooses episodes; undefined when there is none left, whereupon the environment stands idle. One that looks at `seed` and
 * `number` alone gives the same episodes whatever the batch.
 */
export type EpisodeSource<Played extends Episode = Episode> = (place: EpisodePlace) => Played | undefined;

/** Keeps these draws apart from those inside an episode (docs/rules.md, section 1) and from those of the host. */
const episodePurpose = 201;

/** Whole numbers for one episode: draw number `counter`, below `count`. */
export type EpisodeDraw = (counter: number, count: number) => number;

/**
 * Draws episodes: `choose` makes one from a function that draws. Keyed by the environment's seed and the episode's number.
 *
 * @example
 * const source = drawnEpisodes((draw) => ({ start: { ...start, route: draw(0, 36), seed: draw(1, 2 ** 32) } }));
 */
export function drawnEpisodes<Played extends Episode>(
  choose: (draw: EpisodeDraw) => Played,
): EpisodeSource<Played> {
  return ({ seed, number }) =>
    choose((counter, count) =>
      Math.floor((randomU32(seed, episodePurpose, number, counter) * count) / 2 ** 32),
    );
}
