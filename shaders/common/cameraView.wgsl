// A camera in the world: its axes, and what it can see. Lengths in metres. The axes of the world are left-handed as in the
// rules: x forward, y to the right, z up.

struct View {
  right: vec3f,
  up: vec3f,
  forward: vec3f,
  eye: vec2i,        // units
}

fn unitOf(packed: u32) -> vec2f {
  return normalize(vec2f(unpackDirection(packed)));
}

fn viewAlong(heading: i32, eye: vec2i) -> View {
  let flat = normalize(vec2f(direction(heading)));
  var view: View;
  view.right = vec3f(-flat.y, flat.x, 0.0);
  view.forward = vec3f(flat * rig.pitchCosine, rig.pitchSine);
  view.up = vec3f(-flat * rig.pitchSine, rig.pitchCosine);
  view.eye = eye;
  return view;
}

/// From the eye to a place `height` above ground.
fn fromEye(view: View, place: vec2i, height: f32) -> vec3f {
  return vec3f(vec2f(place - view.eye) * (1.0 / 1600.0), height - rig.eyeHeight);
}

/// Radius in pixels of a sphere, 0 where it is outside the view.
fn seenRadius(view: View, middle: vec3f, radius: f32) -> f32 {
  let depth = dot(view.forward, middle);
  let across = abs(dot(view.right, middle));
  let over = abs(dot(view.up, middle));
  // Distances to the side planes, times the length of their normals.
  let sideX = across - depth * rig.slopeX;
  let sideY = over - depth * rig.slopeY;
  let isOutside = depth < -radius
    || sideX > radius * sqrt(1.0 + rig.slopeX * rig.slopeX)
    || sideY > radius * sqrt(1.0 + rig.slopeY * rig.slopeY);
  return select(rig.focal * radius / max(depth, max(radius, rig.near)), 0.0, isOutside);
}
