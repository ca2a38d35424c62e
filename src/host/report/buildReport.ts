// From a run's folder to the report object.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { counted } from '../counted.ts';
import { modes } from '../episodes/modes.ts';
import { type Condition, routeName } from '../episodes/plan.ts';
import { groupBy } from '../metrics/groupBy.ts';
import { faultText } from '../metrics/replyCounts.ts';
import { readRunSummary } from '../metrics/runSummary.ts';
import { type ConditionSummary, summarise } from '../metrics/summarise.ts';
import { published } from '../published/rtSafe.ts';
import type { EpisodeRecord } from '../records/episodeRecord.ts';
import { noEpisodeFault, RecordedRun } from '../records/recordedRun.ts';
import { summaryName } from '../records/runFolder.ts';
import type { BootstrapSample } from '../statistics/bootstrap.ts';
import { type LinearFit, linearFit } from '../statistics/regression.ts';
import { seedSpread } from '../statistics/seedSpread.ts';
import { commonLabel, differingParts, fullLabel, keyWithout, labelBy } from './conditionLabels.ts';
import {
  chooseEpisodes,
  eventNames,
  type LinePlace,
  mostDecisions,
  mostEpisodes,
  readViews,
} from './episodeViews.ts';
import { bootstrapDraws, estimateDifference, estimateMean, intervalPercent } from './estimates.ts';
import { mapViews } from './mapViews.ts';
import {
  type EstimatedQuantity,
  estimatedQuantities,
  type LatencySeries,
  type PublishedComparison,
  type Report,
  type ReportCondition,
  type ReportEpisode,
  type ReportPair,
  type ReportViews,
} from './reportData.ts';

interface ReadEpisode {
  readonly episode: ReportEpisode;
  readonly place: LinePlace;
}

function contactsOf({ contacts }: ReportEpisode, interval?: 'active' | 'passive'): number {
  return Object.values(contacts).reduce(
    (sum, { active, passive }) =>
      sum + (interval === 'passive' ? 0 : active) + (interval === 'active' ? 0 : passive),
    0,
  );
}

/** An episode's part of a quantity: its value, and what it counts for. */
const contributions: Record<EstimatedQuantity, (episode: ReportEpisode) => [value: number, weight: number]> =
  {
    contacts: (episode) => [contactsOf(episode), 1],
    activeContacts: (episode) => [contactsOf(episode, 'active'), 1],
    passiveContacts: (episode) => [contactsOf(episode, 'passive'), 1],
    success: ({ success }) => [Number(success), 1],
    safeSuccess: ({ safeSuccess }) => [Number(safeSuccess), 1],
    progressMetresPerDecision: ({ netProgressCm, decisions }) => [netProgressCm / 100, decisions],
    routeShare: ({ netProgressCm, routeLengthCm, success }) => [
      success || routeLengthCm === 0 ? 1 : Math.min(1, Math.max(0, netProgressCm / routeLengthCm)),
      1,
    ],
  };

function routeOf({ map, route }: ReportEpisode): string {
  return routeName(map, route);
}

function compareText(first: string, second: string): number {
  return first < second ? -1 : Number(first > second);
}

function compareRoutes(first: ReportEpisode, second: ReportEpisode): number {
  return compareText(first.map, second.map) || first.route - second.route;
}

/** Routes in the order of map and number, episodes of each in the order of their seeds. */
function byRoute(episodes: readonly ReportEpisode[]): Map<string, ReportEpisode[]> {
  const sorted = episodes.toSorted(
    (first, second) => compareRoutes(first, second) || first.seed - second.seed,
  );
  return groupBy(sorted, routeOf);
}

function inOrder(routes: ReadonlyMap<string, ReportEpisode[]>): ReportEpisode[] {
  return [...routes.values()].flat();
}

function contactTotal(episodes: readonly ReportEpisode[]): number {
  return episodes.reduce((sum, episode) => sum + contactsOf(episode), 0);
}

function samplesOf(episodes: readonly ReportEpisode[], quantity: EstimatedQuantity): BootstrapSample[] {
  return episodes.map((episode) => {
    const { map, route, seed } = episode;
    const [value, weight] = contributions[quantity](episode);
    return { map, route, seed, value, weight };
  });
}

function reportCondition(
  summary: ConditionSummary,
  episodes: readonly ReportEpisode[],
  label: string,
): ReportCondition {
  const routes = byRoute(episodes);
  const ordered = inOrder(routes);
  return {
    label,
    fullLabel: fullLabel(summary),
    summary,
    routes: routes.size,
    seeds: new Set(episodes.map(({ seed }) => seed)).size,
    estimates: Object.fromEntries(
      estimatedQuantities.map((quantity) => [quantity, estimateMean(samplesOf(ordered, quantity))]),
    ) as ReportCondition['estimates'],
    seedSpread: {
      contacts: seedSpread(samplesOf(ordered, 'contacts')),
      success: seedSpread(samplesOf(ordered, 'success')),
      safeSuccess: seedSpread(samplesOf(ordered, 'safeSuccess')),
    },
  };
}

function meanLatency({ latencySeconds }: ConditionSummary): number {
  return latencySeconds?.mean ?? 0;
}

function latencySeries(conditions: readonly ReportCondition[]): LatencySeries[] {
  const summaries = conditions.map(({ summary }) => summary);
  const parts = differingParts(summaries).filter((part) => part !== 'latency' && part !== 'mode');
  const places = groupBy(summaries.keys(), (place) => keyWithout(summaries[place]!, 'latency'));
  return [...places.values()].map((members) => {
    const { mode } = summaries[members[0]!]!;
    return {
      label: labelBy(summaries[members[0]!]!, [...parts, 'mode']),
      mode,
      points: members
        .map((condition) => ({ condition, latencySeconds: meanLatency(summaries[condition]!) }))
        .toSorted((first, second) => first.latencySeconds - second.latencySeconds),
    };
  });
}

function pairKey({ map, route, seed }: ReportEpisode): string {
  return JSON.stringify([map, route, seed]);
}

/** The episodes of both sides whose map, route and seed the other side has too. */
function matched(
  first: readonly ReportEpisode[],
  second: readonly ReportEpisode[],
): [ReportEpisode[], ReportEpisode[]] {
  const firstKeys = new Set(first.map(pairKey));
  const secondKeys = new Set(second.map(pairKey));
  return [
    first.filter((episode) => secondKeys.has(pairKey(episode))),
    second.filter((episode) => firstKeys.has(pairKey(episode))),
  ];
}

function reportPair(
  places: { static: number; realtime: number },
  conditions: readonly ReportCondition[],
  episodesOf: readonly (readonly ReportEpisode[])[],
  label: string,
): ReportPair | undefined {
  const [still, moving] = matched(episodesOf[places.static]!, episodesOf[places.realtime]!);
  if (still.length === 0) return undefined;
  const [stillRoutes, movingRoutes] = [byRoute(still), byRoute(moving)];
  const difference = (quantity: EstimatedQuantity) =>
    estimateDifference(samplesOf(inOrder(stillRoutes), quantity), samplesOf(inOrder(movingRoutes), quantity));
  return {
    label,
    ...places,
    latencySeconds: meanLatency(conditions[places.realtime]!.summary),
    episodes: still.length,
    contacts: difference('contacts'),
    safeSuccess: difference('safeSuccess'),
    success: difference('success'),
    contactRatio: contactTotal(still) === 0 ? null : contactTotal(moving) / contactTotal(still),
    routes: [...stillRoutes].map(([route, before]) => {
      const after = movingRoutes.get(route)!;
      const [first, second] = [contactTotal(before) / before.length, contactTotal(after) / after.length];
      return { route, static: first, realtime: second, difference: second - first };
    }),
  };
}

function reportPairs(
  conditions: readonly ReportCondition[],
  episodesOf: readonly (readonly ReportEpisode[])[],
): ReportPair[] {
  const summaries = conditions.map(({ summary }) => summary);
  const parts = differingParts(summaries).filter((part) => part !== 'mode');
  const groups = groupBy(summaries.keys(), (place) => keyWithout(summaries[place]!, 'mode'));
  return [...groups.values()].flatMap((members) => {
    const still = members.find((place) => summaries[place]!.mode === 'static');
    const moving = members.find((place) => summaries[place]!.mode === 'realtime');
    if (still === undefined || moving === undefined) return [];
    const condition = summaries[still]!;
    const label = parts.length === 0 ? condition.latency : labelBy(condition, parts);
    const pair = reportPair({ static: still, realtime: moving }, conditions, episodesOf, label);
    return pair === undefined ? [] : [pair];
  });
}

/** Contacts on exposure over the real-time conditions, as the paper fits its models; null for fewer than three. */
function exposureFit(conditions: readonly ReportCondition[]): LinearFit | null {
  const moving = conditions.filter(({ summary }) => summary.mode === 'realtime');
  if (moving.length < 3) return null;
  return linearFit(
    moving.map(({ summary }) => summary.exposurePerEpisode),
    moving.map(({ summary }) => summary.contactsPerEpisode),
  );
}

function publishedComparison(conditions: readonly ReportCondition[]): PublishedComparison | null {
  const hard = [...conditions.keys()].filter((place) => conditions[place]!.summary.difficulty === 'hard');
  if (hard.length === 0) return null;
  return {
    citation: published.citation,
    aggregates: modes.map((mode) => {
      const { contacts, active, passive, success, safeSuccess } = published.aggregates[mode];
      return { mode, contacts, active, passive, success, safeSuccess };
    }),
    models: modes.flatMap((mode) =>
      published.models.map((model) => {
        const { latencySeconds, contacts, active, passive, success, safeSuccess, decisions } = model[mode];
        return {
          name: model.name,
          mode,
          latencySeconds,
          contacts,
          active,
          passive,
          success,
          safeSuccess,
          decisions,
        };
      }),
    ),
    conditions: hard,
  };
}

function reportViews(
  run: RecordedRun,
  read: readonly ReadEpisode[],
  groups: readonly (readonly number[])[],
): ReportViews {
  const order = groups.map((group) =>
    group.toSorted((first, second) => {
      const [one, other] = [read[first]!.episode, read[second]!.episode];
      return one.seed - other.seed || compareRoutes(one, other);
    }),
  );
  const { chosen, perCondition } = chooseEpisodes(order, (place) => read[place]!.episode.decisions);
  const episodes = readViews(run.episodesPath, chosen, (place) => read[place]!.place);
  const contacts = chosen.map((place) => contactsOf(read[place]!.episode));
  const { maps, routes } = mapViews(run.config.scenes);
  const shownRoutes = new Set(chosen.map((place) => routeOf(read[place]!.episode)));
  const shownMaps = new Set(chosen.map((place) => read[place]!.episode.map));
  const rule =
    chosen.length === read.length
      ? `${read.length === 1 ? 'The one episode' : `All ${read.length} episodes`} can be shown.`
      : `${chosen.length} of ${counted(read.length, 'episode')} can be shown: of ` +
        `${groups.length > mostEpisodes ? `each of the first ${mostEpisodes}` : 'every'} condition${groups.length > mostEpisodes ? 's' : ''} ` +
        `up to ${perCondition}, spread evenly over its episodes in the order of seed, map and route, so that conditions show ` +
        `the same routes (at most ${mostEpisodes} episodes and ${mostDecisions} decisions in all). All of them are in report.json and episodes.jsonl.`;
  return {
    rule,
    first: contacts.length === 0 ? 0 : contacts.indexOf(Math.max(...contacts)),
    maps: Object.fromEntries(Object.entries(maps).filter(([name]) => shownMaps.has(name))),
    routes: Object.fromEntries(Object.entries(routes).filter(([name]) => shownRoutes.has(name))),
    eventNames: [...eventNames],
    episodes,
  };
}

/**
 * Does the folder's summary.json say what its episodes say?
 *
 * @throws UsageError for one that cannot be read.
 */
function summaryNotice(folder: string, summaries: readonly ConditionSummary[]): string | undefined {
  const path = join(folder, summaryName);
  if (!existsSync(path)) return 'The run has no summary.json: it is not finished.';
  const { conditions } = readRunSummary(path).summary;
  if (JSON.stringify(conditions) === JSON.stringify(summaries)) return undefined;
  return 'summary.json says something else than episodes.jsonl, from which this report is made.';
}

function faultNotice(summaries: readonly ConditionSummary[]): string | undefined {
  const faults = faultText(summaries.map(({ replies }) => replies));
  return faults === undefined
    ? undefined
    : `${faults}. Such a decision is none: its time is charged, the world moves on.`;
}

function notices(
  run: Report['run'],
  folder: string,
  summaries: readonly ConditionSummary[],
  views: ReportViews,
): string[] {
  const { episodes, plannedEpisodes, cutOffLines } = run;
  const found: (string | undefined)[] = [
    cutOffLines === 0
      ? undefined
      : `${cutOffLines} line at the end of episodes.jsonl is cut off and was left out of every number.`,
    episodes === plannedEpisodes
      ? undefined
      : `The run holds ${episodes} of ${counted(plannedEpisodes, 'episode')} that were planned; the others are missing from every number.`,
    summaryNotice(folder, summaries),
    faultNotice(summaries),
    ...Object.entries(views.maps).map(([name, map]) =>
      map === null
        ? `The map ${name} is not drawn: this version does not have the scene that was recorded.`
        : undefined,
    ),
  ];
  return found.filter((notice) => notice !== undefined);
}

function titleOf(conditions: readonly Condition[]): string {
  const common = commonLabel(conditions);
  const count = conditions.length === 1 ? 'one condition' : `${conditions.length} conditions`;
  return `RT-SAFE report: ${common === '' ? count : `${common}${conditions.length > 1 ? `, ${count}` : ''}`}`;
}

/** Without the content that config.json carries of a scene or profile that is not bundled. */
function originOf({ name, source, hash }: Report['run']['scenes'][number]): Report['run']['scenes'][number] {
  return { name, source, hash };
}

/**
 * Reads a run's folder and computes everything a report shows. The same folder gives the same object.
 *
 * @throws UsageError for a folder that holds no run, a damaged line, a line of another run, an episode there
 * twice, no episode, and a damaged summary.json.
 */
export function buildReport(folder: string): Report {
  const run = RecordedRun.read(folder);
  const read: ReadEpisode[] = [];
  function* kept(): Generator<EpisodeRecord> {
    for (const { record, offset, bytes } of run.lines()) {
      const { trace: _trace, ...episode } = record;
      read.push({ episode, place: { offset, bytes } });
      yield record;
    }
  }
  const summaries = summarise(kept());
  if (read.length === 0) throw noEpisodeFault(folder);
  const { cutOffLines, plannedEpisodes } = run.extent();

  const groups = groupBy(read.keys(), (place) => fullLabelKey(read[place]!.episode));
  const members = summaries.map((summary) => groups.get(fullLabelKey(summary))!);
  const episodesOf = members.map((places) => places.map((place) => read[place]!.episode));
  const parts = differingParts(summaries);
  const conditions = summaries.map((summary, place) =>
    reportCondition(summary, episodesOf[place]!, labelBy(summary, parts.length === 0 ? ['mode'] : parts)),
  );
  const views = reportViews(run, read, members);
  const { simulator, plan, sessions, scenes, profiles } = run.config;
  const about: Report['run'] = {
    simulator,
    plan,
    sessions,
    scenes: scenes.map(originOf),
    profiles: profiles.map(originOf),
    plannedEpisodes,
    episodes: read.length,
    cutOffLines,
  };
  return {
    format: 'rtsafe-report',
    version: 1,
    title: titleOf(summaries),
    run: about,
    notices: notices(about, folder, summaries, views),
    intervals: {
      method:
        'percentile bootstrap; a route is drawn with all its seeds, and in a comparison with both modes',
      draws: bootstrapDraws,
      percent: intervalPercent,
    },
    conditions,
    latency: latencySeries(conditions),
    exposureFit: exposureFit(conditions),
    pairs: reportPairs(conditions, episodesOf),
    published: publishedComparison(conditions),
    views,
    episodes: read.map(({ episode }) => episode),
  };
}

function fullLabelKey(condition: Condition): string {
  const { profile, policy, latency, difficulty, mode } = condition;
  return JSON.stringify([profile, policy, latency, difficulty, mode]);
}
