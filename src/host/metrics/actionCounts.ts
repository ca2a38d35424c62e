// What a policy chose and what became of it, by kind of action (RT-SAFE protocol §15).
import type { EpisodeDecision, EpisodeRecord } from '../records/episodeRecord.ts';

export const actionKinds = ['move1m', 'move2m', 'move4m', 'turn', 'wait'] as const;
export type ActionKind = (typeof actionKinds)[number];
export type ActionCounts = Record<ActionKind, number>;

/** Lengths of the moves to markers 1 to 7. */
const moveKinds = ['move1m', 'move2m', 'move2m', 'move2m', 'move4m', 'move4m', 'move4m'] as const;

/** Undefined for `none`, which is no valid choice. */
export function actionKind({ type, param }: EpisodeDecision['action']): ActionKind | undefined {
  if (type === 'move_to') return moveKinds[param - 1];
  if (type === 'turn_around') return 'turn';
  return type === 'wait' ? 'wait' : undefined;
}

export function noActions(): ActionCounts {
  return { move1m: 0, move2m: 0, move4m: 0, turn: 0, wait: 0 };
}

export interface EpisodeActions {
  /** Valid choices. */
  readonly chosen: ActionCounts;
  /** Of these, the ones that were begun: all but one cut off by a vehicle while the policy was still thinking. */
  readonly executed: ActionCounts;
  /** Decisions without a valid choice. */
  readonly invalid: number;
}

/**
 * Counts an episode's actions. One was begun when the clock moved by more than the latency that was charged.
 *
 * @example countActions(record).chosen.move4m
 */
export function countActions({ mode, trace }: Pick<EpisodeRecord, 'mode' | 'trace'>): EpisodeActions {
  const chosen = noActions();
  const executed = noActions();
  let invalid = 0;
  let clock = 0;
  for (const { action, latencySeconds, clockSeconds } of trace) {
    const thinking = mode === 'realtime' ? latencySeconds : 0;
    const actingCentiseconds = Math.round(100 * (clockSeconds - clock - thinking));
    clock = clockSeconds;
    const kind = actionKind(action);
    if (kind === undefined) {
      invalid++;
      continue;
    }
    chosen[kind]++;
    if (actingCentiseconds > 0) executed[kind]++;
  }
  return { chosen, executed, invalid };
}
