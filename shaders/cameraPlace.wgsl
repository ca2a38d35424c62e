// Writes an instance for everything that was seen: one workgroup per view.

@group(2) @binding(6) var<storage, read_write> instances: array<vec4u>;  // [view, instance, Placed]
@group(2) @binding(7) var<uniform> meshes: array<vec4u, 64>;             // [mesh]: faces as in Placed; does it turn to the eye?

const TWO_PI = 6.2831853;

var<private> view: View;

struct Look {
  offset: vec3f,
  swing: f32,        // or what a pattern needs (struct Placed)
  direction: u32,
  paint: u32,
  id: u32,
  scale: vec3f,
}

fn packPaint(a: u32, b: u32, c: u32, d: u32) -> u32 {
  return a | (b << 8u) | (c << 16u) | (d << 24u);
}

fn segmentationId(class_: u32, index: u32) -> u32 {
  return class_ | (index << 8u);
}

/// The lamps of a signal head (docs/rules.md, section 7). `heads`: vehicle groups of the junction, and this head's group;
/// a pedestrian head has group 255.
fn lamps(heads: u32) -> u32 {
  let groups = i32(heads & 255u);
  let group = i32((heads >> 8u) & 255u);
  let tick = i32(stateWord(STATE_worldTick));
  let vehicle = rules.greenTicks + rules.yellowTicks + rules.allRedTicks;
  let phase = tick % (groups * vehicle + rules.walkTicks + rules.clearanceTicks);
  if (group == 255) {
    if (phase < groups * vehicle) { return packPaint(PAINT_lampRed, PAINT_lampOff, PAINT_lampOff, 0u); }
    if (phase < groups * vehicle + rules.walkTicks) { return packPaint(PAINT_lampOff, PAINT_lampWalk, PAINT_lampOff, 0u); }
    // Flashing: half a second bright, half a second dim; the bar between the lamps shines all the while.
    let isBright = (phase - groups * vehicle - rules.walkTicks) % 10 < 5;
    return packPaint(select(PAINT_lampDimAmber, PAINT_lampAmber, isBright), PAINT_lampOff, PAINT_lampAmber, 0u);
  }
  let own = phase - group * vehicle;
  if (own >= 0 && own < rules.greenTicks) { return packPaint(PAINT_lampOff, PAINT_lampOff, PAINT_lampGreen, 0u); }
  if (own >= rules.greenTicks && own < rules.greenTicks + rules.yellowTicks) {
    return packPaint(PAINT_lampOff, PAINT_lampAmber, PAINT_lampOff, 0u);
  }
  return packPaint(PAINT_lampRed, PAINT_lampOff, PAINT_lampOff, 0u);
}

fn walkerDirection(actor: Actor) -> u32 {
  return segments[(route.segments + u32(actor.link)) * 2u].z;
}

fn ballPaint(isBasketball: bool, isTennis: bool) -> u32 {
  if (isTennis) { return packPaint(PAINT_tennis, PAINT_tennis, 0u, 0u); }
  if (isBasketball) { return packPaint(PAINT_basketball, PAINT_black, 0u, 0u); }
  return packPaint(PAINT_white, PAINT_black, 0u, 0u);
}

fn cratePaint() -> u32 {
  return packPaint(PAINT_crate, PAINT_tape, 0u, 0u);
}

fn lookOfActor(slot: u32, isShadow: bool) -> Look {
  let actor = readStoredActor(slot);
  let role = castOf(slot, actor);
  let ahead = packDirection(vec2i(16384, 0));
  var look = Look(fromEye(view, positionOf(actor), role.height), 0.0, ahead, 0u, 0u, vec3f(1.0));
  var shadow = vec2f(0.35);
  let random = pcg(stateWord(STATE_seed) + slot * 0x9e3779b9u);
  switch (role.family) {
    case FAMILY_person: {
      look.direction = walkerDirection(actor);
      // One cycle of two steps is 1.4 m of path; a walker that is held stands.
      let phase = f32(actor.along % 2240) * (TWO_PI / 2240.0);
      look.swing = select(0.0, sin(phase) * 0.5, actor.timer <= 0);
      look.paint = packPaint(
        PAINT_clothes + random % CLOTHES,
        PAINT_trousers + (random >> 8u) % TROUSERS,
        PAINT_skin + (random >> 16u) % SKINS,
        PAINT_hair + (random >> 24u) % HAIRS,
      );
      look.scale = vec3f(vec2f(0.96 + 0.1 * f32((random >> 4u) & 15u) / 15.0), 0.94 + 0.12 * f32((random >> 20u) & 15u) / 15.0);
      look.id = segmentationId(CLASS_person, slot);
    }
    case FAMILY_dog: {
      look.direction = walkerDirection(actor);
      let phase = f32(actor.along % 960) * (TWO_PI / 960.0);
      look.swing = select(0.0, sin(phase) * 0.5, actor.timer <= 0);
      look.paint = packPaint(PAINT_dog, PAINT_black, 0u, 0u);
      look.id = segmentationId(CLASS_dog, slot);
      shadow = vec2f(0.5, 0.25);
    }
    case FAMILY_car: {
      look.direction = bitcast<u32>(actor.link);
      look.paint = packPaint(PAINT_cars + random % CARS, PAINT_glass, 0u, 0u);
      look.id = segmentationId(CLASS_car, slot);
      shadow = vec2f(2.35, 1.05);
    }
    default: {
      let falling = stateWord(STATE_pedestrians) + stateWord(STATE_dogs);
      let props = falling + stateWord(STATE_falling);
      if (slot < props) {
        let variety = shapes[(route.falling + u32(actor.link)) * 2u + 1u].y;
        if (role.family == FAMILY_ball) {
          look.paint = ballPaint(variety == 0u, false);
          look.scale = vec3f(f32(rules.fallingRadius) / 1600.0);
        } else {
          look.paint = cratePaint();
          look.scale = vec3f(f32(rules.fallingRadius) / 1600.0 * 1.77);
        }
        look.id = segmentationId(CLASS_falling, slot);
        shadow = vec2f(f32(rules.fallingRadius) / 1600.0);
      } else {
        let shape = propShape(slot - props);
        let variety = shapes[shape * 2u + 1u].y;
        if (role.family == FAMILY_ball) {
          // Basketball, soccer ball, tennis ball (this one drawn larger than life).
          look.paint = ballPaint(variety == 4u, variety == 6u);
          look.scale = vec3f(select(0.12, 0.05, variety == 6u));
          look.id = segmentationId(CLASS_ball, slot);
          shadow = look.scale.xy;
        } else {
          look.paint = cratePaint();
          look.scale = vec3f(f32(rules.boxRadius) / 1600.0 * 1.77);
          look.id = segmentationId(CLASS_crate, slot);
          shadow = look.scale.xy * 0.6;
        }
      }
    }
  }
  if (isShadow) {
    look.offset.z = -rig.eyeHeight;
    look.scale = vec3f(shadow, 1.0);
    look.paint = packPaint(PAINT_black, PAINT_black, 0u, SHADOW);
  }
  return look;
}

fn lookOfThing(index: u32) -> Look {
  let thing = readThing(familyMeshes[31].y / 4u + index);
  var paint = thing.paint;
  if (thing.family == FAMILY_vehicleSignal || thing.family == FAMILY_pedestrianSignal) { paint = lamps(thing.paint); }
  return Look(
    fromEye(view, vec2i(thing.x, thing.y), thing.height),
    select(thing.scaleX, f32(index & 1023u), thing.family == FAMILY_building),
    thing.direction,
    paint,
    thing.id,
    vec3f(thing.scaleX, thing.scaleY, thing.scaleZ),
  );
}

fn writeInstance(place: u32, look: Look, mesh: u32) {
  let ahead = select(unitOf(look.direction), -normalize(look.offset.xy), meshes[mesh].y != 0u);
  // The mesh's axes, scaled, and its origin, in pixels times metres and in metres.
  let x = toCamera(vec3f(ahead * look.scale.x, 0.0));
  let y = toCamera(vec3f(vec2f(-ahead.y, ahead.x) * look.scale.y, 0.0));
  let z = toCamera(vec3f(0.0, 0.0, look.scale.z));
  let origin = toCamera(look.offset);
  let heading = view.right.yx * vec2f(1.0, -1.0);
  let across = vec2f(-ahead.y, ahead.x);
  instances[place * PLACED] = bitcast<vec4u>(vec4f(x.x, y.x, z.x, origin.x));
  instances[place * PLACED + 1u] = bitcast<vec4u>(vec4f(x.y, y.y, z.y, origin.y));
  instances[place * PLACED + 2u] = bitcast<vec4u>(vec4f(x.z, y.z, z.z, origin.z));
  instances[place * PLACED + 3u] = vec4u(bitcast<u32>(look.swing), look.paint, look.id, meshes[mesh].x);
  instances[place * PLACED + 4u] = bitcast<vec4u>(vec4f(
    dot(ahead, heading),
    dot(ahead, view.right.xy),
    -dot(look.offset.xy, ahead),
    -dot(look.offset.xy, across),
  ));
}

fn toCamera(away: vec3f) -> vec3f {
  return vec3f(rig.focal * dot(view.right, away), rig.focal * dot(view.up, away), dot(view.forward, away));
}

@compute @workgroup_size(8)
fn cameraPlace(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let viewIndex = shardViews.x + group.x;
  current = requests[viewIndex].x;
  route = readRoute(stateWord(STATE_route));
  rules = readRules(stateWord(STATE_rules));
  view.right = views[viewIndex * 4u].xyz;
  view.up = views[viewIndex * 4u + 1u].xyz;
  view.forward = views[viewIndex * 4u + 2u].xyz;
  view.eye = vec2i(bitcast<i32>(stateWord(STATE_x)), bitcast<i32>(stateWord(STATE_y)));
  let count = sightings[viewIndex];
  // Tests at its end: drivers on a CPU otherwise go once more through it, for no lane.
  var place = lane;
  loop {
    let sighting = sightings[seenPlace(viewIndex) + place];
    let mesh = sighting >> MESH_SHIFT;
    let source = sighting & SOURCE_MASK;
    if (place < count) {
      var look: Look;
      if ((sighting & ACTOR_BIT) != 0u) {
        look = lookOfActor(source, mesh == familyMeshes[FAMILY_shadow].x);
      } else {
        look = lookOfThing(source);
      }
      writeInstance(viewIndex * SIGHT_LIMIT + place, look, mesh);
    }
    continuing {
      place += 8u;
      break if place >= count;
    }
  }
}
