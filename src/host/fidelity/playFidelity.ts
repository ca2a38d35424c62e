// Plays stand-ins on the benchmark's routes without writing a run folder, for one or several profiles at once.

import type { Difficulty } from '../episodes/difficulties.ts';
import type { Mode } from '../episodes/modes.ts';
import { type PlannedEpisode, RunPlan } from '../episodes/plan.ts';
import { standInLatency } from '../latency/standInLatency.ts';
import type { StandIn } from '../policies/standIn.ts';
import { standInPolicy } from '../policies/standIn.ts';
import type { Profile } from '../profiles/schema.ts';
import type { EpisodeRecord } from '../records/episodeRecord.ts';
import type { OpenSimulator, RunProgress } from '../run/executeRun.ts';
import { playEpisodes } from '../run/playEpisodes.ts';
import type { RouteSelection } from '../run/routeSelection.ts';
import { buildRunWorld } from '../run/runWorld.ts';
import { RouteSeating } from '../run/seating.ts';

/** An episode without its trace: what a thousand of them need of memory stays small. */
export type PlayedEpisode = Omit<EpisodeRecord, 'trace'> & { readonly actions: readonly string[] };

export interface FidelityPart {
  readonly standIns: readonly StandIn[];
  readonly modes: readonly Mode[];
}

export interface FidelityOptions {
  readonly parts: readonly FidelityPart[];
  readonly profiles: readonly Profile[];
  readonly selection: RouteSelection;
  readonly difficulties: readonly Difficulty[];
  readonly seeds: readonly number[];
  readonly maxDecisions: number | null;
  readonly environments: number;
  readonly openSimulator: OpenSimulator;
  readonly progress: RunProgress;
}

/** The episodes of one route in all plans, numbered through. */
function* episodesOf(plans: readonly RunPlan[], route: number): Generator<PlannedEpisode> {
  let first = 0;
  for (const plan of plans) {
    for (const episode of plan.episodesOf(route)) yield { ...episode, index: first + episode.index };
    first += plan.size;
  }
}

/**
 * All parts in one batch.
 *
 * @throws what opening the simulator throws.
 */
export async function playFidelity(options: FidelityOptions): Promise<PlayedEpisode[]> {
  const { parts, profiles, selection, difficulties, seeds, maxDecisions, progress } = options;
  const plans = parts.map(
    ({ standIns, modes }) =>
      new RunPlan({
        profiles: profiles.map(({ name }) => name),
        policies: standIns.map(({ name }) => name),
        latencies: [standInLatency.name],
        difficulties,
        modes,
        seeds,
        routes: selection.routes,
        maxDecisions,
        without: [],
      }),
  );
  const total = plans.reduce((sum, { size }) => sum + size, 0);
  const scenes = selection.scenes.map(({ scene }) => scene);
  const runWorld = buildRunWorld(plans[0]!, scenes, profiles);
  const names = new Set(parts.flatMap(({ standIns }) => standIns.map(({ name }) => name)));
  const opened = await options.openSimulator(runWorld, Math.min(options.environments, total));
  const episodes: PlayedEpisode[] = new Array(total);
  progress.start(total, 0);
  try {
    await playEpisodes({
      simulator: opened.simulator,
      runWorld,
      episodes: new RouteSeating(selection.routes.map((_, route) => episodesOf(plans, route))),
      run: 'fidelity',
      policies: new Map([...names].map((name) => [name, standInPolicy(name)])),
      latencies: new Map([[standInLatency.name, standInLatency]]),
      onRound(finished, decisions, underway) {
        for (const { index, record } of finished) {
          const { trace, ...rest } = record;
          episodes[index] = { ...rest, actions: trace.map(({ action }) => `${action.type} ${action.param}`) };
        }
        progress.advance(finished.length, decisions, underway);
      },
    });
  } finally {
    progress.stop();
    await opened.close();
  }
  return episodes;
}
