// Splitting a run over several machines: which of its episodes each takes.
import { permutedRank } from '../../kernels/random.ts';
import { inputFault } from '../input/jsonFault.ts';

/** One part of a run that is split; `index` is 0 to `of` - 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

export const maximumShards = 10_000;

/** Any constant: the split is the same everywhere. */
const splitKey = 0x73706c74;

/** `1/3` */
export function shardName({ index, of }: Shard): string {
  return `${index}/${of}`;
}

/**
 * The index of the shard that takes an episode. The plan is dealt out in a shuffled order, so that shards differ by at
 * most one episode and all get their share of every condition and route.
 */
export function shardIndexOf(episode: number, planSize: number, shards: number): number {
  return permutedRank(episode, planSize, splitKey) % shards;
}

/**
 * Reads `--shard i/n`.
 *
 * @throws UsageError for anything else, and for more shards than episodes.
 * @example parseShard('0/3', plan.size)
 */
export function parseShard(text: string, planSize: number): Shard {
  const [, indexText, countText] = /^\s*(\d{1,9})\/(\d{1,9})\s*$/.exec(text) ?? [];
  const shard = { index: Number(indexText ?? Number.NaN), of: Number(countText ?? Number.NaN) };
  const most = Math.min(maximumShards, planSize);
  if (shard.index < shard.of && shard.of <= most) return shard;
  throw inputFault('--shard', `"${text.trim()}"`, `i/n with i from 0 to n - 1 and n at most ${most}, as 0/3`);
}
