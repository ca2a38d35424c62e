// How far an agent is on its route, in the benchmark's two senses: net progress, the way still to go at the start less
// that at the end (paper §B.5: backward motion and rollback count against it), and standing still, decisions in a row
// that brought it no nearer to its subgoal (paper §C.4).
import { unitsPerCm } from '../../kernels/units.ts';
import type { WorldRoute } from '../../kernels/world.ts';

/** A decision that brings the agent so much nearer to its subgoal has made progress. */
export const stallProgressCm = 25;

function distance(x: number, y: number): number {
  // Not Math.hypot, whose last bit is each engine's own.
  return Math.sqrt(x * x + y * y);
}

/**
 * One per episode.
 *
 * @example
 * const progress = new RouteProgress(route);
 * progress.decision(x, y, subgoal); // after every decision
 * progress.netCm();
 */
export class RouteProgress {
  readonly #points: Int32Array;
  /** Units from each point of the polyline to its end. [point] */
  readonly #tails: Float64Array;
  #x: number;
  #y: number;
  #subgoal = 1;
  #stall = 0;
  #longestStall = 0;

  constructor({ points }: Pick<WorldRoute, 'points'>) {
    this.#points = points;
    const count = points.length / 2;
    this.#tails = new Float64Array(count);
    for (let point = count - 2; point >= 0; point--) {
      this.#tails[point] =
        this.#tails[point + 1]! + this.#distanceTo(point + 1, points[2 * point]!, points[2 * point + 1]!);
    }
    this.#x = points[0]!;
    this.#y = points[1]!;
  }

  #distanceTo(point: number, x: number, y: number): number {
    return distance(this.#points[2 * point]! - x, this.#points[2 * point + 1]! - y);
  }

  /** Takes the pose and the subgoal (place in the polyline) after a decision, in units. */
  decision(x: number, y: number, subgoal: number): void {
    const nearer = this.#distanceTo(this.#subgoal, this.#x, this.#y) - this.#distanceTo(this.#subgoal, x, y);
    this.#stall = nearer >= stallProgressCm * unitsPerCm ? 0 : this.#stall + 1;
    this.#longestStall = Math.max(this.#longestStall, this.#stall);
    this.#x = x;
    this.#y = y;
    this.#subgoal = subgoal;
  }

  /** Most decisions in a row without progress. */
  get longestStall(): number {
    return this.#longestStall;
  }

  /** Way to go at the start less way to go now, to 0.01 cm. */
  netCm(): number {
    const toGo = this.#distanceTo(this.#subgoal, this.#x, this.#y) + this.#tails[this.#subgoal]!;
    return Math.round(((this.#tails[0]! - toGo) / unitsPerCm) * 100) / 100;
  }

  /** Share of the way that is behind the agent, 0 to 1. */
  share(): number {
    const whole = this.#tails[0]! / unitsPerCm;
    return whole === 0 ? 0 : Math.min(Math.max(this.netCm() / whole, 0), 1);
  }
}
