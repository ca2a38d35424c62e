// How far an agent is on its route, in the benchmark's two senses: net progress, the way still to go at the start less
// that at the end (paper §B.5: backward motion and rollback count against it), and standing still, decisions in a row
// that brought it no nearer to its subgoal (paper §C.4).
import { RouteDistance } from '../../kernels/environment/routeDistance.ts';
import { unitsPerCm } from '../../kernels/units.ts';
import type { WorldRoute } from '../../kernels/world.ts';

/** A decision that brings the agent so much nearer to its subgoal has made progress. */
export const stallProgressCm = 25;

/**
 * One per episode.
 *
 * @example
 * const progress = new RouteProgress(route);
 * progress.decision(x, y, subgoal); // after every decision
 * progress.netCm();
 */
export class RouteProgress {
  readonly #distance: RouteDistance;
  #x: number;
  #y: number;
  #subgoal = 1;
  #stall = 0;
  #longestStall = 0;

  constructor(route: Pick<WorldRoute, 'points'>) {
    this.#distance = new RouteDistance(route);
    this.#x = route.points[0]!;
    this.#y = route.points[1]!;
  }

  /** Takes the pose and the subgoal (place in the polyline) after a decision, in units. */
  decision(x: number, y: number, subgoal: number): void {
    const nearer =
      this.#distance.toPoint(this.#x, this.#y, this.#subgoal) - this.#distance.toPoint(x, y, this.#subgoal);
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
    const toGo = this.#distance.toGo(this.#x, this.#y, this.#subgoal);
    return Math.round(((this.#distance.whole - toGo) / unitsPerCm) * 100) / 100;
  }

  /** Share of the way that is behind the agent, 0 to 1. */
  share(): number {
    const whole = this.#distance.whole / unitsPerCm;
    return whole === 0 ? 0 : Math.min(Math.max(this.netCm() / whole, 0), 1);
  }
}
