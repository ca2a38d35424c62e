// The few nearest of many, in several lists at once, each in order: by distance, and where two are equally far the one that was
// offered first.

const NEAREST_LISTS = 4u;
const NEAREST_LIMIT = 8u;

/// A thing in a list: its number and where it is from the agent.
struct Near {
  thing: u32,
  squared: i32,
  d: vec2i,
}

var<private> nearest: array<Near, NEAREST_LISTS * NEAREST_LIMIT>;
var<private> nearestCounts: array<u32, NEAREST_LISTS>;

/// Offers a thing at `d`, which must be within reach, to a list that keeps at most `capacity`.
fn offerNearest(list: u32, capacity: u32, thing: u32, d: vec2i) {
  let squared = dot2(d, d);
  let first = list * NEAREST_LIMIT;
  let count = nearestCounts[list];
  var place = min(count, capacity - 1u);
  if (count == capacity && squared >= nearest[first + place].squared) { return; }
  nearestCounts[list] = place + 1u;
  while (place > 0u && nearest[first + place - 1u].squared > squared) {
    nearest[first + place] = nearest[first + place - 1u];
    place--;
  }
  nearest[first + place] = Near(thing, squared, d);
}
