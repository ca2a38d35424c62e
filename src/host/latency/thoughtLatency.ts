// Latencies made of what asking the policy took.
import type { Thought } from '../policies/policy.ts';
import { type LatencyModel, toCentiseconds } from './latencyModel.ts';

function thoughtOf(name: string, thought: Thought | undefined): Thought {
  if (thought === undefined) throw new Error(`latency ${name}: the policy was not asked`);
  return thought;
}

/** The wall time of the request: making it up, the call with its retries, reading the reply; not waiting for its turn. */
export const measuredLatency: LatencyModel = {
  name: 'measured',
  needsThought: true,
  draw: (_episode, _decision, thought) => toCentiseconds(thoughtOf('measured', thought).seconds),
};

/**
 * Seconds per completion token plus a constant, and the wall time that failed attempts cost. A reply without a count of
 * tokens is charged its wall time.
 *
 * @example tokensLatency(0.02, 1).name // 'tokens:0.02,1'
 */
export function tokensLatency(secondsPerToken: number, constantSeconds: number): LatencyModel {
  const name = `tokens:${secondsPerToken},${constantSeconds}`;
  return {
    name,
    needsThought: true,
    draw(_episode, _decision, thought) {
      const { seconds, lostSeconds, reply } = thoughtOf(name, thought);
      const { completion } = reply.tokens;
      if (completion === null) return toCentiseconds(seconds);
      return toCentiseconds(lostSeconds + secondsPerToken * completion + constantSeconds);
    },
  };
}
