// The part of the batch simulator that a run uses, so that tests can put another one in its place.
import type { BatchSimulator, ResetRequest } from '../../kernels/batchSimulator.ts';

export type { ResetRequest } from '../../kernels/batchSimulator.ts';

/** Members of struct Summary in shaders/common/layout.wgsl. */
export interface SummaryReader {
  get(env: number, member: string): number;
  getArray(env: number, member: string): ArrayLike<number>;
}

export interface Simulator
  extends Pick<BatchSimulator, 'envCount' | 'decide' | 'advance' | 'readEnvironments'> {
  readonly summary: SummaryReader;
  /** Staged until the next `advance`. */
  reset(requests: readonly ResetRequest[]): void;
}
