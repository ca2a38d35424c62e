// The action mix of a stand-in from the published figures: how often it waits, turns and walks 1, 2 or 4 m.

import type { Mode } from '../episodes/modes.ts';
import { type PublishedModel, published, type StepShares } from '../published/rtSafe.ts';

/** Shares of all choices; they add up to 1. */
export interface ActionMix extends StepShares {
  readonly wait: number;
  readonly turn: number;
}

const lengths = { one: 1, two: 2, four: 4 } as const;
const shortestMean = 1.02;
const longestMean = 3.98;

/** Base shares times exp(tilt · length), made to add up to `total`. */
function tilted(base: StepShares, tilt: number, total: number): StepShares {
  const weights = {
    one: base.one * Math.exp(tilt * lengths.one),
    two: base.two * Math.exp(tilt * lengths.two),
    four: base.four * Math.exp(tilt * lengths.four),
  };
  const sum = weights.one + weights.two + weights.four;
  return {
    one: (total * weights.one) / sum,
    two: (total * weights.two) / sum,
    four: (total * weights.four) / sum,
  };
}

function meanLength(shares: StepShares): number {
  const { one, two, four } = shares;
  return (lengths.one * one + lengths.two * two + lengths.four * four) / (one + two + four);
}

/**
 * The shares nearest to `base` (exponential tilting: least relative entropy) that add up to `total` and have the given mean
 * length in metres, which is kept within 1.02 and 3.98.
 *
 * @example stepShares({ one: 0.1, two: 0.6, four: 0.2 }, 2, 0.9)
 */
export function stepShares(base: StepShares, meanMetres: number, total: number): StepShares {
  const goal = Math.min(longestMean, Math.max(shortestMean, meanMetres));
  let low = -50;
  let high = 50;
  for (let halving = 0; halving < 80; halving++) {
    const middle = (low + high) / 2;
    if (meanLength(tilted(base, middle, total)) < goal) low = middle;
    else high = middle;
  }
  return tilted(base, (low + high) / 2, total);
}

/**
 * A model's mix. Published are its shares of waits and turns and its mean move, in real time, and the shares of 1, 2 and 4 m
 * over all models in both modes: the mode's shares are tilted to the model's mean. For static mode and for other efforts no
 * mean is published: it is the default's, times its decisions over those of the row, for the same routes are walked in
 * fewer or more decisions.
 */
export function publishedMix(model: PublishedModel, mode: Mode, decisions: number): ActionMix {
  const { wait, turn, meanMoveMetres } = model.actions;
  const mean = (meanMoveMetres * model.realtime.decisions) / decisions;
  return { wait, turn, ...stepShares(published.stepShares[mode], mean, 1 - wait - turn) };
}
