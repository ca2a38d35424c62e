// What an agent knows beside its pose: the last decisions, and a picture where something renders one.
import type { PastDecision } from './observation.ts';

/** Pixels of one environment, [height, width, RGB]. */
export interface RenderedImage {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

/** Renders what the agents of environments that stand still see. */
export interface ImageSource {
  render(envs: readonly number[]): Promise<readonly (RenderedImage & { readonly env: number })[]>;
}

export interface AgentView {
  readonly speedCmS: number;
  /** Oldest first. */
  readonly past: readonly PastDecision[];
  /** Oldest first, the current view last; none where nothing renders. */
  readonly images: readonly RenderedImage[];
}
