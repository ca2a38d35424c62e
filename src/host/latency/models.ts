// Latencies that need no recording: none, a constant, and a lognormal draw.
import { randomU32 } from '../../kernels/random.ts';
import { drawPurposes } from '../episodes/drawPurposes.ts';
import { episodeSeed } from '../episodes/episodeSeed.ts';
import { inverseNormal } from './inverseNormal.ts';
import { type LatencyModel, toCentiseconds } from './latencyModel.ts';

/** The world never moves on while the policy thinks. */
export const noLatency: LatencyModel = { name: 'none', draw: () => 0 };

/**
 * The same latency for every decision, rounded to 0.01 s.
 *
 * @example fixedLatency(3).name // 'fixed:3'
 */
export function fixedLatency(seconds: number): LatencyModel {
  const centiseconds = toCentiseconds(seconds);
  return { name: `fixed:${centiseconds / 100}`, draw: () => centiseconds };
}

/**
 * median · exp(sigma · z) with z standard normal, rounded to 0.01 s and capped at an hour. z comes from one u32 keyed by
 * seed, map, route and decision: an episode draws the same in both modes and at every difficulty, so that comparisons
 * are matched.
 *
 * @example lognormalLatency(7.7, 0.4).draw(episode, 1)
 */
export function lognormalLatency(medianSeconds: number, sigma: number): LatencyModel {
  return {
    name: `lognormal:${medianSeconds},${sigma}`,
    draw({ seed, map, route }, decision) {
      const random = randomU32(episodeSeed(seed, map, route), drawPurposes.latency, decision, 0);
      const z = inverseNormal((random + 0.5) / 2 ** 32);
      return toCentiseconds(medianSeconds * Math.exp(sigma * z));
    },
  };
}
