// Which environment plays which episode. Nothing in an episode depends on it, but its speed does: a driver that runs
// neighbouring environments in the lanes of one vector is as fast as the one with the most walkers, and walkers are as many as
// the route has. So neighbours play the same route as long as there is more of it.
import type { PlannedEpisode } from '../episodes/plan.ts';

/** Where free environments get their next episode from. */
export interface EpisodeQueue<Episode = PlannedEpisode> {
  /** The next episode for an environment; undefined when none is left. */
  next(env: number): Episode | undefined;
}

/** Environments that lie side by side: the lanes of a vector, or a multiple of them. */
export const neighbours = 8;

/**
 * Gives out episodes by route. Blocks of neighbours begin with one route after the other, stay with theirs until it is played
 * out, and then take the next that is not.
 *
 * @example const queue = new RouteSeating(routes.map((_, route) => plan.episodesOf(route)));
 */
export class RouteSeating<Episode = PlannedEpisode> implements EpisodeQueue<Episode> {
  /** Routes that may have episodes left. */
  readonly #open: Iterator<Episode>[];
  /** [block] */
  readonly #home: (Iterator<Episode> | undefined)[] = [];
  #turn = 0;

  constructor(routes: readonly Iterator<Episode>[]) {
    this.#open = [...routes];
  }

  next(env: number): Episode | undefined {
    const block = Math.floor(env / neighbours);
    for (;;) {
      const route = this.#home[block] ?? this.#open[this.#turn++ % Math.max(1, this.#open.length)];
      if (route === undefined) return undefined;
      this.#home[block] = route;
      const { done, value } = route.next();
      if (!done) return value;
      this.#home[block] = undefined;
      const place = this.#open.indexOf(route);
      if (place >= 0) this.#open.splice(place, 1);
    }
  }
}
