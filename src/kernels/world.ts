// What does not change while episodes run, for all maps of a batch at once: plain word tables laid out as
// shaders/common/layout.wgsl declares. Their size depends on the maps, never on the number of environments.

/** `kind` of a Shape (docs/rules.md, section 2). */
export const shapeKinds = {
  sidewalk: 0,
  crosswalk: 1,
  road: 2,
  building: 3,
  furniture: 4,
  trip: 5,
  oil: 6,
  water: 7,
  ball: 8,
  box: 9,
  falling: 10,
} as const;

/** Bits of `classes` (docs/rules.md, section 3). */
export const actorClasses = {
  pedestrians: 1,
  dogs: 2,
  falling: 4,
  objects: 8,
  hazards: 16,
  conflict: 32,
} as const;

/** Edge of a grid cell as a power of two of units: 16384 units = 10.24 m. */
export const cellShift = 14;
/** Actor slots one environment may have; the kernels keep them in workgroup memory. */
export const actorLimit = 255;
/** Conflict vehicles per environment (RT-SAFE protocol §8: a pool of three cars). */
export const vehicleCount = 3;
/** Words per actor: x, y, link, along, speed, status, timer, mark. */
export const actorWords = 8;

/** One route's name and the numbers the host needs of it. */
export interface WorldRoute {
  readonly map: string;
  readonly id: number;
  /** Polyline in units, x and y in turn; point 0 is the start. */
  readonly points: Int32Array;
  readonly lengthCm: number;
  readonly maxDecisions: number;
  /** Most actor slots an episode on this route can have, vehicles included. */
  readonly actorCount: number;
}

export interface WorldTables {
  /** [route, Route] */
  readonly routes: Uint32Array;
  /** [shape, Shape] */
  readonly shapes: Uint32Array;
  /** [segment, PathSegment] */
  readonly segments: Uint32Array;
  /** Index lists: cycles, prop lists, grid cells and their items. */
  readonly tables: Uint32Array;
  readonly routeList: readonly WorldRoute[];
}
