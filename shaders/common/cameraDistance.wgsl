// What distance does to colours: haze, and windows that become too small to be told apart.

const HAZE = vec3f(0.72, 0.80, 0.88);

fn throughHaze(colour: vec3f, depth: f32) -> vec3f {
  return mix(colour, HAZE, min(depth * 0.0022, 0.75));
}

/// Share of a wall that is glass, and the mean colour of glass.
const GLASS_SHARE = 0.32;
const GLASS = vec3f(0.283, 0.37, 0.46);

/// How clearly windows are seen: 0 where one is less than a pixel.
fn windowSharpness(depth: f32) -> f32 {
  return clamp(1.3 - depth * 1.35 / rig.focal, 0.0, 1.0);
}
