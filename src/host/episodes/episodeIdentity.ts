// What makes an episode that one, whoever decides in it and however long that takes.
import type { EpisodeKey } from './plan.ts';

export type EpisodeIdentity = Pick<EpisodeKey, 'map' | 'route' | 'seed' | 'difficulty' | 'mode'>;

/** For messages: `rt10:0 hard realtime seed 0`. */
export function identityText({ map, route, difficulty, mode, seed }: EpisodeIdentity): string {
  return `${map}:${route} ${difficulty} ${mode} seed ${seed}`;
}
