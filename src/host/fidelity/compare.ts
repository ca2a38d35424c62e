// Sets stand-ins beside the published tables. What is met is said, and so is what is missed.

import type { Mode } from '../episodes/modes.ts';
import { standInOverheadSeconds } from '../latency/standInLatency.ts';
import { findStandIn, type StandIn } from '../policies/standIn.ts';
import { published } from '../published/rtSafe.ts';
import { contactTypes } from '../records/episodeRecord.ts';
import { type Interval, meanInterval, pairedInterval } from '../statistics/bootstrap.ts';
import { type LinearFit, linearFit, rankCorrelation } from '../statistics/regression.ts';
import type { RouteSample } from '../statistics/seedSpread.ts';
import type { PlayedEpisode } from './playFidelity.ts';

/** Means over episodes; `latencySeconds` is per response, without the overhead. */
export interface Outcome {
  readonly success: number;
  readonly safeSuccess: number;
  readonly contacts: number;
  readonly active: number;
  readonly passive: number;
  readonly latencySeconds: number;
  readonly decisions: number;
}

export interface ComparedRow {
  /** The stand-in, never the model. */
  readonly standIn: string;
  readonly mode: Mode;
  readonly episodes: number;
  readonly ours: Outcome;
  readonly published: Outcome;
}

/** One figure that this simulator was meant to come near. */
export interface Aim {
  readonly name: string;
  readonly ours: number;
  readonly published: number;
  /** What counts as near. */
  readonly allowed: string;
  readonly isMet: boolean;
}

export interface Fidelity {
  readonly profile: string;
  readonly defaults: readonly ComparedRow[];
  readonly effort: readonly ComparedRow[];
  readonly aims: readonly Aim[];
  /** 95 % over resampled routes. */
  readonly intervals: {
    readonly staticContacts: Interval | null;
    readonly realtimeContacts: Interval | null;
    /** Real-time over static, paired by route. */
    readonly ratio: Interval | null;
  };
  /** Contacts on latency times decisions, over the models at default effort. */
  readonly exposureFit: { readonly ours: LinearFit | null; readonly published: LinearFit | null };
}

function count(episode: PlayedEpisode, interval: 'active' | 'passive'): number {
  return contactTypes.reduce((sum, type) => sum + episode.contacts[type][interval], 0);
}

function contacts(episode: PlayedEpisode): number {
  return count(episode, 'active') + count(episode, 'passive');
}

function mean<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + value(item), 0) / items.length;
}

function outcomeOf(episodes: readonly PlayedEpisode[]): Outcome {
  const decisions = mean(episodes, (episode) => episode.decisions);
  return {
    success: mean(episodes, ({ success }) => Number(success)),
    safeSuccess: mean(episodes, ({ safeSuccess }) => Number(safeSuccess)),
    contacts: mean(episodes, contacts),
    active: mean(episodes, (episode) => count(episode, 'active')),
    passive: mean(episodes, (episode) => count(episode, 'passive')),
    latencySeconds:
      mean(episodes, ({ exposureSeconds }) => exposureSeconds) / decisions - standInOverheadSeconds,
    decisions,
  };
}

function rowsOf(episodes: readonly PlayedEpisode[]): { row: ComparedRow; standIn: StandIn }[] {
  const names = [...new Set(episodes.map(({ policy }) => policy))];
  return names.flatMap((name) => {
    const standIn = findStandIn(name)!;
    return (['static', 'realtime'] as const).flatMap((mode) => {
      const group = episodes.filter((episode) => episode.policy === name && episode.mode === mode);
      if (group.length === 0) return [];
      const goal = standIn.level === null ? standIn.model[mode] : standIn.row;
      const row: ComparedRow = {
        standIn: name,
        mode,
        episodes: group.length,
        ours: outcomeOf(group),
        published: {
          success: goal.success,
          safeSuccess: goal.safeSuccess,
          contacts: goal.contacts,
          active: goal.active,
          passive: goal.passive,
          latencySeconds: goal.latencySeconds,
          decisions: goal.decisions,
        },
      };
      return [{ row, standIn }];
    });
  });
}

function samples(episodes: readonly PlayedEpisode[]): RouteSample[] {
  return episodes.map((episode) => ({
    map: episode.map,
    route: episode.route,
    seed: episode.seed,
    value: contacts(episode),
  }));
}

function fitOf(rows: readonly ComparedRow[], side: 'ours' | 'published'): LinearFit | null {
  if (rows.length < 3) return null;
  return linearFit(
    rows.map((row) => row[side].latencySeconds * row[side].decisions),
    rows.map((row) => row[side].contacts),
  );
}

/** Nearer than a share of the published figure. */
function near(name: string, ours: number, goal: number, share: number): Aim {
  return {
    name,
    ours,
    published: goal,
    allowed: `within ${Math.round(100 * share)} %`,
    isMet: Math.abs(ours / goal - 1) <= share,
  };
}

function atLeast(name: string, ours: number | null, goal: number, least: number): Aim {
  const value = ours ?? Number.NaN;
  return { name, ours: value, published: goal, allowed: `at least ${least}`, isMet: value >= least };
}

function isDefault({ policy }: PlayedEpisode): boolean {
  return findStandIn(policy)?.level === null;
}

/** All episodes are of one profile and of hard difficulty. */
export function compareWithPublished(episodes: readonly PlayedEpisode[]): Fidelity {
  const rows = rowsOf(episodes);
  const defaults = rows.filter(({ standIn }) => standIn.level === null).map(({ row }) => row);
  const effort = rows.filter(({ standIn }) => standIn.level !== null).map(({ row }) => row);
  const ofMode = (mode: Mode) => episodes.filter((episode) => episode.mode === mode && isDefault(episode));
  const [still, running] = [ofMode('static'), ofMode('realtime')];
  const realtimeRows = defaults.filter(({ mode }) => mode === 'realtime');
  const exposureFit = { ours: fitOf(realtimeRows, 'ours'), published: fitOf(realtimeRows, 'published') };
  const goal = published.aggregates;
  const aims: Aim[] = [];
  if (still.length > 0) {
    aims.push(near('contacts per episode, static', mean(still, contacts), goal.static.contacts, 0.25));
  }
  if (running.length > 0) {
    const [active, passive] = [
      mean(running, (episode) => count(episode, 'active')),
      mean(running, (episode) => count(episode, 'passive')),
    ];
    aims.push(
      near('contacts per episode, real-time', active + passive, goal.realtime.contacts, 0.25),
      near('  active', active, goal.realtime.active, 0.25),
      near('  passive', passive, goal.realtime.passive, 0.25),
      near(
        'passive share',
        passive / (active + passive),
        goal.realtime.passive / goal.realtime.contacts,
        0.25,
      ),
    );
  }
  if (still.length > 0 && running.length > 0) {
    const ratio = mean(running, contacts) / mean(still, contacts);
    aims.push(near('real-time over static', ratio, goal.realtime.contacts / goal.static.contacts, 0.25));
  }
  if (exposureFit.ours !== null && exposureFit.published !== null) {
    const { ours, published: goalFit } = exposureFit;
    const rank = rankCorrelation(
      realtimeRows.map((row) => row.ours.contacts),
      realtimeRows.map((row) => row.published.contacts),
    );
    aims.push(
      near('contacts per second of exposure (slope)', ours.slope, goalFit.slope, 0.25),
      atLeast('  R²', ours.rSquared, goalFit.rSquared, 0.85),
      atLeast('rank correlation over models', rank, 1, 0.8),
    );
  }
  if (effort.length > 0) {
    const deviation = mean(effort, (row) => Math.abs(row.ours.contacts / row.published.contacts - 1));
    aims.push({
      name: 'effort rows (not fitted on), mean deviation of contacts',
      ours: deviation,
      published: 0,
      allowed: 'at most 0.35',
      isMet: deviation <= 0.35,
    });
  }
  return {
    profile: episodes[0]?.profile ?? '',
    defaults,
    effort,
    aims,
    intervals: {
      staticContacts: meanInterval(samples(still)),
      realtimeContacts: meanInterval(samples(running)),
      ratio: pairedInterval(samples(still), samples(running), 'ratio'),
    },
    exposureFit,
  };
}
