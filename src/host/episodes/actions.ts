// The sixteen actions and their codes, as `struct Decision` in shaders/common/layout.wgsl counts them
// (RT-SAFE protocol §3): 0 none, 1-7 moves, 8-13 turns, 14-16 waits. Marker 3, L30 and the like are to the visual left.

export const turnParameters = ['L30', 'L60', 'L90', 'R30', 'R60', 'R90'] as const;
export type TurnParameter = (typeof turnParameters)[number];

export const moveCount = 7;
export const waitCount = 3;
/** Actions a policy can choose from, `none` apart. */
export const actionCount = moveCount + turnParameters.length + waitCount;

export const noAction = 0;
/** Code of `move_to` 1; marker m has code m. */
export const firstMove = 1;
/** Code of L30; the others follow in the order of `turnParameters`. */
export const firstTurn = firstMove + moveCount;
/** Code of `wait` 1. */
export const firstWait = firstTurn + turnParameters.length;

const codeRanges = {
  move_to: { first: firstMove, count: moveCount },
  turn_around: { first: firstTurn, count: turnParameters.length },
  wait: { first: firstWait, count: waitCount },
} as const;

/** [marker - 1]: where a move leads: cm ahead, after a turn in tenths of a degree, minus to the visual left. */
export const moves = [
  { distanceCm: 100, turn: 0 },
  { distanceCm: 200, turn: 0 },
  { distanceCm: 200, turn: -450 },
  { distanceCm: 200, turn: 450 },
  { distanceCm: 400, turn: 0 },
  { distanceCm: 400, turn: -450 },
  { distanceCm: 400, turn: 450 },
] as const;

/** Walking speed, by which a move's duration follows from its distance. */
export const moveSpeedCmS = 200;

/** A turn lasts so long, whatever its angle. */
export const turnSeconds = 1;

/** The change of heading of a turn in tenths of a degree; yaw grows to the right. */
export function turnAngle(param: TurnParameter): number {
  return (param.startsWith('L') ? -10 : 10) * Number(param.slice(1));
}

/** An action by name, as records and models write it. */
export type Action =
  | { type: 'none'; param: null }
  | { type: 'move_to'; param: number }
  | { type: 'turn_around'; param: TurnParameter }
  | { type: 'wait'; param: number };

/**
 * The action of a code. Codes beyond the last count as 0, as they do in the kernels.
 *
 * @example actionFromCode(8) // { type: 'turn_around', param: 'L30' }
 */
export function actionFromCode(code: number): Action {
  if (code >= firstMove && code < firstTurn) return { type: 'move_to', param: code - firstMove + 1 };
  const turn = turnParameters[code - firstTurn];
  if (turn !== undefined) return { type: 'turn_around', param: turn };
  if (code >= firstWait && code < firstWait + waitCount) return { type: 'wait', param: code - firstWait + 1 };
  return { type: 'none', param: null };
}

/**
 * The code of an action.
 *
 * @throws RangeError for a param that the type does not have.
 * @example actionCode({ type: 'wait', param: 1 }) // 14
 */
export function actionCode(action: Action): number {
  const { type, param } = action;
  if (type === 'none') return noAction;
  const place = type === 'turn_around' ? turnParameters.indexOf(param) : param - 1;
  const { first, count } = codeRanges[type] ?? { first: 0, count: 0 };
  if (Number.isInteger(place) && place >= 0 && place < count) return first + place;
  throw new RangeError(`${type} ${param}: there is no such action`);
}
