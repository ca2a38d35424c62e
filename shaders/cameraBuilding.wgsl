// Colours buildings: storeys of windows, a taller ground floor, a cornice.

const STOREY = 3.4;
const BAY = 2.6;
const GROUND_FLOOR = 4.2;

/// Byte of a face that looks along x, y or z.
const LOOKS_UP = 2u;

@fragment
fn cameraBuilding(tiled: Tiled) -> Solid {
  let place = placeInPicture(tiled);
  let nearness = nearnessAt(tiled, place);
  let depth = 1.0 / nearness;
  let ray = rayThrough(place) * depth;
  let facing = tiled.plane.w >> 24u;
  let foot = onSurface(tiled, ray.xy);
  let surface = vec2f(select(foot.x, foot.y, facing == 0u), ray.z + rig.eyeHeight);
  var colour = ownColour(tiled);
  let bay = surface.x / BAY;
  let isGround = surface.y < GROUND_FLOOR;
  let storey = select((surface.y - GROUND_FLOOR) / STOREY, surface.y / GROUND_FLOOR, isGround);
  let inBay = vec2f(fract(bay), fract(storey));
  let sill = select(0.28, 0.12, isGround);
  let isPane = inBay.x > 0.2 && inBay.x < 0.8 && inBay.y > sill && inBay.y < 0.82;
  let own = speckle(vec2f(floor(bay) + bitcast<f32>(tiled.marks.w), floor(storey)));
  let glass = mix(vec3f(0.20, 0.27, 0.35), vec3f(0.45, 0.57, 0.68), own * own);
  let wall = select(colour, colour * 0.8, inBay.y > 0.95);
  let windows = mix(mix(colour, glass, GLASS_SHARE), select(wall, glass, isPane), windowSharpness(depth));
  colour = select(windows, colour, facing == LOOKS_UP);
  return Solid(rig.near * nearness, vec4f(throughHaze(colour, depth), 1.0), depth, tiled.marks.z);
}
