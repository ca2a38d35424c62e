// Colours what is painted on the ground: roads with their lines, sidewalks with their slabs, zebras, oil and water.

const LINE = vec3f(0.88, 0.88, 0.84);
const MIDDLE_LINE = vec3f(0.90, 0.72, 0.20);

/// How far lines stop before the end of a road: behind the zebra, which is 7 m from the junction and 4.2 m wide.
const SET_BACK = 9.6;

fn isOnRoadLine(along: f32, lateral: f32, length: f32) -> bool {
  let inside = min(along, length - along);
  if (inside < SET_BACK) { return false; }
  // Stop lines, across the lane that ends there: traffic keeps to the right.
  if (along < SET_BACK + 0.5) { return lateral < -0.1 && lateral > -4.8; }
  if (length - along < SET_BACK + 0.5) { return lateral > 0.1 && lateral < 4.8; }
  return abs(abs(lateral) - 4.75) < 0.07;
}

/// Rises and falls between 0 and 1 once a turn.
fn wave(turns: f32) -> f32 {
  return abs(2.0 * fract(turns) - 1.0);
}

@fragment
fn cameraGround(tiled: Tiled) -> Pixel {
  let ray = rayThrough(placeInPicture(tiled));
  let depth = -rig.eyeHeight / ray.z;
  var colour = ownColour(tiled);
  let place = onSurface(tiled, ray.xy * depth);
  let length = bitcast<f32>(tiled.marks.w);
  // Patterns of about a metre, as far as a pixel can show them.
  let sharp = select(0.0, clamp(1.4 - depth * 22.0 / rig.focal, 0.0, 1.0), hasPatterns);
  switch (tiled.plane.w >> 24u) {
    case ROAD: {
      if (hasPatterns) { colour *= 0.97 + 0.06 * sharp * (speckle(place * 3.0) - 0.5); }
      let inside = min(place.x, length - place.x);
      if (isOnRoadLine(place.x, place.y, length)) { colour = LINE; }
      if (inside > SET_BACK + 1.0 && abs(place.y) < 0.09 && fract(place.x / 3.0) < 0.6) { colour = MIDDLE_LINE; }
    }
    case SIDEWALK: {
      if (hasPatterns) {
        let joint = fract(place);
        let isJoint = joint.x < 0.035 || joint.y < 0.035;
        colour *= 1.0 + sharp * (select(0.0, -0.16, isJoint) + 0.05 * (speckle(place) - 0.5));
      }
    }
    case ZEBRA: {
      let stripe = fract(place.x);
      if (stripe > 0.24 && stripe < 0.76) { colour = LINE * 1.04; }
    }
    case OIL: {
      // A dark film with a violet and green sheen in rings.
      let ring = dot(place, place) * 3.0 + place.x;
      colour += vec3f(0.05, 0.02, 0.07) * wave(ring) + vec3f(0.0, 0.05, 0.03) * wave(ring + 0.3);
    }
    case WATER: {
      let crest = wave(place.x * 2.2 + wave(place.y * 1.4) * 0.5);
      colour += vec3f(0.16, 0.18, 0.18) * max(crest - 0.775, 0.0) * sharp * 4.0;
    }
    default: {}
  }
  return Pixel(vec4f(throughHaze(colour, depth), 1.0), depth, tiled.marks.z);
}
