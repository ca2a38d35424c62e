// Stand-ins: synthetic policies with the published action mix and latency of a model of arXiv:2610.09294. A stand-in is not
// the model: it sees no image and avoids nobody; it knows only the edge of the route that it is on. Nothing in it is tuned per
// model.
import { directionTable, headingCount } from '../../kernels/directions.ts';
import { randomU32 } from '../../kernels/random.ts';
import { toUnits } from '../../kernels/units.ts';
import { actionCode } from '../episodes/actions.ts';
import { drawPurposes } from '../episodes/drawPurposes.ts';
import { episodeSeed } from '../episodes/episodeSeed.ts';
import type { Mode } from '../episodes/modes.ts';
import { inputFault } from '../input/jsonFault.ts';
import { type PublishedModel, type PublishedRow, published } from '../published/rtSafe.ts';
import { type Policy, type PolicyRequest, policyFrom } from './policy.ts';
import { type ActionMix, publishedMix } from './standInMix.ts';

export const standInPrefix = 'stand-in:';

/** The published row a stand-in stands in for. */
export interface StandIn {
  /** `stand-in:sol`, or `stand-in:sol:max` for an effort that is not the provider's default. */
  readonly name: string;
  readonly model: PublishedModel;
  /** null: the provider's default. */
  readonly level: string | null;
  /** Its hard real-time row. */
  readonly row: PublishedRow;
}

/** All that there are: the eight models at their default effort, then their other efforts. */
export const standIns: readonly StandIn[] = [
  ...published.models.map((model) => ({
    name: `${standInPrefix}${model.id}`,
    model,
    level: null,
    row: model.realtime,
  })),
  ...published.models.flatMap((model) =>
    model.effort.map((row) => ({
      name: `${standInPrefix}${model.id}:${row.level}`,
      model,
      level: row.level,
      row,
    })),
  ),
];

const standInsByName = new Map(standIns.map((standIn) => [standIn.name, standIn]));

/** For messages and help. */
export const standInForm = `${standInPrefix}<model>[:<effort>]`;

/** The stand-in of a policy's name, undefined for every other policy. */
export function findStandIn(policyName: string): StandIn | undefined {
  return standInsByName.get(policyName);
}

/** The mix a stand-in draws from. */
export function standInMix({ model, level, row }: StandIn, mode: Mode): ActionMix {
  const decisions = level === null ? model[mode].decisions : row.decisions;
  return publishedMix(model, mode, decisions);
}

const directions = directionTable();
const waitOneSecond = actionCode({ type: 'wait', param: 1 });
const moves = {
  one: { ahead: 1, left: 3, right: 4 }, // 1 m goes straight ahead only: a diagonal is 2 m
  two: { ahead: 2, left: 3, right: 4 },
  four: { ahead: 5, left: 6, right: 7 },
} as const;

/** How far ahead on the line of its edge a stand-in aims: it keeps to the middle of the sidewalk, which a model sees. */
const lookaheadCm = 800;

/** The point of the active edge that is `lookaheadCm` ahead of the agent, at most its end. */
function aim({ x, y, edgeStartX, edgeStartY, subgoalX, subgoalY }: PolicyRequest): { x: number; y: number } {
  const edgeX = subgoalX - edgeStartX;
  const edgeY = subgoalY - edgeStartY;
  const length = Math.hypot(edgeX, edgeY);
  if (length === 0) return { x: subgoalX, y: subgoalY };
  const along = ((x - edgeStartX) * edgeX + (y - edgeStartY) * edgeY) / length;
  const share = Math.min(length, Math.max(0, along) + toUnits(lookaheadCm)) / length;
  return { x: edgeStartX + share * edgeX, y: edgeStartY + share * edgeY };
}

/** Degrees from the heading to where the agent aims, positive to the visual right; 0 on the spot. */
function bearing(request: PolicyRequest): number {
  const index = 2 * (request.heading % headingCount);
  const ahead = { x: directions[index]!, y: directions[index + 1]! };
  const goal = aim(request);
  const dx = goal.x - request.x;
  const dy = goal.y - request.y;
  return (Math.atan2(ahead.x * dy - ahead.y * dx, ahead.x * dx + ahead.y * dy) * 180) / Math.PI;
}

function turn(off: number, isRight: boolean): number {
  const size = off > 75 ? 90 : off > 52.5 ? 60 : 30;
  return actionCode({ type: 'turn_around', param: `${isRight ? 'R' : 'L'}${size}` });
}

// Turns are by 30°, 60° and 90°, diagonals by 45°: together they reach every heading to within 7.5°.
const onCourseDegrees = 7.5;
const turnBeyondDegrees = 22.5;
const diagonals = { from: 37.5, to: 52.5 };

/** Turns that corners cost, of all decisions: drawn are only those beyond, and each of these costs another to turn back. */
const cornerTurnShare = 0.04;

/** Each from [0, 1): wait, look around or move; to which side to look; how far to move. */
export interface StandInDraws {
  readonly choice: number;
  readonly side: number;
  readonly length: number;
}

/**
 * The action for three draws. Off course by 22.5° to 37.5° or beyond 52.5° it turns, by the angles between and by
 * 7.5° to 22.5° (where a diagonal and a turn back add up to 15°) it takes a diagonal, else it goes straight on.
 */
export function standInAction(
  request: PolicyRequest,
  mix: ActionMix,
  { choice, side, length }: StandInDraws,
): number {
  const degrees = bearing(request);
  const off = Math.abs(degrees);
  const isRight = degrees > 0;
  if (choice < mix.wait) return waitOneSecond;
  if (off > turnBeyondDegrees && !(off > diagonals.from && off <= diagonals.to)) return turn(off, isRight);
  const lookAround = Math.max(0, mix.turn - cornerTurnShare) / 2;
  if (choice < mix.wait + lookAround && off <= onCourseDegrees) return turn(30, side < 0.5);
  const lengthChoice = length * (mix.one + mix.two + mix.four);
  const step = lengthChoice < mix.one ? 'one' : lengthChoice < mix.one + mix.two ? 'two' : 'four';
  if (off <= onCourseDegrees || (step === 'one' && off <= turnBeyondDegrees)) return moves[step].ahead;
  // A diagonal of 4 m, to put 15° right, would lead off the sidewalk.
  const diagonal = moves[off <= turnBeyondDegrees ? 'two' : step];
  return isRight ? diagonal.right : diagonal.left;
}

/**
 * `stand-in:<model>` or `stand-in:<model>:<effort>`: draws wait, turn or the length of a move from the published mix, and of
 * the moves of that length takes the one towards the subgoal. Draws are keyed by seed, map, route and decision.
 *
 * @throws UsageError for a model or effort that was not published.
 * @example standInPolicy('stand-in:sol').decide(requests)
 */
export function standInPolicy(name: string, option = '--policy'): Policy {
  const standIn = findStandIn(name);
  if (standIn === undefined) {
    const names = standIns.map((known) => known.name.slice(standInPrefix.length));
    throw inputFault(option, JSON.stringify(name), `${standInPrefix} with one of ${names.join(', ')}`);
  }
  const mixes = { static: standInMix(standIn, 'static'), realtime: standInMix(standIn, 'realtime') };
  return policyFrom(standIn.name, (request) => {
    const { episode, decision } = request;
    const seed = episodeSeed(episode.seed, episode.map, episode.route);
    const draw = (counter: number) => randomU32(seed, drawPurposes.standIn, decision, counter) / 2 ** 32;
    return standInAction(request, mixes[episode.mode], {
      choice: draw(0),
      side: draw(1),
      length: draw(2),
    });
  });
}
