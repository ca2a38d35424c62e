// What a prompt tells an agent about one decision (RT-SAFE protocol §5): plain data, so that a worker can write the text.

import type { Action } from '../episodes/actions.ts';
import type { Mode } from '../episodes/modes.ts';
import type { ImageKind } from '../images/pictures.ts';

/** A decision that has been taken, as the agent may know it. */
export interface PastDecision {
  /** From 1. */
  readonly decision: number;
  readonly action: Action;
  /** What came of it, in sentences. */
  readonly feedback: readonly string[];
  /** Distance to the subgoal that was headed for. */
  readonly distanceBeforeCm: number;
  /** To the subgoal headed for now. */
  readonly distanceAfterCm: number;
  readonly subgoalChanged: boolean;
  /** To the subgoal headed for now; positive is left. */
  readonly angleDegrees: number;
}

export interface Observation {
  readonly mode: Mode;
  /** From 1. */
  readonly decision: number;
  readonly xCm: number;
  readonly yCm: number;
  /** Yaw; grows to the visual right. */
  readonly headingDegrees: number;
  readonly speedCmS: number;
  readonly subgoalXCm: number;
  readonly subgoalYCm: number;
  readonly isFinalSubgoal: boolean;
  readonly clockSeconds: number;
  /** Oldest first, the last `historyLength` at most. */
  readonly past: readonly PastDecision[];
  /** The pictures that go with the text, in their order. */
  readonly images: readonly ImageKind[];
}

/** Decisions that a prompt recalls. */
export const historyLength = 3;

/** Distance from a pose to a point, in the unit of both. */
export function distanceTo(x: number, y: number, targetX: number, targetY: number): number {
  return Math.hypot(targetX - x, targetY - y);
}

/**
 * The angle from a heading to a point in degrees, -180 to 180, positive to the visual left (RT-SAFE protocol §1).
 *
 * @example angleTo(0, 0, 0, 100, 100) // -45: +y is to the right of +x
 */
export function angleTo(x: number, y: number, headingDegrees: number, targetX: number, targetY: number) {
  const bearing = (Math.atan2(targetY - y, targetX - x) * 180) / Math.PI;
  const angle = headingDegrees - bearing;
  return angle - 360 * Math.round(angle / 360);
}
