// Colours buildings: storeys of windows, a taller ground floor, a cornice.

const STOREY = 3.4;
const BAY = 2.6;
const GROUND_FLOOR = 4.2;

@fragment
fn cameraBuilding(tiled: Tiled) -> Pixel {
  let depth = 1.0 / tiled.position.w;
  var colour = tiled.colour;
  if (tiled.size.z < 0.5) {
    let bay = tiled.surface.x / BAY;
    let isGround = tiled.surface.y < GROUND_FLOOR;
    let storey = select((tiled.surface.y - GROUND_FLOOR) / STOREY, tiled.surface.y / GROUND_FLOOR, isGround);
    let place = vec2f(fract(bay), fract(storey));
    let low = select(0.28, 0.12, isGround);
    let isPane = place.x > 0.2 && place.x < 0.8 && place.y > low && place.y < 0.82;
    let own = speckle(vec2f(floor(bay) + tiled.size.y, floor(storey)));
    let glass = mix(vec3f(0.20, 0.27, 0.35), vec3f(0.45, 0.57, 0.68), own * own);
    let isBand = place.y > 0.95;
    // Far away a window is less than a pixel: fade to the mean of wall and glass.
    let sharp = clamp(1.3 - depth * 0.0045 * 300.0 / rig.focal, 0.0, 1.0);
    let wall = select(colour, colour * 0.8, isBand);
    colour = mix(mix(colour, glass, 0.32), select(wall, glass, isPane), sharp);
  }
  return Pixel(vec4f(throughHaze(colour, depth), 1.0), depth, tiled.id);
}
