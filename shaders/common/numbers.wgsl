// Integer arithmetic that decides (docs/rules.md, sections 1 and 8). No float anywhere.

/// floor(a * b / 16384) for |b| <= 16384, without overflow.
fn mulQ14(a: i32, b: i32) -> i32 {
  return (a >> 14u) * b + (((a & 16383) * b) >> 14u);
}

fn unpackDirection(packed: u32) -> vec2i {
  return vec2i(bitcast<i32>(packed << 16u) >> 16u, bitcast<i32>(packed) >> 16u);
}

fn packDirection(unit: vec2i) -> u32 {
  return (bitcast<u32>(unit.x) & 0xffffu) | (bitcast<u32>(unit.y) << 16u);
}

/// `length` units along a Q14 unit vector.
fn scaleQ14(length: i32, unit: vec2i) -> vec2i {
  return vec2i(mulQ14(length, unit.x), mulQ14(length, unit.y));
}

/// Component of `d` along `unit`.
fn dotQ14(d: vec2i, unit: vec2i) -> i32 {
  return mulQ14(d.x, unit.x) + mulQ14(d.y, unit.y);
}

/// Signed distance of `d` from the axis `unit`.
fn crossQ14(d: vec2i, unit: vec2i) -> i32 {
  return mulQ14(d.y, unit.x) - mulQ14(d.x, unit.y);
}

fn dot2(a: vec2i, b: vec2i) -> i32 {
  return a.x * b.x + a.y * b.y;
}

/// Is |d| <= radius? Rejects by axis first, so nothing overflows for radius <= 32767.
fn within(d: vec2i, radius: i32) -> bool {
  let size = abs(d);
  if (max(size.x, size.y) > radius) { return false; }
  return dot2(d, d) <= radius * radius;
}

/// floor(sqrt(value)), bit by bit.
fn integerSquareRoot(value: u32) -> u32 {
  var rest = value;
  var root = 0u;
  var bit = 1u << 30u;
  while (bit > value) {
    bit = bit >> 2u;
  }
  while (bit != 0u) {
    if (rest >= root + bit) {
      rest -= root + bit;
      root = (root >> 1u) + bit;
    } else {
      root = root >> 1u;
    }
    bit = bit >> 2u;
  }
  return root;
}

/// Did two discs in straight motion over one tick come within `radius`? r0 and r1: relative position before and after.
fn sweptWithin(r0: vec2i, r1: vec2i, radius: i32) -> bool {
  if ((r0.x > radius && r1.x > radius) || (r0.x < -radius && r1.x < -radius)) { return false; }
  if ((r0.y > radius && r1.y > radius) || (r0.y < -radius && r1.y < -radius)) { return false; }
  let d = r1 - r0;
  if (all(d == vec2i(0)) || dot2(r0, d) >= 0) { return within(r0, radius); }
  if (dot2(r1, d) <= 0) { return within(r1, radius); }
  return abs(r0.x * d.y - r0.y * d.x) <= radius * i32(integerSquareRoot(u32(dot2(d, d))));
}
