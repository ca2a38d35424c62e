// The part of the batch simulator that a run uses, so that tests can put another one in its place.

/** What an environment is started from; `route` and `rules` are places in the simulator's own lists. */
export interface ResetRequest {
  readonly env: number;
  readonly route: number;
  readonly rules: number;
  readonly mode: 'static' | 'realtime';
  /** u32 */
  readonly seed: number;
  readonly maxDecisions: number;
  readonly percent: number;
  readonly speedChoices: 1 | 3;
  readonly classes: number;
}

/** Members of struct Summary in shaders/common/layout.wgsl. */
export interface SummaryReader {
  get(env: number, member: string): number;
  getArray(env: number, member: string): ArrayLike<number>;
}

export interface Simulator {
  readonly envCount: number;
  readonly summary: SummaryReader;
  /** Staged until the next `advance`. */
  reset(requests: ResetRequest[]): void;
  /** Staged until the next `advance`. */
  decide(env: number, action: number, latencyCentiseconds: number): void;
  /** Applies what is staged and carries every environment with a decision to the end of it. */
  advance(): Promise<void>;
}
