// Coarse places: where something is, roughly, is one word of two coordinates of 15 bits, each with a spare bit above it, so that
// one subtraction compares both. They count modulo 2^15. So what is near each other on the ground is near each other here,
// wherever that is; what is far apart seems near when along both axes it differs by about a multiple of 1000 reaches, and then
// the exact test tells.

/// Steps that a reach is cut into.
const REACH_STEPS = 31u;
const BOTH = 0x00010001u;
const COARSE_BITS = 0x7fffu * BOTH;
const SPARE_BITS = 0x8000u * BOTH;
/// Some are set in a difference that is out of reach.
const FAR_BITS = COARSE_BITS & ~((2u * REACH_STEPS + 1u) * BOTH);
/// 2^17 times the steps in a unit of length. Who is more than REACH_STEPS steps away along either axis is out of reach.
fn reachScale(reach: u32) -> u32 {
  return (REACH_STEPS << 17u) / reach;
}

/// The product wraps, the shift rounds down: places no more than REACH_STEPS steps apart get numbers no further apart than that.
fn coarsePlace(p: vec2i, scale: u32) -> u32 {
  let steps = bitcast<vec2u>(p) * scale;
  return (steps.x >> 17u) | ((steps.y >> 17u) << 16u);
}

/// From here a place is within reach when subtracting it leaves none of FAR_BITS. The spare bits keep the halves apart.
fn windowAround(place: u32) -> u32 {
  return ((place + REACH_STEPS * BOTH) & COARSE_BITS) | SPARE_BITS;
}
