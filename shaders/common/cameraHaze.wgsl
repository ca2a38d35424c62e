// Air: what is far away fades.

const HAZE = vec3f(0.72, 0.80, 0.88);

fn throughHaze(colour: vec3f, depth: f32) -> vec3f {
  return mix(colour, HAZE, min(depth * 0.0022, 0.75));
}
