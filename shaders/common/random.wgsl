// Counter-based random numbers; src/kernels/random.ts says what they are and where they come from.

fn pcg(value: u32) -> u32 {
  let state = value * 747796405u + 2891336453u;
  let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
  return (word >> 22u) ^ word;
}

fn randomU32(seed: u32, purpose: u32, entity: u32, counter: u32) -> u32 {
  return pcg(counter + pcg(entity + pcg(purpose + pcg(seed))));
}

fn uniformBelow(random: u32, count: u32) -> u32 {
  return ((random >> 16u) * count) >> 16u;
}

fn permutedRank(index: u32, count: u32, key: u32) -> u32 {
  let bits = 32u - countLeadingZeros(count - 1u);
  let mask = select(0xffffffffu >> (32u - bits), 0u, bits == 0u);
  let lowBits = bits >> 1u;
  let highBits = bits - lowBits;
  let lowMask = (1u << lowBits) - 1u;
  var value = index;
  // Cycle walking ends after at most 2^bits - count + 1 <= count passes; the bound is only for the compiler's peace.
  for (var walk = 0u; walk <= count; walk++) {
    for (var round = 1u; round <= 8u; round++) {
      let roundKey = pcg(key + round * 0x9e3779b9u);
      value = (value + roundKey) & mask;
      value = value ^ (pcg((value >> lowBits) + roundKey) & lowMask);
      value = ((value << highBits) & mask) | (value >> lowBits);
    }
    if (value < count) { break; }
  }
  return value;
}

// What a draw is for (docs/rules.md, section 1).
const PURPOSE_PLACEMENT = 1u;
const PURPOSE_SPEED = 2u;
const PURPOSE_DOG = 3u;
const PURPOSE_FALLING = 4u;
const PURPOSE_MOVABLE = 5u;
const PURPOSE_FALLING_DELAY = 6u;
const PURPOSE_LAUNCH = 7u;
