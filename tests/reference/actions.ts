// The sixteen actions: seven moves, six turns, three waits (docs/rules.md, section 4).
import { toUnits } from '../../src/kernels/units.ts';

/** A move straight ahead after a change of heading. */
export interface Move {
  readonly distance: number;
  readonly relativeHeading: number;
  readonly ticks: number;
}

/** Actions 1 to 7; 3 and 6 go to the left. */
const moves: readonly Move[] = [
  { distance: toUnits(100), relativeHeading: 0, ticks: 5 },
  { distance: toUnits(200), relativeHeading: 0, ticks: 10 },
  { distance: toUnits(200), relativeHeading: -450, ticks: 10 },
  { distance: toUnits(200), relativeHeading: 450, ticks: 10 },
  { distance: toUnits(400), relativeHeading: 0, ticks: 20 },
  { distance: toUnits(400), relativeHeading: -450, ticks: 20 },
  { distance: toUnits(400), relativeHeading: 450, ticks: 20 },
];

/** Actions 8 to 13: L30 L60 L90 R30 R60 R90, in tenths of a degree. */
const turns: readonly number[] = [-300, -600, -900, 300, 600, 900];
export const turnTicks = 10;

/** Actions 14 to 16, in ticks. */
const waits: readonly number[] = [10, 20, 30];

const firstTurn = 8;
const firstWait = 14;
const lastAction = 16;

/** The action taken for a number that a policy gave: itself, or none (0). */
export function knownAction(action: number): number {
  return action > lastAction ? 0 : action;
}

export function moveOf(action: number): Move | undefined {
  return moves[action - 1];
}

/** Change of heading of a turn. */
export function turnOf(action: number): number | undefined {
  return action >= firstTurn ? turns[action - firstTurn] : undefined;
}

/** Ticks of a wait. */
export function waitOf(action: number): number | undefined {
  return action >= firstWait ? waits[action - firstWait] : undefined;
}
