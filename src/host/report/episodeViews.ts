// Which episodes a page can show, and their traces in a compact form.
import { closeSync, openSync, readSync } from 'node:fs';
import { actionCode } from '../episodes/actions.ts';
import {
  conflictVehicleTypes,
  contactTypes,
  type EpisodeEvent,
  type EpisodeRecord,
  hazardTypes,
  intervals,
  violationTypes,
} from '../records/episodeRecord.ts';
import type { DecisionView, EpisodeView } from './reportData.ts';

/** Most episodes, and most decisions, that a page carries. */
export const mostEpisodes = 200;
export const mostDecisions = 40_000;

function eventName(event: { kind: EpisodeEvent['kind']; type: string; interval?: string }): string {
  const name = `${event.kind}/${event.type}`;
  return event.interval === undefined ? name : `${name}/${event.interval}`;
}

/** What event codes mean, by place; incidents are left to the table. */
export const eventNames: readonly string[] = [
  ...contactTypes.flatMap((type) =>
    intervals.map((interval) => eventName({ kind: 'contact', type, interval })),
  ),
  ...hazardTypes.map((type) => eventName({ kind: 'hazard', type })),
  ...violationTypes.map((type) => eventName({ kind: 'violation', type })),
  ...conflictVehicleTypes.map((type) => eventName({ kind: 'conflict-vehicle', type })),
];

const codes = new Map(eventNames.map((name, code) => [name, code]));

export function decisionViews(trace: EpisodeRecord['trace']): DecisionView[] {
  return trace.map(({ xCm, yCm, clockSeconds, latencySeconds, action, events }) => [
    Math.round(xCm),
    Math.round(yCm),
    clockSeconds,
    latencySeconds,
    actionCode(action),
    ...events.flatMap((event) => {
      const code = codes.get(eventName(event));
      return code === undefined ? [] : [code, event.count];
    }),
  ]);
}

/** `count` places spread evenly over a list, the first among them. */
function spread(length: number, count: number): number[] {
  const taken = Math.min(length, count);
  return Array.from({ length: taken }, (_, place) => Math.floor((place * length) / taken));
}

/**
 * The same number of episodes of every condition, spread evenly over its episodes by seed, map and route, so that
 * conditions show the same routes. `groups`: places of each condition's episodes, in that order. Halved until the
 * decisions fit.
 */
export function chooseEpisodes(
  groups: readonly (readonly number[])[],
  decisionsOf: (episode: number) => number,
): { chosen: number[]; perCondition: number } {
  const total = groups.reduce((sum, group) => sum + group.length, 0);
  const shown = groups.slice(0, mostEpisodes);
  let perCondition =
    total <= mostEpisodes
      ? Math.max(0, ...groups.map((group) => group.length))
      : Math.max(1, Math.floor(mostEpisodes / shown.length));
  for (;;) {
    const count = perCondition;
    const chosen = shown.flatMap((group) => spread(group.length, count).map((place) => group[place]!));
    const decisions = chosen.reduce((sum, episode) => sum + decisionsOf(episode), 0);
    if (decisions <= mostDecisions || count <= 1) return { chosen, perCondition: count };
    perCondition = Math.floor(count / 2);
  }
}

export interface LinePlace {
  readonly offset: number;
  readonly bytes: number;
}

/** Reads the traces of some lines of episodes.jsonl again. */
export function readViews(
  path: string,
  chosen: readonly number[],
  placeOf: (episode: number) => LinePlace,
): EpisodeView[] {
  const file = openSync(path, 'r');
  try {
    return chosen.map((episode) => {
      const { offset, bytes } = placeOf(episode);
      const line = Buffer.alloc(bytes);
      readSync(file, line, 0, bytes, offset);
      const record = JSON.parse(line.toString('utf8')) as EpisodeRecord;
      return { episode, trace: decisionViews(record.trace) };
    });
  } finally {
    closeSync(file);
  }
}
