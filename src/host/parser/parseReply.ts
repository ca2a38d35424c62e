// From a model's reply to an action (RT-SAFE protocol §6). Only the labelled lines count: nothing is ever inferred from
// free text, however clear it seems.
import { type Action, turnParameters } from '../episodes/actions.ts';
import { visibleText } from './visibleText.ts';

type ActionType = Exclude<Action['type'], 'none'>;

export type ParsedReply =
  | { readonly outcome: 'action'; readonly action: Exclude<Action, { type: 'none' }> }
  /** An action was named, but no param that it has. `param` is what was given, null for none. */
  | { readonly outcome: 'invalid'; readonly type: ActionType; readonly param: string | null }
  /** No action was named. */
  | { readonly outcome: 'parse-error' };

/** By the value of the Action line in lower case, without blanks and underscores. */
const actionNames = new Map<string, ActionType>([
  ['moveto', 'move_to'],
  ['turnaround', 'turn_around'],
  ['turn', 'turn_around'],
  ['wait', 'wait'],
]);

const actionLine = /^[ \t]*action:(.*)$/gim;
const paramLine = /^[ \t]*param:(.*)$/im;
const waypointLine = /^[ \t]*waypoint:(.*)$/im;
const waitDurationLine = /^[ \t]*wait duration:(.*)$/im;

/** A digit that is a number of its own: not part of a word, of a longer number, or behind a minus sign. */
const moveDigit = /(?<![\p{L}\p{N}_.,-])[1-7](?![\p{L}\p{N}_]|[.,]\d)/u;
const waitDigit = /(?<![\p{L}\p{N}_.,-])[1-3](?![\p{L}\p{N}_]|[.,]\d)/u;
const turnParam = /(?<![\p{L}\p{N}_])([LR]) ?(30|60|90)(?![\p{L}\p{N}_]|[.,]\d)/iu;

function lineValue(line: RegExp, text: string): string | undefined {
  return line.exec(text)?.[1]?.trim();
}

function findActionType(text: string): ActionType | undefined {
  for (const [, value = ''] of text.matchAll(actionLine)) {
    const type = actionNames.get(value.toLowerCase().replaceAll(/[\s_]/g, ''));
    if (type !== undefined) return type;
  }
  return undefined;
}

function findParam(type: ActionType, text: string): string | undefined {
  return lineValue(paramLine, text) ?? lineValue(type === 'wait' ? waitDurationLine : waypointLine, text);
}

function actionFrom(type: ActionType, param: string): Exclude<Action, { type: 'none' }> | undefined {
  if (type === 'turn_around') {
    const [, side = '', degrees = ''] = turnParam.exec(param) ?? [];
    const turn = turnParameters.find((name) => name === `${side.toUpperCase()}${degrees}`);
    return turn === undefined ? undefined : { type, param: turn };
  }
  const digit = (type === 'wait' ? waitDigit : moveDigit).exec(param)?.[0];
  return digit === undefined ? undefined : { type, param: Number(digit) };
}

/**
 * Reads the lines `Action:` and `Param:` of a reply.
 *
 * - The first Action line with a known name counts; others, such as an echo of the template, are passed over.
 * - The first Param line counts, whatever it holds. Where there is none: `Waypoint:` for moves and turns, `Wait duration:`
 *   for waits.
 * - A reply that is one digit from 1 to 7 and nothing else is a move there.
 *
 * @example parseReply('Action: turn_around\nParam: l 30') // { outcome: 'action', action: { type: 'turn_around', param: 'L30' } }
 */
export function parseReply(reply: string): ParsedReply {
  const text = visibleText(reply);
  const type = findActionType(text);
  if (type === undefined) {
    const digit = /^\s*([1-7])\s*$/.exec(text)?.[1];
    if (digit === undefined) return { outcome: 'parse-error' };
    return { outcome: 'action', action: { type: 'move_to', param: Number(digit) } };
  }
  const param = findParam(type, text);
  const action = param === undefined ? undefined : actionFrom(type, param);
  if (action === undefined) return { outcome: 'invalid', type, param: param ?? null };
  return { outcome: 'action', action };
}
