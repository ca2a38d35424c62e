// One route and its map as planning reads them: flat arrays out of the world's tables, made once per route.
import { mulQ14, packedX, packedY, wholeRoot } from '../../../kernels/fixedPoint.ts';
import { type StructLayout, structLayout } from '../../../kernels/layout.ts';
import { cellShift, shapeKinds } from '../../../kernels/world.ts';
import { layoutSource } from '../../shaderFiles.ts';
import type { PrivilegedState } from '../policy.ts';

/** The tables that a map is read from. */
type MapTables = PrivilegedState['world'];

/** Words of `struct Shape` and `struct PathSegment`, and the places of their members. */
const shapeLayout = structLayout(layoutSource(), 'Shape');
const segmentLayout = structLayout(layoutSource(), 'PathSegment');
const routeLayout = structLayout(layoutSource(), 'Route');

export const shapeWords = shapeLayout.words;
export const shapeWord = placesOf(shapeLayout, [
  'kind',
  'x',
  'y',
  'direction',
  'extentX',
  'extentY',
  'link',
] as const);

function placesOf<Name extends string>(
  layout: StructLayout,
  members: readonly Name[],
): Readonly<Record<Name, number>> {
  return Object.fromEntries(members.map((name) => [name, layout.word(name)])) as Record<Name, number>;
}

/** Two edges whose directions differ by more than 30° make a corner: their dot product in Q14 is below this. */
const cornerCosine = 14189;

/** One route on its map; positions in units, directions Q14. */
export class RouteMap {
  /** [shape, Shape], all maps. */
  readonly shapes: Int32Array;
  readonly tables: Uint32Array;
  /** Absolute index of the map's first shape. */
  readonly firstShape: number;
  readonly cells: number;
  readonly cellItems: number;
  readonly originX: number;
  readonly originY: number;
  readonly columns: number;
  readonly rows: number;
  /** Absolute index in `shapes` of the first route edge, of the first falling object; in `tables` of the props. */
  readonly edges: number;
  readonly edgeCount: number;
  readonly falling: number;
  readonly props: number;
  /** Polyline points 0 (the start) to edgeCount (the end). */
  readonly pointX: Int32Array;
  readonly pointY: Int32Array;
  /** [point] units from the point along the route to its end. */
  readonly remaining: Int32Array;
  /** [point] corners at this point and after it. */
  readonly corners: Int32Array;
  /** [edge] 1 for a crosswalk. */
  readonly isCrosswalk: Uint8Array;
  /** [edge] vehicle groups of the junction that a crosswalk belongs to; 0 where it may always be entered. */
  readonly vehicleGroups: Int32Array;
  /** [edge] */
  readonly directionX: Int32Array;
  readonly directionY: Int32Array;
  readonly length: Int32Array;
  /** The route's path segments: start, direction, length, next. [segment] */
  readonly segmentX: Int32Array;
  readonly segmentY: Int32Array;
  readonly segmentDirectionX: Int32Array;
  readonly segmentDirectionY: Int32Array;
  readonly segmentLength: Int32Array;
  readonly segmentNext: Int32Array;

  constructor(world: MapTables, route: number) {
    const word = (name: string) => world.routes[route * routeLayout.words + routeLayout.word(name)]!;
    this.shapes = new Int32Array(world.shapes.buffer, world.shapes.byteOffset, world.shapes.length);
    this.tables = world.tables;
    this.firstShape = word('shapes');
    this.cells = word('cells');
    this.cellItems = word('cellItems');
    this.originX = word('originX') | 0;
    this.originY = word('originY') | 0;
    this.columns = word('columns');
    this.rows = word('rows');
    this.edges = word('edges');
    this.edgeCount = word('edgeCount');
    this.falling = word('falling');
    this.props = word('props');

    const edges = Array.from({ length: this.edgeCount }, (_, edge) => (this.edges + edge) * shapeWords);
    const edgeWords = (name: keyof typeof shapeWord) =>
      Int32Array.from(edges, (edge) => this.shapes[edge + shapeWord[name]]!);
    const directions = edgeWords('direction');
    this.directionX = directions.map(packedX);
    this.directionY = directions.map(packedY);
    this.length = edgeWords('extentX');
    this.pointX = Int32Array.of(...edgeWords('x'), word('endX') | 0);
    this.pointY = Int32Array.of(...edgeWords('y'), word('endY') | 0);
    this.isCrosswalk = Uint8Array.from(edgeWords('kind'), (kind) => Number(kind === shapeKinds.crosswalk));
    this.remaining = new Int32Array(this.edgeCount + 1);
    this.corners = new Int32Array(this.edgeCount + 1);
    for (let edge = this.edgeCount - 1; edge >= 0; edge--) {
      this.remaining[edge] = this.remaining[edge + 1]! + this.length[edge]!;
      this.corners[edge] = this.corners[edge + 1]! + Number(edge > 0 && this.#turnsAt(edge));
    }
    this.vehicleGroups = Int32Array.from(edges, (_, edge) => this.#groupsAt(edge));

    const segmentCount = this.#segmentCount(word);
    const first = word('segments');
    const segmentWords = (name: string) =>
      Int32Array.from(
        { length: segmentCount },
        (_, segment) =>
          world.segments[(first + segment) * segmentLayout.words + segmentLayout.word(name)]! | 0,
      );
    const segmentDirections = segmentWords('direction');
    this.segmentX = segmentWords('x');
    this.segmentY = segmentWords('y');
    this.segmentDirectionX = segmentDirections.map(packedX);
    this.segmentDirectionY = segmentDirections.map(packedY);
    this.segmentLength = segmentWords('length');
    this.segmentNext = segmentWords('next');
  }

  #turnsAt(edge: number): boolean {
    const x = mulQ14(this.directionX[edge]!, this.directionX[edge - 1]!);
    const y = mulQ14(this.directionY[edge]!, this.directionY[edge - 1]!);
    return x + y < cornerCosine;
  }

  /** The junction of the map's crosswalk that an edge runs over, found under the edge's middle. */
  #groupsAt(edge: number): number {
    if (this.isCrosswalk[edge] === 0) return 0;
    const middle = this.length[edge]! >> 1;
    const x = this.pointX[edge]! + mulQ14(middle, this.directionX[edge]!);
    const y = this.pointY[edge]! + mulQ14(middle, this.directionY[edge]!);
    const under = this.itemsAt(x, y).find(
      (shape) =>
        this.shapes[shape * shapeWords + shapeWord.kind] === shapeKinds.crosswalk &&
        this.isOnStrip(shape, x, y),
    );
    return under === undefined ? 0 : this.shapes[under * shapeWords + shapeWord.link]!;
  }

  #segmentCount(word: (name: string) => number): number {
    let count = 0;
    for (const kind of ['pedestrian', 'dog']) {
      const cycles = word(`${kind}Cycles`);
      for (let cycle = 0; cycle < word(`${kind}CycleCount`); cycle++) {
        const [first, segments] = this.tables.subarray(cycles + 2 * cycle, cycles + 2 * cycle + 2);
        count = Math.max(count, first! + segments!);
      }
    }
    return count;
  }

  /** Absolute indices of the shapes listed in the grid cell of a point. */
  itemsAt(x: number, y: number): Uint32Array {
    return this.cellAt((x - this.originX) >> cellShift, (y - this.originY) >> cellShift);
  }

  /** Absolute indices of the shapes listed in a grid cell; none outside the grid. */
  cellAt(column: number, row: number): Uint32Array {
    if (column < 0 || row < 0 || column >= this.columns || row >= this.rows) return noItems;
    const cell = this.cells + row * this.columns + column;
    const { tables, cellItems } = this;
    return tables.subarray(cellItems + tables[cell]!, cellItems + tables[cell + 1]!);
  }

  /** Where a point is along the axis of a strip (an absolute shape index), in units. */
  alongOf(shape: number, x: number, y: number): number {
    const base = shape * shapeWords;
    const direction = this.shapes[base + shapeWord.direction]!;
    const dx = x - this.shapes[base + shapeWord.x]!;
    const dy = y - this.shapes[base + shapeWord.y]!;
    return mulQ14(dx, packedX(direction)) + mulQ14(dy, packedY(direction));
  }

  /** How far a point is to the side of the axis of a strip, signed, in units. */
  lateralOf(shape: number, x: number, y: number): number {
    const base = shape * shapeWords;
    const direction = this.shapes[base + shapeWord.direction]!;
    const dx = x - this.shapes[base + shapeWord.x]!;
    const dy = y - this.shapes[base + shapeWord.y]!;
    return mulQ14(dy, packedX(direction)) - mulQ14(dx, packedY(direction));
  }

  isOnStrip(shape: number, x: number, y: number): boolean {
    const base = shape * shapeWords;
    if (Math.abs(this.lateralOf(shape, x, y)) > this.shapes[base + shapeWord.extentY]!) return false;
    const along = this.alongOf(shape, x, y);
    return along >= 0 && along <= this.shapes[base + shapeWord.extentX]!;
  }

  /** Strictly between the curb planes of a crosswalk, at 5 % and 95 % of its length (docs/rules.md, section 2). */
  isBetweenCurbs(shape: number, x: number, y: number): boolean {
    const along = 20 * this.alongOf(shape, x, y);
    const length = this.shapes[shape * shapeWords + shapeWord.extentX]!;
    return along > length && along < 19 * length;
  }

  /** Whether polyline point `subgoal` is reached at a position (docs/rules.md, section 4). */
  isReached(subgoal: number, x: number, y: number, distance: number, halfWidth: number): boolean {
    const dx = x - this.pointX[subgoal]!;
    const dy = y - this.pointY[subgoal]!;
    const before = this.isCrosswalk[subgoal - 1] === 1;
    const after = subgoal < this.edgeCount && this.isCrosswalk[subgoal] === 1;
    if (!before && !after) return dx * dx + dy * dy <= distance * distance;
    return (
      (before && this.#isInJoint(subgoal - 1, dx, dy, distance, halfWidth)) ||
      (after && this.#isInJoint(subgoal, dx, dy, distance, halfWidth))
    );
  }

  #isInJoint(edge: number, dx: number, dy: number, distance: number, halfWidth: number): boolean {
    const ux = this.directionX[edge]!;
    const uy = this.directionY[edge]!;
    return (
      Math.abs(mulQ14(dx, ux) + mulQ14(dy, uy)) <= distance &&
      Math.abs(mulQ14(dy, ux) - mulQ14(dx, uy)) <= halfWidth
    );
  }

  /** Units from a pose to the end of the route: straight to the subgoal, then along the edges. */
  wayToGo(subgoal: number, x: number, y: number): number {
    const dx = this.pointX[subgoal]! - x;
    const dy = this.pointY[subgoal]! - y;
    return wholeRoot(dx * dx + dy * dy) + this.remaining[subgoal]!;
  }
}

const noItems = new Uint32Array(0);

const known = new WeakMap<MapTables, RouteMap[]>();

/** The map of a route (an index into `world.routeList`); a second call gives the same object. */
export function routeMapOf(world: MapTables, route: number): RouteMap {
  const maps = known.get(world) ?? [];
  known.set(world, maps);
  maps[route] ??= new RouteMap(world, route);
  return maps[route];
}
