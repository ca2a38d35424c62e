// The few nearest of many, in order: by distance, and where two are equally far the one that was offered first.

const NEAREST_LIMIT = 8u;

var<private> nearestDistances: array<i32, NEAREST_LIMIT>;  // squared
var<private> nearestThings: array<u32, NEAREST_LIMIT>;
var<private> nearestCount: u32;

/// Offers a thing at `d`, which must be within reach; at most `capacity` are kept.
fn offerNearest(thing: u32, d: vec2i, capacity: u32) {
  let squared = dot2(d, d);
  var place = nearestCount;
  if (nearestCount == capacity) {
    place = capacity - 1u;
    if (squared >= nearestDistances[place]) { return; }
  } else {
    nearestCount++;
  }
  while (place > 0u && nearestDistances[place - 1u] > squared) {
    nearestDistances[place] = nearestDistances[place - 1u];
    nearestThings[place] = nearestThings[place - 1u];
    place--;
  }
  nearestDistances[place] = squared;
  nearestThings[place] = thing;
}
