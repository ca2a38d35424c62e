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
  halfWidth: f32,       // of a picture, pixels
  halfHeight: f32,
  scaleX: f32,          // from pixels of the atlas to clip space
  scaleY: f32,
  columns: u32,         // tiles in a row of the atlas
  detail: f32,          // factor on the sizes in pixels at which meshes become simpler
  listUnit: u32,        // chunks of triangles a view may have, in units of LIST_CHUNKS
  viewCapacity: u32,
  hiderCount: u32,      // buildings that things are looked for behind
  width: u32,           // of a picture, pixels
  height: u32,
  spare0: u32,
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

// CLUSTER_THINGS things near each other, or fewer. [cluster]
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

// A mesh placed in a view. Its rows take a vertex (x, y, z, 1) of the mesh to the pixel (right, up) from the middle of the
// picture, times the depth, and to the depth in metres. [view, instance]
struct Placed {
  rightX: f32,
  rightY: f32,
  rightZ: f32,
  rightMove: f32,
  upX: f32,
  upY: f32,
  upZ: f32,
  upMove: f32,
  depthX: f32,
  depthY: f32,
  depthZ: f32,
  depthMove: f32,
  swing: f32,           // of limbs, radians; of what has a pattern: a strip's length in metres, a building's seed
  paint: u32,           // four palette entries, one a byte
  id: u32,              // segmentation id
  faces: u32,           // first face, number of faces, list (common/cameraFaces.wgsl)
  aheadX: f32,          // patterns: the mesh's x axis as (ahead, right) of the camera
  aheadY: f32,
  along: f32,           // of the eye's foot in the mesh's axes, metres
  lateral: f32,
}
