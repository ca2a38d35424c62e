// Decodes the word tables of a world into plain objects, one route at a time. The grid of a map serves only to list the
// map's shapes; the reference never looks anything up in it.
import { shapeKinds, type WorldTables } from '../../src/kernels/world.ts';
import { advanced, unpackDirection, type Vector } from './numbers.ts';
import { layoutOf } from './records.ts';

/** The part of a world that the reference reads. */
export type ReferenceTables = Pick<WorldTables, 'routes' | 'shapes' | 'segments' | 'tables'>;

/** A sidewalk, crosswalk, road or route edge: a band around an axis. `index` is relative to the map. */
export interface Strip {
  readonly index: number;
  readonly kind: number;
  readonly start: Vector;
  readonly axis: Vector;
  readonly length: number;
  readonly halfWidth: number;
  /** Crosswalk: vehicle groups of its junction, 0 when uncontrolled. */
  readonly vehicleGroups: number;
}

/** A ground object or falling object. */
export interface Disc {
  readonly index: number;
  readonly kind: number;
  readonly centre: Vector;
  readonly radius: number;
  /** Ground object: its index on the map. */
  readonly link: number;
}

export interface Building {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/** All shapes of one map by kind, each list ascending by index. */
export interface MapShapes {
  readonly sidewalks: readonly Strip[];
  readonly crosswalks: readonly Strip[];
  readonly roads: readonly Strip[];
  readonly buildings: readonly Building[];
  readonly furniture: readonly Disc[];
  /** Trip, oil and water patches. */
  readonly patches: readonly Disc[];
  /** Discs of kinds 4 to 9: what walkers are not placed on. */
  readonly groundObjects: readonly Disc[];
}

export interface PathSegment {
  readonly start: Vector;
  readonly axis: Vector;
  readonly length: number;
  readonly next: number;
}

/** A closed walking path: `count` segments from `first` on. */
export interface Cycle {
  readonly first: number;
  readonly count: number;
}

/** One route with everything on its map. */
export interface RouteWorld {
  readonly start: Vector;
  readonly end: Vector;
  readonly startHeading: number;
  readonly edges: readonly Strip[];
  readonly segments: readonly PathSegment[];
  readonly pedestrianCycles: readonly Cycle[];
  readonly dogCycles: readonly Cycle[];
  readonly falling: readonly Disc[];
  readonly props: readonly Disc[];
  readonly pedestrianCount: number;
  readonly groundObjectCount: number;
  readonly map: MapShapes;
}

type Numbers = Readonly<Record<string, number>>;

const routeLayout = layoutOf('Route');
const shapeLayout = layoutOf('Shape');
const segmentLayout = layoutOf('PathSegment');

const decodedRoutes = new WeakMap<ReferenceTables, Map<number, RouteWorld>>();

/** Decodes route `index` of a world; a second call gives the same object. */
export function decodeRoute(tables: ReferenceTables, index: number): RouteWorld {
  const known = decodedRoutes.get(tables) ?? new Map<number, RouteWorld>();
  decodedRoutes.set(tables, known);
  const route = known.get(index) ?? readRoute(tables, index);
  known.set(index, route);
  return route;
}

function readRoute(tables: ReferenceTables, index: number): RouteWorld {
  const route = readRecord(routeLayout, tables.routes, index);
  const pedestrianCycles = readCycles(tables, route.pedestrianCycles!, route.pedestrianCycleCount!);
  const dogCycles = readCycles(tables, route.dogCycles!, route.dogCycleCount!);
  const segmentCount = Math.max(
    0,
    ...[...pedestrianCycles, ...dogCycles].map((cycle) => cycle.first + cycle.count),
  );
  const firstShape = route.shapes!;
  const shape = (absolute: number) => readRecord(shapeLayout, tables.shapes, absolute);
  const disc = (absolute: number) => discOf(shape(absolute), absolute - firstShape);
  return {
    start: { x: route.startX!, y: route.startY! },
    end: { x: route.endX!, y: route.endY! },
    startHeading: route.startHeading!,
    edges: counted(route.edgeCount!, (edge) => stripOf(shape(route.edges! + edge), edge)),
    segments: counted(segmentCount, (segment) => readSegment(tables, route.segments! + segment)),
    pedestrianCycles,
    dogCycles,
    falling: counted(route.fallingCount!, (falling) => disc(route.falling! + falling)),
    props: counted(route.propCount!, (prop) => disc(firstShape + tables.tables[route.props! + prop]!)),
    pedestrianCount: route.pedestrianCount!,
    groundObjectCount: route.groundObjectCount!,
    map: readMapShapes(tables, route),
  };
}

function readMapShapes(tables: ReferenceTables, route: Numbers): MapShapes {
  const cells = route.columns! * route.rows!;
  const starts = route.cells!;
  const itemCount = tables.tables[starts + cells]! - tables.tables[starts]!;
  const items = tables.tables.subarray(route.cellItems, route.cellItems! + itemCount);
  const firstShape = route.shapes!;
  const indices = [...new Set(items)].map((absolute) => absolute - firstShape).sort((a, b) => a - b);
  const shapes = indices.map((index) => ({
    index,
    values: readRecord(shapeLayout, tables.shapes, firstShape + index),
  }));
  const ofKinds = (...kinds: number[]) => shapes.filter(({ values }) => kinds.includes(values.kind!));
  const strips = (kind: number) => ofKinds(kind).map(({ values, index }) => stripOf(values, index));
  const discs = (...kinds: number[]) => ofKinds(...kinds).map(({ values, index }) => discOf(values, index));
  const { sidewalk, crosswalk, road, building, furniture, trip, oil, water, ball, box } = shapeKinds;
  return {
    sidewalks: strips(sidewalk),
    crosswalks: strips(crosswalk),
    roads: strips(road),
    buildings: ofKinds(building).map(({ values }) => buildingOf(values)),
    furniture: discs(furniture),
    patches: discs(trip, oil, water),
    groundObjects: discs(furniture, trip, oil, water, ball, box),
  };
}

function readCycles(tables: ReferenceTables, first: number, count: number): Cycle[] {
  return counted(count, (cycle) => ({
    first: tables.tables[first + cycle * 2]!,
    count: tables.tables[first + cycle * 2 + 1]!,
  }));
}

function readSegment(tables: ReferenceTables, absolute: number): PathSegment {
  const segment = readRecord(segmentLayout, tables.segments, absolute);
  return {
    start: { x: segment.x!, y: segment.y! },
    axis: unpackDirection(segment.direction!),
    length: segment.length!,
    next: segment.next!,
  };
}

function stripOf(shape: Numbers, index: number): Strip {
  return {
    index,
    kind: shape.kind!,
    start: { x: shape.x!, y: shape.y! },
    axis: unpackDirection(shape.direction!),
    length: shape.extentX!,
    halfWidth: shape.extentY!,
    vehicleGroups: shape.link!,
  };
}

function discOf(shape: Numbers, index: number): Disc {
  return {
    index,
    kind: shape.kind!,
    centre: { x: shape.x!, y: shape.y! },
    radius: shape.extentX!,
    link: shape.link!,
  };
}

function buildingOf(shape: Numbers): Building {
  const minX = shape.x!;
  const minY = shape.y!;
  return { minX, minY, maxX: minX + shape.extentX!, maxY: minY + shape.extentY! };
}

/** Position at distance `along` on a path segment. */
export function pointOnSegment(segment: PathSegment, along: number): Vector {
  return advanced(segment.start, along, segment.axis);
}

/** Record `index` of a table of such records, members by name. */
function readRecord(layout: ReturnType<typeof layoutOf>, table: Uint32Array, index: number): Numbers {
  const record: Record<string, number> = {};
  for (const member of layout.members) {
    const word = table[index * layout.words + member.word];
    if (word === undefined) throw new RangeError(`no ${layout.name} ${index} in the world tables`);
    record[member.name] = member.signed ? word | 0 : word;
  }
  return record;
}

function counted<Item>(count: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
