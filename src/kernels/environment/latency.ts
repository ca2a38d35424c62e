// What thinking costs in an environment.
import { centisecondsPerTick, ticksPerSecond } from '../units.ts';

/** Longest latency that can be charged for one decision. */
export const longestLatencyCentiseconds = 360_000;

/**
 * The latency charged for a decision of an episode, the first being 1: whole centiseconds, 0 to 360000. A pure function of
 * the two, so that an episode is the same in any slot.
 */
export type LatencySource<Episode> = (episode: Episode, decision: number) => number;

/** The world never moves on while the policy thinks. */
export const noLatency: LatencySource<unknown> = () => 0;

/**
 * The same latency for every decision, rounded to 0.01 s.
 *
 * @throws RangeError for less than 0 or more than an hour.
 * @example const latency = fixedLatency(3); // 300 centiseconds
 */
export function fixedLatency(seconds: number): LatencySource<unknown> {
  const centiseconds = Math.round(seconds * ticksPerSecond * centisecondsPerTick);
  checkLatency(centiseconds, 'latency');
  return () => centiseconds;
}

/** @throws RangeError for anything but whole centiseconds from 0 to an hour. */
export function checkLatency(centiseconds: number, what: string): void {
  if (Number.isInteger(centiseconds) && centiseconds >= 0 && centiseconds <= longestLatencyCentiseconds)
    return;
  throw new RangeError(
    `${what}: found ${centiseconds}, allowed are whole centiseconds from 0 to ${longestLatencyCentiseconds}`,
  );
}
