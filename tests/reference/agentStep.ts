// What the other systems of a tick need to know of the agent's own part in it.
import type { Vector } from './numbers.ts';
import type { Actor } from './records.ts';

export interface AgentStep {
  /** Pose at the start of the tick. */
  readonly before: Vector;
  /** Pose at its end. */
  readonly after: Vector;
  /** The displacement the agent meant to make: that of a refused step too. */
  readonly intended: Vector;
  /** Walkers that refused its step. */
  readonly pressed: ReadonlySet<Actor>;
}
