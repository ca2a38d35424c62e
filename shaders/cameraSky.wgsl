// Colours the backdrop: sky above the horizon, open ground below it.

const GROUND_ID = 1u;

@fragment
fn cameraSky(tiled: Tiled) -> Pixel {
  let ray = rayThrough(placeInPicture(tiled));
  if (ray.z >= -0.001) {
    let height = clamp(ray.z * inverseSqrt(dot(ray, ray)) * 2.2, 0.0, 1.0);
    return Pixel(vec4f(mix(vec3f(0.80, 0.87, 0.94), vec3f(0.33, 0.56, 0.86), height), 1.0), 0.0, 0u);
  }
  let depth = -rig.eyeHeight / ray.z;
  var colour = vec3f(0.42, 0.50, 0.33);
  if (hasPatterns) {
    let surface = bitcast<vec4f>(tiled.surface);
    let heading = surface.zw;
    let place = surface.xy + (heading * ray.x + vec2f(-heading.y, heading.x) * ray.y) * depth;
    let sharp = clamp(1.4 - depth * 12.0 / rig.focal, 0.0, 1.0);
    colour *= 1.0 + 0.14 * sharp * (speckle(place * 2.0) - 0.5);
  }
  return Pixel(vec4f(throughHaze(colour, depth), 1.0), depth, GROUND_ID);
}
