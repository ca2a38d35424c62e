// The seed of one episode, from the run's seed and the route. Mode, difficulty, profile, policy and latency do not enter:
// the same people are placed whatever is compared, so that comparisons are matched and difficulties nested
// (RT-SAFE protocol §8: an actor's rank is drawn once per seed).
import { pcg, randomU32 } from '../../kernels/random.ts';

/** Keeps episode seeds apart from every draw inside an episode, whose purposes are small numbers (docs/rules.md). */
const episodePurpose = 0x65706973;

/** One u32 for a map's name: a fold of its UTF-8 bytes. */
function nameHash(name: string): number {
  let hash = 0;
  for (const byte of new TextEncoder().encode(name)) hash = pcg((hash + byte) >>> 0);
  return hash;
}

/**
 * The u32 that keys every random draw of an episode.
 *
 * @example episodeSeed(0, 'rt10', 3) // the same in both modes and at every difficulty
 */
export function episodeSeed(seed: number, map: string, routeId: number): number {
  return randomU32(seed, episodePurpose, nameHash(map), routeId);
}
