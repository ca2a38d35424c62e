// Aggregates of a run, one entry per condition: episodes that differ in route and seed only are averaged together
// (RT-SAFE protocol §12, paper appendix A.4). Failed episodes count in all of them.
import {
  type ContactCounts,
  type ContactType,
  contactTypes,
  type EpisodeRecord,
  type Interval,
  intervals,
  type Outcome,
  outcomes,
} from '../records/episodeRecord.ts';
import type { Condition } from '../run/plan.ts';
import { groupBy } from './groupBy.ts';
import { percentile } from './percentile.ts';

type CountsPerEpisode = { [Type in ContactType]: { [When in Interval]: number } };

/** All `...PerEpisode` are means over episodes; shares and rates are from 0 to 1; null: nothing to divide by. */
export interface ConditionSummary extends Condition {
  episodes: number;
  /** Episodes by how they ended. */
  outcomes: Record<Outcome, number>;
  successRate: number;
  safeSuccessRate: number;
  spl: number;
  ste: number;
  contactsPerEpisode: number;
  activePerEpisode: number;
  passivePerEpisode: number;
  /** All passive contacts over all contacts, not a share of episodes. */
  passiveShare: number | null;
  /** Share of episodes with a contact. */
  contactEpisodeRate: number;
  contactsByType: CountsPerEpisode;
  incidentsPerEpisode: number;
  incidentsByType: CountsPerEpisode;
  hazardsPerEpisode: number;
  hazardsByType: EpisodeRecord['hazards'];
  violationsPerEpisode: number;
  violationsByType: EpisodeRecord['violations'];
  conflictVehiclesPerEpisode: EpisodeRecord['conflictVehicles'];
  decisionsPerEpisode: number;
  simSecondsPerEpisode: number;
  /** Seconds charged for thinking. */
  exposurePerEpisode: number;
  travelledCmPerEpisode: number;
  /** `pooled` divides all contacts by all metres, as the paper does; `meanOverRoutes` averages each route's own rate. */
  contactsPer100m: { pooled: number | null; meanOverRoutes: number | null };
  /** Share of simulated time with a walker nearer than the distance. */
  proximityShare: { [Distance in keyof EpisodeRecord['proximitySeconds']]: number | null };
  impactSpeedMaximumCmS: number;
  /** Charged latencies, pooled over all decisions. */
  latencySeconds: { mean: number; median: number; p90: number; p95: number } | null;
}

/** Of the trace only the latencies are needed: the rest of it need not be kept. */
export type SummarisedEpisode = Omit<EpisodeRecord, 'trace'> & {
  readonly trace: readonly Pick<EpisodeRecord['trace'][number], 'latencySeconds'>[];
};

const conditionKeys = [
  'profile',
  'policy',
  'latency',
  'difficulty',
  'mode',
] as const satisfies (keyof Condition)[];

function compare(first: string | number, second: string | number): number {
  if (first === second) return 0;
  return first < second ? -1 : 1;
}

/** Sums of fractions depend on their order, so every group is put into one: a summary must not tell who finished first. */
function compareEpisodes(first: SummarisedEpisode, second: SummarisedEpisode): number {
  return (
    compare(first.map, second.map) || compare(first.route, second.route) || compare(first.seed, second.seed)
  );
}

function divide(dividend: number, divisor: number): number | null {
  return divisor === 0 ? null : dividend / divisor;
}

function sumOf<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}

function contactTotal(counts: ContactCounts, interval?: Interval): number {
  return sumOf(contactTypes, (type) => {
    const { active, passive } = counts[type];
    return interval === undefined ? active + passive : counts[type][interval];
  });
}

function contactRates(episodes: readonly SummarisedEpisode[]): ConditionSummary['contactsPer100m'] {
  const rate = (group: readonly SummarisedEpisode[]) =>
    divide(
      100 * sumOf(group, (episode) => contactTotal(episode.contacts)),
      sumOf(group, (episode) => episode.travelledCm) / 100,
    );
  const routes = groupBy(episodes, (episode) => JSON.stringify([episode.map, episode.route]));
  const rates = [...routes.values()].map(rate).filter((value) => value !== null);
  return { pooled: rate(episodes), meanOverRoutes: divide(sumOf(rates, Number), rates.length) };
}

function latencyStatistics(episodes: readonly SummarisedEpisode[]): ConditionSummary['latencySeconds'] {
  const latencies = Float64Array.from(
    episodes.flatMap((episode) => episode.trace.map((decision) => decision.latencySeconds)),
  ).sort();
  if (latencies.length === 0) return null;
  return {
    mean: latencies.reduce((sum, latency) => sum + latency, 0) / latencies.length,
    median: percentile(latencies, 50),
    p90: percentile(latencies, 90),
    p95: percentile(latencies, 95),
  };
}

function summariseCondition(group: readonly SummarisedEpisode[]): ConditionSummary {
  const episodes = group.toSorted(compareEpisodes);
  const { profile, policy, latency, difficulty, mode } = episodes[0]!;
  const mean = (value: (episode: SummarisedEpisode) => number) => sumOf(episodes, value) / episodes.length;
  const countsByType = (key: 'contacts' | 'incidents') =>
    Object.fromEntries(
      contactTypes.map((type) => [
        type,
        Object.fromEntries(
          intervals.map((interval) => [interval, mean((episode) => episode[key][type][interval])]),
        ),
      ]),
    ) as CountsPerEpisode;
  const simSeconds = sumOf(episodes, (episode) => episode.simSeconds);
  const nearShare = (distance: keyof EpisodeRecord['proximitySeconds']) =>
    divide(
      sumOf(episodes, (episode) => episode.proximitySeconds[distance]),
      simSeconds,
    );
  return {
    profile,
    policy,
    latency,
    difficulty,
    mode,
    episodes: episodes.length,
    outcomes: Object.fromEntries(
      outcomes.map((outcome) => [outcome, episodes.filter((episode) => episode.outcome === outcome).length]),
    ) as Record<Outcome, number>,
    successRate: mean((episode) => Number(episode.success)),
    safeSuccessRate: mean((episode) => Number(episode.safeSuccess)),
    spl: mean((episode) => episode.spl),
    ste: mean((episode) => episode.ste),
    contactsPerEpisode: mean((episode) => contactTotal(episode.contacts)),
    activePerEpisode: mean((episode) => contactTotal(episode.contacts, 'active')),
    passivePerEpisode: mean((episode) => contactTotal(episode.contacts, 'passive')),
    passiveShare: divide(
      sumOf(episodes, (episode) => contactTotal(episode.contacts, 'passive')),
      sumOf(episodes, (episode) => contactTotal(episode.contacts)),
    ),
    contactEpisodeRate: mean((episode) => Number(contactTotal(episode.contacts) > 0)),
    contactsByType: countsByType('contacts'),
    incidentsPerEpisode: mean((episode) => contactTotal(episode.incidents)),
    incidentsByType: countsByType('incidents'),
    hazardsPerEpisode: mean(({ hazards }) => hazards.trip + hazards.oil + hazards.water),
    hazardsByType: {
      trip: mean((episode) => episode.hazards.trip),
      oil: mean((episode) => episode.hazards.oil),
      water: mean((episode) => episode.hazards.water),
    },
    violationsPerEpisode: mean(({ violations }) => violations.redLight + violations.jaywalk),
    violationsByType: {
      redLight: mean((episode) => episode.violations.redLight),
      jaywalk: mean((episode) => episode.violations.jaywalk),
    },
    conflictVehiclesPerEpisode: {
      launched: mean((episode) => episode.conflictVehicles.launched),
      hit: mean((episode) => episode.conflictVehicles.hit),
    },
    decisionsPerEpisode: mean((episode) => episode.decisions),
    simSecondsPerEpisode: mean((episode) => episode.simSeconds),
    exposurePerEpisode: mean((episode) => episode.exposureSeconds),
    travelledCmPerEpisode: mean((episode) => episode.travelledCm),
    contactsPer100m: contactRates(episodes),
    proximityShare: {
      intimate: nearShare('intimate'),
      personal: nearShare('personal'),
      social: nearShare('social'),
    },
    impactSpeedMaximumCmS: episodes.reduce(
      (largest, episode) => Math.max(largest, episode.impactSpeedCmS.maximum),
      0,
    ),
    latencySeconds: latencyStatistics(episodes),
  };
}

/**
 * One summary per condition, in the order in which conditions first appear. The numbers do not depend on the order of the
 * episodes. No episodes give no summaries.
 *
 * @example const [greedy] = summarise([...readEpisodes('runs/first/episodes.jsonl')]);
 */
export function summarise(episodes: Iterable<SummarisedEpisode>): ConditionSummary[] {
  const groups = groupBy(episodes, (episode) => JSON.stringify(conditionKeys.map((key) => episode[key])));
  return [...groups.values()].map(summariseCondition);
}
