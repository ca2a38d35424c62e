// The object a report is made from, and all that report.json holds: every number of the page is in it.

import type { Mode } from '../episodes/modes.ts';
import type { ConditionSummary } from '../metrics/summarise.ts';
import type { EpisodeRecord } from '../records/episodeRecord.ts';
import type { RunConfig } from '../records/runConfig.ts';
import type { LinearFit } from '../statistics/regression.ts';
import type { SeedSpread } from '../statistics/seedSpread.ts';
import type { Estimate } from './estimates.ts';

/** Quantities with an interval. Counts are per episode, shares from 0 to 1. */
export const estimatedQuantities = [
  'contacts',
  'activeContacts',
  'passiveContacts',
  'success',
  'safeSuccess',
  'progressMetresPerDecision',
  'routeShare',
] as const;
export type EstimatedQuantity = (typeof estimatedQuantities)[number];

export interface ReportCondition {
  /** Says in what it differs from the others: `fixed:3, real-time`. */
  label: string;
  /** All of its parts: `rt-safe, greedy, fixed:3, hard, real-time`. */
  fullLabel: string;
  summary: ConditionSummary;
  routes: number;
  seeds: number;
  estimates: Record<EstimatedQuantity, Estimate>;
  /** Over seeds, of the average over routes; the deviation has n - 1 in the divisor. */
  seedSpread: Record<'contacts' | 'success' | 'safeSuccess', SeedSpread | null>;
}

/** Conditions that differ in latency only, by mean charged latency. */
export interface LatencySeries {
  label: string;
  mode: Mode;
  points: { condition: number; latencySeconds: number }[];
}

/** Static and real-time mode of one condition, over the routes and seeds that both have. */
export interface ReportPair {
  label: string;
  /** Places in `conditions`. */
  static: number;
  realtime: number;
  latencySeconds: number;
  /** Routes and episodes of each side that are compared. */
  episodes: number;
  /** Real-time less static. */
  contacts: Estimate;
  safeSuccess: Estimate;
  success: Estimate;
  /** Real-time contacts over static contacts. */
  contactRatio: number | null;
  routes: { route: string; static: number; realtime: number; difference: number }[];
}

/** An episode without its trace. */
export type ReportEpisode = Omit<EpisodeRecord, 'trace'>;

export interface PublishedComparison {
  citation: string;
  /** Per mode: published means over eight models, and per model. */
  aggregates: {
    mode: Mode;
    contacts: number;
    active: number;
    passive: number;
    success: number;
    safeSuccess: number;
  }[];
  models: {
    name: string;
    mode: Mode;
    latencySeconds: number;
    contacts: number;
    active: number;
    passive: number;
    success: number;
    safeSuccess: number;
    decisions: number;
  }[];
  /** Places in `conditions` of the hard ones, which are those that can be set beside it. */
  conditions: number[];
}

/** One decision: x and y (cm), clock after it and charged latency (s), action code, then pairs of event code and count. */
export type DecisionView = [
  x: number,
  y: number,
  clock: number,
  latency: number,
  action: number,
  ...events: number[],
];

export interface EpisodeView {
  /** Place in `episodes`. */
  episode: number;
  trace: DecisionView[];
}

/** All in whole cm. */
export interface MapView {
  /** [ax, ay, bx, by, half width] */
  roads: number[][];
  sidewalks: number[][];
  crosswalks: number[][];
  /** [minX, minY, maxX, maxY] */
  buildings: number[][];
}

export interface ReportViews {
  /** How the shown episodes were chosen. */
  rule: string;
  /** Place in `views.episodes` of the one shown first. */
  first: number;
  /** By name; null: the map is not to be had. */
  maps: Record<string, MapView | null>;
  /** Start and subgoals by `map:route`, [x, y] in cm. */
  routes: Record<string, number[][]>;
  /** What an event code means, by place. */
  eventNames: string[];
  episodes: EpisodeView[];
}

export interface Report {
  format: 'rtsafe-report';
  version: 1;
  title: string;
  run: Pick<RunConfig, 'simulator' | 'plan' | 'sessions'> & {
    scenes: { name: string; source: string; hash: string }[];
    profiles: { name: string; source: string; hash: string }[];
    plannedEpisodes: number;
    episodes: number;
    cutOffLines: number;
  };
  /** What a reader must know before trusting a number. */
  notices: string[];
  intervals: { method: string; draws: number; percent: number };
  conditions: ReportCondition[];
  latency: LatencySeries[];
  /** Contacts per episode on exposure per episode (s), a point per real-time condition; null for fewer than three. */
  exposureFit: LinearFit | null;
  pairs: ReportPair[];
  published: PublishedComparison | null;
  views: ReportViews;
  episodes: ReportEpisode[];
}
