// Compiles cities to the integer tables of the kernels: coordinates to units, directions to Q14, walking paths to cyclic
// segments, everything that stands still to shapes under a grid (docs/rules.md, section 2).
import { directionTable, headingAlong, packedDirectionAlong } from '../../kernels/directions.ts';
import { type StructLayout, structLayout } from '../../kernels/layout.ts';
import { toUnits, unitsPerCm } from '../../kernels/units.ts';
import {
  actorLimit,
  cellShift,
  shapeKinds,
  vehicleCount,
  type WorldRoute,
  type WorldTables,
} from '../../kernels/world.ts';
import { UsageError } from '../errors.ts';
import { layoutSource } from '../shaderFiles.ts';
import type { City, GroundObject, Route } from './city.ts';
import { distanceToSegment } from './geometry.ts';
import type { Point } from './schema.ts';
import { type ClosedPath, dogPath, pedestrianPaths } from './walkingPaths.ts';

/** Balls and boxes farther than this from the route line are left out of an episode. */
export const propDistanceCm = 1500;
/** How far a shape reaches into the grid beyond its own bounds: the guard band of a crosswalk, contact distances else. */
const crosswalkMarginCm = 700;
const shapeMarginCm = 200;

const groundObjectKinds: Readonly<Record<GroundObject['kind'], number>> = {
  bottle1: shapeKinds.trip,
  bottle2: shapeKinds.trip,
  oil: shapeKinds.oil,
  water: shapeKinds.water,
  basketball: shapeKinds.ball,
  soccer: shapeKinds.ball,
  tennis: shapeKinds.ball,
  box: shapeKinds.box,
};

/** `extentY` of a disc: which of its kind it is, for drawing only. */
export const varieties = {
  groundObject: ['bottle1', 'bottle2', 'oil', 'water', 'basketball', 'soccer', 'tennis', 'box'],
  furniture: ['tree', 'hydrant', 'scooter', 'trash-can'],
  falling: ['basketball', 'box', 'box2', 'soccer'],
} as const;

interface Bounds {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

/** Writes records of one struct, member by member. */
class RecordList {
  readonly words: number[] = [];
  readonly #layout: StructLayout;

  constructor(layout: StructLayout) {
    this.#layout = layout;
  }

  get count(): number {
    return this.words.length / this.#layout.words;
  }

  add(members: Readonly<Record<string, number>>): number {
    const index = this.count;
    for (const { name } of this.#layout.members) {
      const value = name.startsWith('spare') ? 0 : members[name];
      if (value === undefined) throw new RangeError(`${this.#layout.name}.${name} is not given`);
      this.words.push(value >>> 0);
    }
    return index;
  }
}

/** A shape to be listed in the grid: in one cell (a disc) or in all that its grown bounds touch. */
interface Placed {
  readonly shape: number;
  readonly bounds: Bounds;
}

interface Strip {
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
  readonly halfWidthCm: number;
}

function lengthUnits(dx: number, dy: number): number {
  return Math.round(Math.sqrt(dx * dx + dy * dy));
}

class WorldBuilder {
  readonly shapes = new RecordList(structLayout(layoutSource(), 'Shape'));
  readonly segments = new RecordList(structLayout(layoutSource(), 'PathSegment'));
  readonly routes = new RecordList(structLayout(layoutSource(), 'Route'));
  readonly tables: number[] = [];
  readonly routeList: WorldRoute[] = [];
  readonly #headings = directionTable();

  #addStrip(kind: number, strip: Strip, link: number): Placed {
    const [ax, ay, bx, by] = [strip.ax, strip.ay, strip.bx, strip.by].map(toUnits) as [
      number,
      number,
      number,
      number,
    ];
    const shape = this.shapes.add({
      kind,
      x: ax,
      y: ay,
      direction: packedDirectionAlong(bx - ax, by - ay),
      extentX: lengthUnits(bx - ax, by - ay),
      extentY: toUnits(strip.halfWidthCm),
      link,
    });
    const marginCm = kind === shapeKinds.crosswalk ? crosswalkMarginCm : shapeMarginCm;
    const margin = toUnits(marginCm + strip.halfWidthCm);
    const bounds = {
      minX: Math.min(ax, bx) - margin,
      minY: Math.min(ay, by) - margin,
      maxX: Math.max(ax, bx) + margin,
      maxY: Math.max(ay, by) + margin,
    };
    return { shape, bounds };
  }

  #addDisc(kind: number, x: number, y: number, radiusCm: number, variety: number, link: number): Placed {
    const [ux, uy] = [toUnits(x), toUnits(y)];
    const shape = this.shapes.add({
      kind,
      x: ux,
      y: uy,
      direction: 0,
      extentX: toUnits(radiusCm),
      extentY: variety,
      link,
    });
    return { shape, bounds: { minX: ux, minY: uy, maxX: ux, maxY: uy } };
  }

  #addBuilding(building: City['buildings'][number]): Placed {
    const [x, y] = [toUnits(building.minX), toUnits(building.minY)];
    const [maxX, maxY] = [toUnits(building.maxX), toUnits(building.maxY)];
    const shape = this.shapes.add({
      kind: shapeKinds.building,
      x,
      y,
      direction: 0,
      extentX: maxX - x,
      extentY: maxY - y,
      link: toUnits(building.heightCm),
    });
    const margin = toUnits(shapeMarginCm);
    return {
      shape,
      bounds: { minX: x - margin, minY: y - margin, maxX: maxX + margin, maxY: maxY + margin },
    };
  }

  /** The grid's members of Route. */
  #addGrid(placed: readonly Placed[]): Record<string, number> {
    const size = 2 ** cellShift;
    const originX = Math.min(...placed.map(({ bounds }) => bounds.minX));
    const originY = Math.min(...placed.map(({ bounds }) => bounds.minY));
    const columnOf = (x: number) => (x - originX) >> cellShift;
    const rowOf = (y: number) => (y - originY) >> cellShift;
    const columns = Math.max(...placed.map(({ bounds }) => columnOf(bounds.maxX))) + 1;
    const rows = Math.max(...placed.map(({ bounds }) => rowOf(bounds.maxY))) + 1;
    if (columns * rows > 4_000_000) {
      throw new UsageError(
        `the scene spans ${columns} x ${rows} cells of ${size / unitsPerCm} cm: allowed are 4,000,000 cells`,
      );
    }
    const items: number[][] = Array.from({ length: columns * rows }, () => []);
    for (const { shape, bounds } of placed) {
      for (let row = rowOf(bounds.minY); row <= rowOf(bounds.maxY); row++) {
        for (let column = columnOf(bounds.minX); column <= columnOf(bounds.maxX); column++) {
          items[row * columns + column]!.push(shape);
        }
      }
    }
    const cells = this.tables.length;
    let start = 0;
    for (const cell of items) {
      this.tables.push(start);
      start += cell.length;
    }
    this.tables.push(start);
    const cellItems = this.tables.length;
    for (const cell of items) for (const shape of cell) this.tables.push(shape);
    return { cells, cellItems, originX, originY, columns, rows };
  }

  #addCycle(path: ClosedPath, firstOfRoute: number): [number, number] {
    const corners = path.map(([x, y]) => [toUnits(x), toUnits(y)] as const);
    const pieces = corners
      .map(([x, y], index) => {
        const [nextX, nextY] = corners[(index + 1) % corners.length]!;
        return { x, y, dx: nextX - x, dy: nextY - y };
      })
      .filter(({ dx, dy }) => dx !== 0 || dy !== 0);
    const first = this.segments.count - firstOfRoute;
    for (const [index, { x, y, dx, dy }] of pieces.entries()) {
      this.segments.add({
        x,
        y,
        direction: packedDirectionAlong(dx, dy),
        length: lengthUnits(dx, dy),
        next: first + ((index + 1) % pieces.length),
      });
    }
    return [first, pieces.length];
  }

  /** Adds cycles and the (first, count) pairs that list them; returns where the list starts. */
  #addCycles(paths: readonly ClosedPath[], firstOfRoute: number): number {
    const pairs = paths.map((path) => this.#addCycle(path, firstOfRoute));
    const start = this.tables.length;
    for (const pair of pairs) this.tables.push(...pair);
    return start;
  }

  addCity(city: City): void {
    const mapShapes = this.shapes.count;
    const connectors = city.routes.flatMap((route) =>
      route.edges.filter((edge) => edge.type === 'sidewalk' && edge.sidewalk === -1),
    );
    const placed = [
      ...city.sidewalks.map((strip) => this.#addStrip(shapeKinds.sidewalk, strip, 0)),
      ...connectors.map((edge) =>
        this.#addStrip(
          shapeKinds.sidewalk,
          { ax: edge.fromX, ay: edge.fromY, bx: edge.toX, by: edge.toY, halfWidthCm: 200 },
          0,
        ),
      ),
      ...city.crosswalks.map((strip) =>
        this.#addStrip(shapeKinds.crosswalk, strip, city.junctions[strip.junction]!.vehicleGroups.length),
      ),
      ...city.roads.map((strip) => this.#addStrip(shapeKinds.road, strip, 0)),
      ...city.buildings.map((building) => this.#addBuilding(building)),
      ...city.furniture.map(({ kind, x, y, radiusCm }) =>
        this.#addDisc(shapeKinds.furniture, x, y, radiusCm, varieties.furniture.indexOf(kind), 0),
      ),
    ];
    const firstGroundObject = this.shapes.count;
    placed.push(
      ...city.groundObjects.map(({ kind, x, y }, index) =>
        this.#addDisc(groundObjectKinds[kind], x, y, 0, varieties.groundObject.indexOf(kind), index),
      ),
    );
    const grid = this.#addGrid(placed);
    for (const route of city.routes) this.#addRoute(city, route, mapShapes, firstGroundObject, grid);
  }

  #addRoute(
    city: City,
    route: Route,
    mapShapes: number,
    firstGroundObject: number,
    grid: Readonly<Record<string, number>>,
  ): void {
    const edges = this.shapes.count;
    for (const edge of route.edges) {
      const isCrosswalk = edge.type === 'crosswalk';
      const kind = isCrosswalk ? shapeKinds.crosswalk : shapeKinds.sidewalk;
      this.#addStrip(kind, { ...edge, halfWidthCm: isCrosswalk ? 210 : 200 }, 0);
    }
    const falling = this.shapes.count;
    for (const { kind, x, y } of route.fallingObjects) {
      this.#addDisc(shapeKinds.falling, x, y, 0, varieties.falling.indexOf(kind), 0);
    }
    const segments = this.segments.count;
    const pedestrianPathList = route.pedestrianRoutes.flatMap((walk) => pedestrianPaths(walk));
    const pedestrianCycles = this.#addCycles(pedestrianPathList, segments);
    const dogCycles = this.#addCycles(
      route.dogRoutes.map((points) => dogPath(points)),
      segments,
    );
    const props = this.tables.length;
    for (const [index, object] of city.groundObjects.entries()) {
      const kind = groundObjectKinds[object.kind];
      if (kind !== shapeKinds.ball && kind !== shapeKinds.box) continue;
      if (route.edges.some((edge) => distanceToSegment(object.x, object.y, edge) <= propDistanceCm)) {
        this.tables.push(firstGroundObject + index - mapShapes);
      }
    }
    const propCount = this.tables.length - props;
    const pedestrianCount = pedestrianPathList.length === 0 ? 0 : route.pedestriansHard;
    const actorCount =
      pedestrianCount + route.dogRoutes.length + route.fallingObjects.length + propCount + vehicleCount;
    if (actorCount > actorLimit) {
      throw new UsageError(
        `scene ${city.name}: route ${route.id} has ${actorCount} actors: allowed are ${actorLimit}`,
      );
    }
    const points = route.points.map(([x, y]): Point => [toUnits(x), toUnits(y)]);
    const [start, second, end] = [points[0]!, points[1]!, points.at(-1)!];
    this.routes.add({
      startX: start[0],
      startY: start[1],
      endX: end[0],
      endY: end[1],
      startHeading: headingAlong(second[0] - start[0], second[1] - start[1], this.#headings),
      edges,
      edgeCount: route.edges.length,
      segments,
      pedestrianCycles,
      pedestrianCycleCount: pedestrianPathList.length,
      dogCycles,
      dogCycleCount: route.dogRoutes.length,
      falling,
      fallingCount: route.fallingObjects.length,
      props,
      propCount,
      pedestrianCount,
      groundObjectCount: city.groundObjects.length,
      shapes: mapShapes,
      ...grid,
      maxDecisions: route.maxDecisions,
    });
    this.routeList.push({
      map: city.name,
      id: route.id,
      points: Int32Array.from(points.flat()),
      lengthCm: route.lengthCm,
      maxDecisions: route.maxDecisions,
      actorCount,
    });
  }
}

/**
 * Compiles cities to the tables of one batch. All routes of all cities become runnable.
 *
 * @throws UsageError when a city is too large for the kernels.
 * @example const world = compileWorld([buildCity(loadBundledScene('rt10'))]);
 */
export function compileWorld(cities: readonly City[]): WorldTables {
  const builder = new WorldBuilder();
  for (const city of cities) builder.addCity(city);
  return {
    routes: Uint32Array.from(builder.routes.words),
    shapes: Uint32Array.from(builder.shapes.words),
    segments: Uint32Array.from(builder.segments.words),
    tables: Uint32Array.from(builder.tables),
    routeList: builder.routeList,
  };
}
