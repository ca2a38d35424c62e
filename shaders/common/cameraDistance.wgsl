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

/// The nearest whole numbers, below four million. By the bits of a sum: drivers on a CPU convert lane by lane.
fn toInteger(values: vec2f) -> vec2i {
  return bitcast<vec2i>(values + 12582912.0) - 0x4b400000;
}

/// A colour as bytes, red the lowest, and back.
fn packColour(colour: vec3f) -> u32 {
  let bytes = bitcast<vec3u>(clamp(colour, vec3f(0.0), vec3f(1.0)) * 255.0 + 8388608.0) & vec3u(255u);
  return bytes.x | (bytes.y << 8u) | (bytes.z << 16u);
}

fn unpackColour(bytes: u32) -> vec3f {
  return vec3f(bitcast<vec3i>(vec3u(bytes, bytes >> 8u, bytes >> 16u) & vec3u(255u))) * (1.0 / 255.0);
}
