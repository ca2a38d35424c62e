// What the camera's compute kernels read and write. FAMILY_x and MESHES are generated (src/kernels/camera/meshes.ts).

@group(1) @binding(2) var<uniform> shardViews: vec4u;                      // first view and number of views of this shard
@group(2) @binding(0) var<uniform> rig: CameraRig;
@group(2) @binding(1) var<uniform> requests: array<vec4u, 4096>;           // [view, ViewRequest]
@group(2) @binding(2) var<storage, read> sceneWords: array<vec4u>;         // [RouteClusters], [Cluster], [Thing]
@group(2) @binding(3) var<storage, read_write> sightings: array<u32>;      // how many [view], which [view, SIGHT_LIMIT]
@group(2) @binding(4) var<storage, read_write> views: array<vec4f>;        // [view, 4]: right, up, forward; eye's place within 64 m, middle of the tile
@group(2) @binding(5) var<uniform> familyMeshes: array<vec4u, 32>;         // [family]: four meshes, fine to coarse; clusters and things start

var<private> route: Route;
var<private> rules: Rules;

/// Where a view's sightings begin.
fn seenPlace(view: u32) -> u32 {
  return VIEW_LIMIT + view * SIGHT_LIMIT;
}

// A sighting names its mesh and its source: an actor slot, or a thing.
const MESH_SHIFT = 26u;
const ACTOR_BIT = 0x2000000u;
const SOURCE_MASK = 0x1ffffffu;

/// Which class of actor a slot holds, as a family; FAMILIES when the slot is empty.
struct Cast {
  family: u32,
  height: f32,       // of its origin
  middle: f32,       // of its bounding sphere above the origin
  radius: f32,
}

fn stateWord(word: u32) -> u32 {
  return states[current * STATE_WORDS + word];
}

fn castOf(slot: u32, actor: Actor) -> Cast {
  var first = stateWord(STATE_pedestrians);
  if ((actor.status & 3) == 0) { return Cast(FAMILIES, 0.0, 0.0, 0.0); }
  if (slot < first) { return Cast(FAMILY_person, 0.0, 0.9, 1.0); }
  first += stateWord(STATE_dogs);
  if (slot < first) { return Cast(FAMILY_dog, 0.0, 0.35, 0.6); }
  first += stateWord(STATE_falling);
  if (slot < first) {
    let variety = shapes[(route.falling + u32(actor.link)) * 2u + 1u].y;
    let isBall = variety == 0u || variety == 3u;
    return Cast(select(FAMILY_crate, FAMILY_ball, isBall), f32(actor.along) * (1.0 / 1600.0), 0.25, 0.5);
  }
  first += stateWord(STATE_props);
  if (slot < first) {
    let kind = shapes[propShape(slot + stateWord(STATE_props) - first) * 2u].x;
    if (kind == KIND_BALL) { return Cast(FAMILY_ball, 0.0, 0.12, 0.15); }
    return Cast(FAMILY_crate, 0.0, 0.5, 0.9);
  }
  return Cast(FAMILY_car, 0.0, 0.7, 2.4);
}

fn propShape(prop: u32) -> u32 {
  return route.shapes + tables[route.props + prop];
}

fn actorCount() -> u32 {
  return stateWord(STATE_pedestrians) + stateWord(STATE_dogs) + stateWord(STATE_falling) + stateWord(STATE_props) + VEHICLES;
}
