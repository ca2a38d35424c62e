// How far it is along a route to its end.
import type { WorldRoute } from '../world.ts';

function distance(x: number, y: number): number {
  // Not Math.hypot, whose last bit is each engine's own.
  return Math.sqrt(x * x + y * y);
}

/**
 * The way along a route's polyline.
 *
 * @example new RouteDistance(world.routeList[0]).toGo(x, y, subgoal); // units
 */
export class RouteDistance {
  readonly #points: Int32Array;
  /** Units from each point of the polyline to its end. [point] */
  readonly #tails: Float64Array;

  constructor({ points }: Pick<WorldRoute, 'points'>) {
    this.#points = points;
    const count = points.length / 2;
    this.#tails = new Float64Array(count);
    for (let point = count - 2; point >= 0; point--) {
      const next = this.#tails[point + 1]!;
      this.#tails[point] = next + this.toPoint(points[2 * point]!, points[2 * point + 1]!, point + 1);
    }
  }

  /** Units of the whole route. */
  get whole(): number {
    return this.#tails[0]!;
  }

  /** Units in a straight line from a place to a point of the polyline. */
  toPoint(x: number, y: number, point: number): number {
    return distance(this.#points[2 * point]! - x, this.#points[2 * point + 1]! - y);
  }

  /** Units from a place straight to the subgoal (its place in the polyline), and on along the route to its end. */
  toGo(x: number, y: number, subgoal: number): number {
    return this.toPoint(x, y, subgoal) + this.#tails[subgoal]!;
  }
}
