// Turns the summaries of one environment into the record of its episode: what each decision changed becomes a trace
// entry, and the last summary the totals.
import { unitsPerCm } from '../../kernels/units.ts';
import type { WorldRoute } from '../../kernels/world.ts';
import { actionFromCode } from '../episodes/actions.ts';
import type { EpisodeKey } from '../episodes/plan.ts';
import { episodeMetrics, isSafe } from '../metrics/episodeMetrics.ts';
import {
  conflictVehicleTypes,
  contactTypes,
  type EpisodeDecision,
  type EpisodeEvent,
  type EpisodeRecord,
  hazardTypes,
  intervals,
  outcomes,
  violationTypes,
} from '../records/episodeRecord.ts';
import { RouteProgress } from './routeProgress.ts';
import type { SummaryReader } from './simulator.ts';

/** Ticks that surrogate safety measures look ahead and back. */
const conflictHorizonTicks = 50;

/** The summary's arrays of counters, in the order in which events are listed. */
const counterArrays = [
  { member: 'contacts', length: contactTypes.length * intervals.length },
  { member: 'incidents', length: contactTypes.length * intervals.length },
  { member: 'hazards', length: hazardTypes.length },
  { member: 'violations', length: violationTypes.length },
  { member: 'conflicts', length: conflictVehicleTypes.length },
] as const;
const counterCount = counterArrays.reduce((sum, { length }) => sum + length, 0);

type EventName<Event = EpisodeEvent> = Event extends unknown ? Omit<Event, 'count'> : never;

/** What one more in a counter means. [counter] */
const eventNames: readonly EventName[] = [
  ...(['contact', 'incident'] as const).flatMap((kind) =>
    contactTypes.flatMap((type) => intervals.map((interval) => ({ kind, type, interval }))),
  ),
  ...hazardTypes.map((type) => ({ kind: 'hazard' as const, type })),
  ...violationTypes.map((type) => ({ kind: 'violation' as const, type })),
  ...conflictVehicleTypes.map((type) => ({ kind: 'conflict-vehicle' as const, type })),
];

function hashText(hash: number): string {
  return (hash >>> 0).toString(16).padStart(8, '0');
}

function countsByInterval(counts: ArrayLike<number>): EpisodeRecord['contacts'] {
  return Object.fromEntries(
    contactTypes.map((type, place) => [
      type,
      { active: counts[2 * place] ?? 0, passive: counts[2 * place + 1] ?? 0 },
    ]),
  ) as EpisodeRecord['contacts'];
}

/** Ticks of a surrogate safety measure to seconds; null where it found nothing (docs/rules.md, section 5.8). */
function conflictSeconds(ticks: number): number | null {
  return ticks > conflictHorizonTicks ? null : ticks / 10;
}

/** Units per tick to cm/s. */
function speedCmS(unitsPerTick: number): number {
  return (unitsPerTick * 10) / unitsPerCm;
}

/**
 * One per episode: call `begin` with the fresh environment, `decision` after every decision, `record` at the end.
 *
 * @example trace.push(tracer.decision(simulator.summary, env, action, latencyCentiseconds, 0));
 */
export class EpisodeTracer {
  readonly route: WorldRoute;
  readonly progress: RouteProgress;
  readonly #counters = new Uint32Array(counterCount);

  constructor(route: WorldRoute) {
    this.route = route;
    this.progress = new RouteProgress(route);
  }

  /** Takes the counters of the environment's initial state. */
  begin(summary: SummaryReader, env: number): void {
    let place = 0;
    for (const { member, length } of counterArrays) {
      const values = summary.getArray(env, member);
      for (let index = 0; index < length; index++) this.#counters[place++] = values[index]!;
    }
  }

  /** The trace entry of the decision that has just ended. */
  decision(
    summary: SummaryReader,
    env: number,
    action: number,
    latencyCentiseconds: number,
    queueSeconds: number,
  ): EpisodeDecision {
    const x = summary.get(env, 'x');
    const y = summary.get(env, 'y');
    const subgoal = summary.get(env, 'subgoal');
    this.progress.decision(x, y, subgoal);
    return {
      action: actionFromCode(action),
      latencySeconds: latencyCentiseconds / 100,
      queueSeconds,
      clockSeconds: summary.get(env, 'clockCentiseconds') / 100,
      xCm: x / unitsPerCm,
      yCm: y / unitsPerCm,
      headingDegrees: summary.get(env, 'heading') / 10,
      subgoal,
      events: this.#eventsSince(summary, env),
      stateHash: hashText(summary.get(env, 'stateHash')),
    };
  }

  #eventsSince(summary: SummaryReader, env: number): EpisodeEvent[] {
    const events: EpisodeEvent[] = [];
    let place = 0;
    for (const { member, length } of counterArrays) {
      const values = summary.getArray(env, member);
      for (let index = 0; index < length; index++, place++) {
        const value = values[index]!;
        const count = (value - this.#counters[place]!) >>> 0;
        if (count === 0) continue;
        this.#counters[place] = value;
        events.push({ ...eventNames[place]!, count });
      }
    }
    return events;
  }
}

/** The record of an episode that is over, from its tracer and its environment's last summary. `run` is its run's identity. */
export function episodeRecord(
  key: EpisodeKey & { readonly run: string },
  { route, progress }: EpisodeTracer,
  summary: SummaryReader,
  env: number,
  trace: EpisodeDecision[],
): EpisodeRecord {
  const outcome = outcomes[summary.get(env, 'outcome') - 1];
  if (outcome === undefined) throw new Error(`environment ${env} is done without an outcome`);
  const success = outcome === 'success';
  const routeLengthCm = route.lengthCm;
  const simSeconds = summary.get(env, 'clockCentiseconds') / 100;
  const travelledCm = summary.get(env, 'travelled') / unitsPerCm;
  const contacts = countsByInterval(summary.getArray(env, 'contacts'));
  const incidents = countsByInterval(summary.getArray(env, 'incidents'));
  const [trip = 0, oil = 0, water = 0] = Array.from(summary.getArray(env, 'hazards'));
  const [redLight = 0, jaywalk = 0] = Array.from(summary.getArray(env, 'violations'));
  const [launched = 0, hit = 0] = Array.from(summary.getArray(env, 'conflicts'));
  const [intimate = 0, personal = 0, social = 0] = Array.from(summary.getArray(env, 'closeTicks'));
  const hazards = { trip, oil, water };
  const violations = { redLight, jaywalk };
  const humanIncidents = incidents.human.active + incidents.human.passive;
  const meanImpact = humanIncidents === 0 ? 0 : summary.get(env, 'impactSum') / humanIncidents;
  return {
    run: key.run,
    map: key.map,
    route: key.route,
    difficulty: key.difficulty,
    mode: key.mode,
    profile: key.profile,
    seed: key.seed,
    policy: key.policy,
    latency: key.latency,
    outcome,
    success,
    safeSuccess: success && isSafe({ contacts, incidents, hazards, violations }),
    decisions: summary.get(env, 'decisions'),
    simSeconds,
    exposureSeconds: summary.get(env, 'exposureCentiseconds') / 100,
    travelledCm,
    routeLengthCm,
    netProgressCm: progress.netCm(),
    longestStall: progress.longestStall,
    ...episodeMetrics({ success, routeLengthCm, travelledCm, simSeconds }),
    contacts,
    incidents,
    hazards,
    violations,
    conflictVehicles: { launched, hit },
    proximitySeconds: { intimate: intimate / 10, personal: personal / 10, social: social / 10 },
    conflicts: {
      timeToCollisionSeconds: conflictSeconds(summary.get(env, 'timeToCollision')),
      postEncroachmentSeconds: conflictSeconds(summary.get(env, 'postEncroachment')),
    },
    impactSpeedCmS: {
      maximum: speedCmS(summary.get(env, 'impactMaximum')),
      mean: speedCmS(meanImpact),
    },
    finalStateHash: hashText(summary.get(env, 'stateHash')),
    trace,
  };
}
