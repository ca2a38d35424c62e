// What an agent knows beside its pose: the last decisions, and pictures or a state vector where something makes them.
import type { AgentImage } from '../images/pictures.ts';
import type { PastDecision } from './observation.ts';

export interface AgentView {
  readonly speedCmS: number;
  /** Oldest first. */
  readonly past: readonly PastDecision[];
  /** Oldest first, the latest view last; none where nothing renders. */
  readonly images: readonly AgentImage[];
  /** [field] of the state vector, for a policy that reads it. */
  readonly state?: Float32Array | undefined;
  /** Where the prompt and its pictures are to be kept: a path to which `.txt` and, say, `-1-latest.png` are added. */
  readonly keepAt?: string;
}
