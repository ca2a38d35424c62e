// What was published about RT-SAFE (arXiv:2610.09294): the few numbers that stand-ins, fidelity and tests need.
import { readFileSync } from 'node:fs';

/** One model in one condition; shares from 0 to 1, counts per episode, latency per response. */
export interface PublishedRow {
  readonly success: number;
  readonly safeSuccess: number;
  readonly contacts: number;
  readonly active: number;
  readonly passive: number;
  readonly latencySeconds: number;
  readonly decisions: number;
}

export interface PublishedModel {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  /** Shares of all choices over all difficulties in real time, and the mean length of a commanded move. */
  readonly actions: { readonly wait: number; readonly turn: number; readonly meanMoveMetres: number };
  /** 36 hard routes, provider-default effort. */
  readonly realtime: PublishedRow & { readonly hazards: number };
  readonly static: PublishedRow & { readonly hazards: number };
  /** 36 routes at three difficulties, real time. */
  readonly allDifficulties: {
    readonly success: number;
    readonly safeSuccess: number;
    readonly contacts: number;
    readonly latencySeconds: number;
    readonly decisions: number;
    readonly passiveShare: number;
  };
  /** 36 hard routes in real time at the two efforts that are not the provider's default. */
  readonly effort: readonly (PublishedRow & { readonly level: string })[];
}

/** Shares of all choices that are moves of 1, 2 and 4 m. */
export interface StepShares {
  readonly one: number;
  readonly two: number;
  readonly four: number;
}

interface Aggregate {
  readonly success: number;
  readonly safeSuccess: number;
  readonly contacts: number;
  readonly active: number;
  readonly passive: number;
}

export interface PublishedResults {
  readonly citation: string;
  readonly note: string;
  readonly stepShares: { readonly realtime: StepShares; readonly static: StepShares };
  readonly aggregates: {
    readonly static: Aggregate;
    readonly realtime: Aggregate;
    readonly higherEffort: Omit<Aggregate, 'safeSuccess'>;
  };
  readonly regressions: {
    readonly latency: { readonly rSquared: number; readonly p: number };
    readonly exposure: { readonly rSquared: number };
  };
  readonly models: readonly PublishedModel[];
}

// The same path from src/ and from dist/.
const file = new URL('../../../src/host/published/rtSafe.json', import.meta.url);

/** The published tables. */
export const published: PublishedResults = JSON.parse(readFileSync(file, 'utf8')) as PublishedResults;
