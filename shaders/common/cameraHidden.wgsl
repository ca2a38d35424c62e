// What stands behind buildings is not drawn. Seen from above, a building hides what lies between the lines of sight past
// its outermost corners and beyond the chord between them. That region is convex and the chord lies inside the building, so
// what is found hidden is hidden.

/// Normals, pointing into the hidden region, of the two lines of sight.
var<private> hiderSides: array<vec4f, HIDER_LIMIT>;
/// Normal of the chord and its distance from the eye; how steeply the roof is seen at least.
var<private> hiderFronts: array<vec4f, HIDER_LIMIT>;
/// How much of the horizon each takes: 1 - cosine.
var<private> hiderSpans: array<f32, HIDER_LIMIT>;

/// Keeps a building (footprint and height from the eye, metres) if it takes more of the horizon than another one kept.
fn noteHider(low: vec2f, high: vec2f, roof: f32) {
  var weakest = 0u;
  for (var place = 1u; place < rig.hiderCount; place++) {
    if (hiderSpans[place] < hiderSpans[weakest]) { weakest = place; }
  }
  var left = low;
  var right = low;
  for (var corner = 1u; corner < 4u; corner++) {
    let place = select(low, high, vec2<bool>((corner & 1u) != 0u, (corner & 2u) != 0u));
    if (left.x * place.y < left.y * place.x) { left = place; }
    if (right.x * place.y > right.y * place.x) { right = place; }
  }
  let span = 1.0 - dot(normalize(left), normalize(right));
  let isAround = all(low < vec2f(0.0)) && all(high > vec2f(0.0));
  if (isAround || roof <= 0.0 || span <= hiderSpans[weakest]) { return; }
  let chord = normalize(right - left);
  var front = vec2f(chord.y, -chord.x);
  if (dot(front, left) < 0.0) { front = -front; }
  hiderSides[weakest] = vec4f(normalize(vec2f(-left.y, left.x)), normalize(vec2f(right.y, -right.x)));
  hiderFronts[weakest] = vec4f(front, dot(front, left), roof / max(length(left), length(right)));
  hiderSpans[weakest] = span;
}

/// Is a thing hidden? `middle` is its bounding sphere's from the eye; `forward` and `sideways` are half its extents in the
/// plane, as vectors.
fn isHidden(middle: vec3f, radius: f32, forward: vec2f, sideways: vec2f) -> bool {
  let nearest = length(middle.xy) - radius;
  var hidden = false;
  for (var place = 0u; place < HIDER_LIMIT; place++) {
    let sides = hiderSides[place];
    let front = hiderFronts[place];
    hidden = hidden || (hiderSpans[place] > 0.0
      && dot(sides.xy, middle.xy) >= abs(dot(sides.xy, forward)) + abs(dot(sides.xy, sideways))
      && dot(sides.zw, middle.xy) >= abs(dot(sides.zw, forward)) + abs(dot(sides.zw, sideways))
      && dot(front.xy, middle.xy) - front.z >= abs(dot(front.xy, forward)) + abs(dot(front.xy, sideways))
      && middle.z + radius <= front.w * nearest);
  }
  return hidden;
}
