// The line format of episodes.jsonl: one finished episode with its counters, its metrics and every decision. Every
// message completes the sentence "allowed is ...".
import { z } from 'zod';
import { moveCount, turnParameters, waitCount } from '../episodes/actions.ts';
import { difficultyNames } from '../episodes/difficulties.ts';
import { modes } from '../episodes/modes.ts';
import { replyRecordSchema } from './replyRecord.ts';

export const outcomes = [
  'success',
  'vehicle-collision',
  'repeated-building-collision',
  'decision-budget',
] as const;
export const contactTypes = ['human', 'object', 'building', 'vehicle'] as const;
export const intervals = ['active', 'passive'] as const;
export const hazardTypes = ['trip', 'oil', 'water'] as const;
export const violationTypes = ['red-light', 'jaywalk'] as const;
export const conflictVehicleTypes = ['launched', 'hit'] as const;

function oneOf<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, { error: `one of ${values.map((value) => `"${value}"`).join(', ')}` });
}

function wholeNumber(minimum: number, maximum = 0xffffffff) {
  const error = `a whole number from ${minimum} to ${maximum}`;
  return z.int({ error }).min(minimum, { error }).max(maximum, { error });
}

function exactObject<Shape extends z.ZodRawShape>(shape: Shape) {
  const keys = Object.keys(shape).map((key) => `"${key}"`);
  return z.strictObject(shape, { error: `an object with the keys ${keys.join(', ')}` });
}

function amount() {
  const error = 'a number from 0';
  return z.number({ error }).min(0, { error });
}

/** A number of seconds; null where nothing was found. */
function secondsOrNone() {
  const error = 'a number from 0, or null';
  return z.union([z.number().min(0), z.null()], { error });
}

const number = z.number({ error: 'a number' });
const text = z.string({ error: 'a text' });
const flag = z.boolean({ error: 'true or false' });
const count = wholeNumber(0);
const run = z
  .string({ error: 'the identity of a run, 16 hex digits' })
  .regex(/^[0-9a-f]{16}$/, { error: 'the identity of a run, 16 hex digits' });
const stateHash = z
  .string({ error: 'a hash of 8 hex digits' })
  .regex(/^[0-9a-f]{8}$/, { error: 'a hash of 8 hex digits' });

const byInterval = exactObject({ active: count, passive: count });
const byTypeAndInterval = exactObject({
  human: byInterval,
  object: byInterval,
  building: byInterval,
  vehicle: byInterval,
});

const action = z.discriminatedUnion(
  'type',
  [
    exactObject({ type: z.literal('none'), param: z.null({ error: 'null' }) }),
    exactObject({ type: z.literal('move_to'), param: wholeNumber(1, moveCount) }),
    exactObject({ type: z.literal('turn_around'), param: oneOf(turnParameters) }),
    exactObject({ type: z.literal('wait'), param: wholeNumber(1, waitCount) }),
  ],
  { error: 'an action of type "none", "move_to", "turn_around" or "wait"' },
);

const contactEventShape = { type: oneOf(contactTypes), interval: oneOf(intervals), count: wholeNumber(1) };

/** What a decision brought: `count` events of one kind and type. */
const event = z.discriminatedUnion(
  'kind',
  [
    exactObject({ kind: z.literal('contact'), ...contactEventShape }),
    exactObject({ kind: z.literal('incident'), ...contactEventShape }),
    exactObject({ kind: z.literal('hazard'), type: oneOf(hazardTypes), count: wholeNumber(1) }),
    exactObject({ kind: z.literal('violation'), type: oneOf(violationTypes), count: wholeNumber(1) }),
    exactObject({
      kind: z.literal('conflict-vehicle'),
      type: oneOf(conflictVehicleTypes),
      count: wholeNumber(1),
    }),
  ],
  { error: 'an event of kind "contact", "incident", "hazard", "violation" or "conflict-vehicle"' },
);

/** One decision. Clock, pose, subgoal, events and hash are those after it. */
const decision = exactObject({
  action,
  /** Charged for thinking. */
  latencySeconds: amount(),
  /** Waited in our own queue; recorded, never charged. */
  queueSeconds: amount(),
  clockSeconds: amount(),
  xCm: number,
  yCm: number,
  headingDegrees: number,
  /** The vertex of the route's line that the agent heads for; 0 is the start. */
  subgoal: wholeNumber(1),
  events: z.array(event, { error: 'a list of events' }),
  stateHash,
  /** Only of a policy that was asked. */
  reply: replyRecordSchema.exactOptional(),
});

export const episodeRecordSchema = exactObject({
  /** Of the run that computed it: lines of different runs in one file are found out by it. */
  run,
  map: text,
  route: count,
  difficulty: oneOf(difficultyNames),
  mode: oneOf(modes),
  profile: text,
  seed: count,
  policy: text,
  latency: text,
  outcome: oneOf(outcomes),
  success: flag,
  /** Success without any contact, hazard or violation. */
  safeSuccess: flag,
  decisions: count,
  simSeconds: amount(),
  /** Sum of the charged latencies. */
  exposureSeconds: amount(),
  travelledCm: amount(),
  routeLengthCm: amount(),
  /** Way to go at the start less way to go at the end, along the route. */
  netProgressCm: number,
  /** Most decisions in a row of which none brought the agent 25 cm nearer to its subgoal. */
  longestStall: count,
  spl: amount(),
  ste: amount(),
  /** Counted as the published benchmark counts hit callbacks. */
  contacts: byTypeAndInterval,
  /** One enter-to-leave of a pair, counted once. */
  incidents: byTypeAndInterval,
  hazards: exactObject({ trip: count, oil: count, water: count }),
  violations: exactObject({ redLight: count, jaywalk: count }),
  conflictVehicles: exactObject({ launched: count, hit: count }),
  /** Time with a walker nearer than the distance, of surfaces. */
  proximitySeconds: exactObject({ intimate: amount(), personal: amount(), social: amount() }),
  /**
   * Surrogate safety measures (docs/rules.md, section 5.8): the least time-to-collision and post-encroachment time with a
   * walker or a conflict vehicle; null where neither came within 5 s.
   */
  conflicts: exactObject({
    timeToCollisionSeconds: secondsOrNone(),
    postEncroachmentSeconds: secondsOrNone(),
  }),
  /** Relative speed at the start of human incidents; 0 without any. */
  impactSpeedCmS: exactObject({ maximum: amount(), mean: amount().exactOptional() }),
  finalStateHash: stateHash,
  trace: z.array(decision, { error: 'a list of decisions' }),
});

export type EpisodeRecord = z.infer<typeof episodeRecordSchema>;
export type EpisodeDecision = EpisodeRecord['trace'][number];
export type EpisodeEvent = EpisodeDecision['events'][number];
export type Outcome = (typeof outcomes)[number];
export type ContactType = (typeof contactTypes)[number];
export type Interval = (typeof intervals)[number];
export type ContactCounts = EpisodeRecord['contacts'];
