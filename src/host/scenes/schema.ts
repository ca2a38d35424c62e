// The shape of a scene file: the roads of a city, the routes through it, and optionally its scenery spelled out.
// Everything else (junctions, sidewalks, zebras, buildings, objects) is derived by `buildCity`. Every message below
// completes the sentence "allowed is ...". What the shape cannot say (do the edges join?) is in check.ts.
import { z } from 'zod';

/** Largest absolute coordinate in a scene, in cm. */
export const maximumCoordinateCm = 1_000_000;
/** Most edges a route may have. */
export const maximumRouteEdges = 64;
/** Most roads, and most routes, a scene may have. */
export const maximumRoads = 256;
/** Most entries of one spelled-out scenery list. */
export const maximumSceneryEntries = 65_535;

export const groundObjectKinds = [
  'bottle1',
  'bottle2',
  'oil',
  'water',
  'basketball',
  'soccer',
  'tennis',
  'box',
] as const;
export const furnitureKinds = ['tree', 'hydrant', 'scooter', 'trash-can'] as const;
export const fallingObjectKinds = ['basketball', 'box', 'box2', 'soccer'] as const;
export const routeEdgeTypes = ['sidewalk', 'crosswalk'] as const;

function quotedList(values: readonly string[]): string {
  return values.map((value) => `"${value}"`).join(', ');
}

function wholeNumber(minimum: number, maximum: number) {
  const error = `a whole number from ${minimum} to ${maximum}`;
  return z.int({ error }).min(minimum, { error }).max(maximum, { error });
}

function centimetres(minimum: number, maximum: number) {
  const error = `a number of centimetres from ${minimum} to ${maximum}`;
  return z.number({ error }).min(minimum, { error }).max(maximum, { error });
}

function oneOf<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, { error: `one of ${quotedList(values)}` });
}

/** The length is checked first, so that a list of millions of faults is refused without listing them. */
function list<Item extends z.ZodType>(item: Item, what: string, minimum: number, maximum: number) {
  const error = `a list of ${minimum} to ${maximum} ${what}`;
  const isNotTooLong = (value: unknown) => !Array.isArray(value) || value.length <= maximum;
  return z
    .unknown()
    .refine(isNotTooLong, { error, abort: true })
    .pipe(z.array(item, { error }).min(minimum, { error }));
}

function exactObject<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, { error: `an object with the keys ${quotedList(Object.keys(shape))}` });
}

const coordinate = centimetres(-maximumCoordinateCm, maximumCoordinateCm);
const point = z.tuple([coordinate, coordinate], { error: 'a point [x, y] of two numbers in cm' });
const road = z.tuple([point, point], { error: 'a road [[x, y], [x, y]] of two points' });
const name = z
  .string({ error: 'a name of letters, digits and hyphens' })
  .regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/, { error: 'a name of 1 to 64 letters, digits and hyphens' });

const routeEdge = exactObject({ from: point, to: point, type: oneOf(routeEdgeTypes) });

const route = exactObject({
  id: wholeNumber(0, 1_000_000),
  start: point,
  end: point,
  edges: list(routeEdge, 'edges', 1, maximumRouteEdges),
});

function placed<const Kinds extends readonly string[]>(kinds: Kinds) {
  return exactObject({ kind: oneOf(kinds), x: coordinate, y: coordinate });
}

const building = exactObject({
  minX: coordinate,
  minY: coordinate,
  maxX: coordinate,
  maxY: coordinate,
  heightCm: centimetres(1, 100_000),
});

function sceneryList<Item extends z.ZodType>(item: Item, what: string) {
  return list(item, what, 0, maximumSceneryEntries).exactOptional();
}

const scenery = exactObject({
  buildings: sceneryList(building, 'buildings'),
  furniture: sceneryList(placed(furnitureKinds), 'pieces of furniture'),
  groundObjects: sceneryList(placed(groundObjectKinds), 'ground objects'),
  fallingObjects: sceneryList(placed(fallingObjectKinds), 'falling objects'),
});

export const sceneSchema = exactObject({
  format: z.literal('rtsafe-scene', { error: '"rtsafe-scene"' }),
  version: z.literal(1, { error: '1' }),
  name,
  /** Chooses the generated scenery; has nothing to do with the seeds of episodes. */
  scenerySeed: wholeNumber(0, 0xffffffff),
  /** Each [[x, y], [x, y]]: the road's centreline between two junction centres, in cm. */
  roads: list(road, 'roads', 1, maximumRoads),
  routes: list(route, 'routes', 1, maximumRoads),
  /** Each list given here takes the place of the generated one. */
  scenery: scenery.exactOptional(),
});

/** A checked scene file. All coordinates in cm; axes as in the RT-SAFE release (left-handed, yaw grows clockwise). */
export type Scene = z.infer<typeof sceneSchema>;
export type SceneRoute = Scene['routes'][number];
export type SceneEdge = SceneRoute['edges'][number];
/** [x, y] in cm. */
export type Point = [x: number, y: number];
export type GroundObjectKind = (typeof groundObjectKinds)[number];
export type FurnitureKind = (typeof furnitureKinds)[number];
export type FallingObjectKind = (typeof fallingObjectKinds)[number];
export type RouteEdgeType = (typeof routeEdgeTypes)[number];
