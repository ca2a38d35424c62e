// Metrics of one episode (RT-SAFE protocol §12; SPL after Anderson et al. 2018).
import type { EpisodeRecord } from '../records/episodeRecord.ts';

/** Speed that STE takes as the best possible. */
export const nominalSpeedCmS = 200;

export interface EpisodeMeasures {
  readonly success: boolean;
  readonly routeLengthCm: number;
  readonly travelledCm: number;
  readonly simSeconds: number;
}

/** best / actual for a success. Nothing needed and nothing used is perfect (1), nothing needed but something used is 0. */
function ratio(success: boolean, best: number, actual: number): number {
  if (!success) return 0;
  return actual === 0 ? 1 : best / actual;
}

/**
 * Path and time efficiency, both 0 without success. With S success, L the route's length, P the way travelled and T the
 * simulated time:
 *
 * - SPL = S · L / max(L, P), from 0 to 1. For L = 0: 1 when the agent succeeded without moving, else 0.
 * - STE = S · (L / 200 cm/s) / T. Above 1 only because a subgoal counts as reached from some way off. For L = 0: 1 when no
 *   time passed, else 0.
 *
 * @example episodeMetrics({ success: true, routeLengthCm: 1000, travelledCm: 1250, simSeconds: 10 }) // spl 0.8, ste 0.5
 */
export function episodeMetrics(episode: EpisodeMeasures): { spl: number; ste: number } {
  const { success, routeLengthCm, travelledCm, simSeconds } = episode;
  return {
    spl: ratio(success, routeLengthCm, Math.max(routeLengthCm, travelledCm)),
    ste: ratio(success, routeLengthCm / nominalSpeedCmS, simSeconds),
  };
}

type SafetyCounters = Pick<EpisodeRecord, 'contacts' | 'incidents' | 'hazards' | 'violations'>;

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

/**
 * True when nothing at all happened: no contact, incident, hazard or violation.
 *
 * @example const safeSuccess = success && isSafe(counters);
 */
export function isSafe({ contacts, incidents, hazards, violations }: SafetyCounters): boolean {
  const groups = [...Object.values(contacts), ...Object.values(incidents), hazards, violations];
  return groups.every((group) => sum(group) === 0);
}
