// What stands still near the agent, gathered once per decision out of the map's grid, by kind.
import { cellShift, shapeKinds } from '../../../kernels/world.ts';
import { type RouteMap, shapeWord, shapeWords } from './routeMap.ts';

/** Absolute shape indices, each list ascending. */
export class Surroundings {
  readonly sidewalks: number[] = [];
  readonly crosswalks: number[] = [];
  readonly roads: number[] = [];
  readonly buildings: number[] = [];
  readonly furniture: number[] = [];
  readonly patches: number[] = [];
  readonly #lists: readonly (number[] | undefined)[];

  constructor() {
    const lists: (number[] | undefined)[] = [];
    lists[shapeKinds.sidewalk] = this.sidewalks;
    lists[shapeKinds.crosswalk] = this.crosswalks;
    lists[shapeKinds.road] = this.roads;
    lists[shapeKinds.building] = this.buildings;
    lists[shapeKinds.furniture] = this.furniture;
    lists[shapeKinds.trip] = this.patches;
    lists[shapeKinds.oil] = this.patches;
    lists[shapeKinds.water] = this.patches;
    this.#lists = lists;
  }

  /** Everything listed in the cells within `reach` units of a point. */
  gather(map: RouteMap, x: number, y: number, reach: number): void {
    for (const list of this.#lists) if (list !== undefined) list.length = 0;
    const lastColumn = (x + reach - map.originX) >> cellShift;
    const lastRow = (y + reach - map.originY) >> cellShift;
    for (let row = (y - reach - map.originY) >> cellShift; row <= lastRow; row++) {
      for (let column = (x - reach - map.originX) >> cellShift; column <= lastColumn; column++) {
        for (const shape of map.cellAt(column, row)) {
          const list = this.#lists[map.shapes[shape * shapeWords + shapeWord.kind]!];
          // A strip or building is listed in every cell it touches.
          if (list !== undefined && !list.includes(shape)) list.push(shape);
        }
      }
    }
    this.crosswalks.sort((first, second) => first - second);
  }

  /** On a road, on no sidewalk, in no painted band (docs/rules.md, section 7). */
  isJaywalk(map: RouteMap, x: number, y: number): boolean {
    return (
      !this.isOnSidewalk(map, x, y) &&
      this.roads.some((road) => map.isOnStrip(road, x, y)) &&
      this.paintedBandAt(map, x, y) < 0
    );
  }

  isOnSidewalk(map: RouteMap, x: number, y: number): boolean {
    for (const sidewalk of this.sidewalks) if (map.isOnStrip(sidewalk, x, y)) return true;
    return false;
  }

  /** The first crosswalk whose painted band holds a point, -1 for none. */
  paintedBandAt(map: RouteMap, x: number, y: number): number {
    for (const crosswalk of this.crosswalks) {
      if (map.isOnStrip(crosswalk, x, y) && map.isBetweenCurbs(crosswalk, x, y)) return crosswalk;
    }
    return -1;
  }
}
