// What stays the same throughout one plan: the map about the agent, the rules, and the pace that thoughts leave it.

import { longestMove, longestMoveTicks, turnTicks } from './motions.ts';
import type { PlanningRules } from './planningRules.ts';
import { planLimits } from './planSettings.ts';
import type { RouteMap } from './routeMap.ts';
import { Surroundings } from './surroundings.ts';

/** Ticks count from the end of the present thought. */
export class PlanFrame {
  map!: RouteMap;
  rules!: PlanningRules;
  readonly surroundings = new Surroundings();
  /** [depth] ticks of thought before the action; 0 at the root, whose thought is behind it. */
  readonly thoughts = new Int32Array(planLimits.depth);
  /** The world's tick at tick 0. */
  rootWorldTick = 0;

  /** Ticks from decision to decision of a move of 4 m, by which the way to go is reckoned. */
  get moveCycle(): number {
    return this.thoughts[1]! + longestMoveTicks;
  }

  /** Likewise of a turn. */
  get turnCycle(): number {
    return this.thoughts[1]! + turnTicks;
  }

  /** Ticks, thoughts included, that a distance takes in moves of 4 m. */
  walkingTicks(distance: number): number {
    return ((distance * this.moveCycle) / longestMove) | 0;
  }
}
