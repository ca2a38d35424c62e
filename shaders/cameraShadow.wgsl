// Darkens the ground under things.

@fragment
fn cameraShadow(tiled: Tiled) -> @location(0) vec4f {
  return vec4f(0.0, 0.0, 0.0, SHADE);
}
