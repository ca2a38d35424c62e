// Counter-based random numbers: u32 in, u32 out, no state. The same few integer operations exist in WGSL, so host,
// shaders and reference draw the same bits. A draw is keyed by (seed, purpose, entity, counter), never by where an
// environment stands in the batch.
// Source of the hash: M. Jarzynski and M. Olano, "Hash Functions for GPU Rendering", JCGT 9(3), 2020 (PCG-RXS-M-XS).

/**
 * Hashes one u32 to one u32 (a bijection).
 *
 * @example pcg(0) // 129708002
 */
export function pcg(value: number): number {
  const state = (Math.imul(value, 747796405) + 2891336453) >>> 0;
  const word = Math.imul((state >>> ((state >>> 28) + 4)) ^ state, 277803737) >>> 0;
  return ((word >>> 22) ^ word) >>> 0;
}

/**
 * One random u32 for a (seed, purpose, entity, counter): `pcg(counter + pcg(entity + pcg(purpose + pcg(seed))))`, every
 * sum modulo 2^32.
 *
 * @example const draw = randomU32(episodeSeed, launchDistancePurpose, vehicleIndex, 0);
 */
export function randomU32(seed: number, purpose: number, entity: number, counter: number): number {
  return pcg((counter + pcg((entity + pcg((purpose + pcg(seed)) >>> 0)) >>> 0)) >>> 0);
}

/**
 * A whole number in [0, count) from one random u32, for count 1 to 65535: `((random >>> 16) * count) >>> 16`. The bias
 * is below count / 65536.
 *
 * @example uniformBelow(randomU32(seed, purpose, entity, 0), 8) // 0..7
 */
export function uniformBelow(random: number, count: number): number {
  return ((random >>> 16) * count) >>> 16;
}

/** Rounds of the keyed permutation behind {@link permutedRank}. */
export const permutationRounds = 8;

/** 2^32 divided by the golden ratio: keeps the round keys of neighbouring keys apart. */
const roundKeyStep = 0x9e3779b9;

/**
 * The place of `index` in a shuffle of [0, count) that is chosen by `key` (any u32). For one count and key this is a
 * bijection, so that `permutedRank(i, n, key) < k` picks exactly k of n, and a smaller k picks a subset of a larger.
 * `count` is 1 to 2^31, `index` below it.
 *
 * Exactly: let `bits` be the number of bits of `count - 1`, `lowBits = bits >> 1`, `highBits = bits - lowBits`,
 * `mask = 2^bits - 1` and `lowMask = 2^lowBits - 1`. One pass, an unbalanced Feistel network with keyed rotations, does
 * for round = 1..8, with all arithmetic on u32:
 *
 *     roundKey = pcg(key + round * 0x9e3779b9)
 *     value = (value + roundKey) & mask
 *     value = value ^ (pcg((value >> lowBits) + roundKey) & lowMask)
 *     value = ((value << highBits) & mask) | (value >> lowBits)       // the low bits become the high ones
 *
 * Each line is a bijection of [0, 2^bits). Passes repeat until the value is below `count` (cycle walking); that ends
 * after at most `2^bits - count + 1` passes, below two on average.
 *
 * @example const isActive = permutedRank(actorIndex, actorCount, key) < activeCount;
 */
export function permutedRank(index: number, count: number, key: number): number {
  const bits = 32 - Math.clz32(count - 1);
  const mask = bits === 0 ? 0 : 0xffffffff >>> (32 - bits);
  const lowBits = bits >>> 1;
  const highBits = bits - lowBits;
  const lowMask = (1 << lowBits) - 1;
  let value = index;
  do {
    for (let round = 1; round <= permutationRounds; round++) {
      const roundKey = pcg((key + Math.imul(round, roundKeyStep)) >>> 0);
      value = ((value + roundKey) & mask) >>> 0;
      value = (value ^ (pcg(((value >>> lowBits) + roundKey) >>> 0) & lowMask)) >>> 0;
      value = (((value << highBits) & mask) | (value >>> lowBits)) >>> 0;
    }
  } while (value >= count);
  return value;
}
