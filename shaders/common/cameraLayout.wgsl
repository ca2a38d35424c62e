// Records of the camera (src/kernels/camera/). All members are 4 bytes wide and every record is a whole number of four
// words, as in layout.wgsl; the host takes the offsets from here.

// One camera for all views of a pass. [1]
struct CameraRig {
  slopeX: f32,          // tangent of half the field of view, horizontally
  slopeY: f32,
  focal: f32,           // pixels
  near: f32,            // metres
  pitchCosine: f32,
  pitchSine: f32,
  eyeHeight: f32,       // metres above the ground
  leastRadius: f32,     // things whose radius takes fewer pixels are not drawn
  tileScaleX: f32,      // size of a tile in the atlas, as a share of it
  tileScaleY: f32,
  columns: u32,         // tiles in a row of the atlas
  viewCapacity: u32,
  viewCount: u32,
  sightLimit: u32,      // most things drawn in one view
  detail: f32,          // factor on the sizes in pixels at which meshes become simpler
  flatCount: u32,       // tiles drawn one by one (viewport) instead of all at once: 1
}

// What to draw into one tile. [view]
struct ViewRequest {
  env: u32,             // within its shard
  tile: u32,
  turn: i32,            // of the camera against the agent's heading, tenths of a degree, to the right
  spare0: u32,
}

// Anything that stands still, as it is drawn. [thing]
struct Thing {
  family: u32,
  needs: u32,           // bits of actor classes; not drawn while one of them is switched off
  x: i32,               // units
  y: i32,
  direction: u32,       // packed Q14 unit vector of the mesh's forward axis
  scaleX: f32,          // factors on the mesh, which is in metres
  scaleY: f32,
  scaleZ: f32,
  paint: u32,           // four palette entries, one a byte; signal heads: groups, group
  id: u32,              // segmentation id
  radius: f32,          // bounding sphere, metres
  middle: f32,          // height of its centre, metres
  middleX: i32,         // its centre in the plane, units
  middleY: i32,
  height: f32,          // of the mesh's origin above ground, metres
  spare0: u32,
}

// Sixty-four things near each other. [cluster]
struct Cluster {
  x: i32,               // units
  y: i32,
  radius: f32,          // metres, bounding sphere about (x, y) at height `middle`
  middle: f32,
  first: u32,           // in things
  count: u32,
  largest: f32,         // largest radius of its things
  spare0: u32,
}

// Which clusters a route shows: those of its map, and the balls and boxes too far from it to be actors. [route]
struct RouteClusters {
  first: u32,
  count: u32,
  extraFirst: u32,
  extraCount: u32,
}

// A mesh placed in a view. [instance]
struct Placed {
  x: f32,               // from the eye, metres, axes of the world
  y: f32,
  z: f32,
  swing: f32,           // of limbs, radians
  view: u32,
  direction: u32,       // packed Q14
  paint: u32,
  id: u32,
  scaleX: f32,
  scaleY: f32,
  scaleZ: f32,
  seed: f32,            // for patterns
}
