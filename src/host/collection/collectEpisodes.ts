// Plays the episodes of a collection in the vector environment and hands each over when it is over. An episode takes the
// next free slot; which one that is, and what runs beside it, cannot be seen in it.
import type { BatchEnvironment } from '../../kernels/environment/batchEnvironment.ts';
import type { Episode, EpisodeSource } from '../../kernels/environment/episodes.ts';
import type { WorldRoute } from '../../kernels/world.ts';
import type { EpisodeData, EpisodeLayout } from '../datasets/episodeData.ts';
import type { PlannedEpisode } from '../episodes/plan.ts';
import { RunError } from '../errors.ts';
import type { LatencyModel } from '../latency/latencyModel.ts';
import type { Policy, PolicyRequest } from '../policies/policy.ts';
import { emptyRequest, fillRequest, type MutableRequest } from '../policies/policyRequest.ts';
import { outcomes } from '../records/episodeRecord.ts';
import { privilegedState } from '../run/privilegedState.ts';
import type { RunWorld } from '../run/runWorld.ts';
import type { EpisodeQueue } from '../run/seating.ts';
import type { CollectedEnvironment } from './collectionLayout.ts';
import { EpisodeRecorder } from './episodeRecorder.ts';

/** An episode in a slot of the environment. */
export interface CollectedEpisode extends Episode {
  readonly planned: PlannedEpisode;
  readonly route: WorldRoute;
}

/** A slot whose episode is under way. */
interface Seat {
  readonly env: number;
  readonly recorder: EpisodeRecorder;
  episode: CollectedEpisode;
  request: MutableRequest;
}

/** Gives the episodes of a queue, each once, to whichever slot is free. */
export function queuedEpisodes(episodes: EpisodeQueue<CollectedEpisode>): EpisodeSource<CollectedEpisode> {
  return ({ env }) => episodes.next(env);
}

export interface CollectEpisodesOptions {
  /** Its autoreset mode is `next-step`, its episodes come from `queuedEpisodes`. */
  readonly environment: CollectedEnvironment & {
    episode(env: number): CollectedEpisode | undefined;
    /** For a policy with `wantsState`. */
    readonly batch: Pick<BatchEnvironment['batch'], 'readEnvironments'>;
  };
  readonly layout: EpisodeLayout;
  readonly policy: Policy;
  readonly latency: LatencyModel;
  /** For a policy with `wantsState`. */
  readonly runWorld: Pick<RunWorld, 'world' | 'rules'>;
  /** Called after every step with the episodes that ended in it and the decisions taken. The list is reused. */
  readonly onStep: (finished: readonly EpisodeData[], decisions: number, underway: number) => void;
}

/**
 * Ends when there is no episode left.
 *
 * @throws RunError for a policy that does not answer as it should; what the environment or `onStep` throws.
 */
export async function collectEpisodes(options: CollectEpisodesOptions): Promise<void> {
  const { policy } = options;
  try {
    await policy.open?.(false);
    await playAll(options);
  } finally {
    await policy.close?.();
  }
}

async function playAll(options: CollectEpisodesOptions): Promise<void> {
  const { environment, layout, policy, latency, runWorld, onStep } = options;
  const { numEnvs } = environment;
  const actions = new Uint8Array(numEnvs);
  const seats = new Array<Seat | undefined>(numEnvs);
  const recorders = new Array<EpisodeRecorder | undefined>(numEnvs);
  const requests: PolicyRequest[] = [];
  const deciding: Seat[] = [];
  const finished: EpisodeData[] = [];

  const begin = (env: number): void => {
    const episode = environment.episode(env)!;
    recorders[env] ??= new EpisodeRecorder(layout, env);
    const recorder = recorders[env];
    recorder.begin(environment);
    seats[env] = { env, recorder, episode, request: emptyRequest(episode.planned) };
  };

  const ask = async (): Promise<void> => {
    requests.length = 0;
    deciding.length = 0;
    for (const seat of seats) {
      if (seat === undefined) continue;
      fillRequest(seat.request, environment.summary, seat.env, seat.episode.route);
      requests.push(seat.request);
      deciding.push(seat);
    }
    if (policy.wantsState === true && deciding.length > 0) {
      const environments = await environment.batch.readEnvironments();
      for (const { env, request, episode } of deciding)
        request.state = privilegedState(env, environments, runWorld, episode, latency);
    }
    const answers = deciding.length === 0 ? [] : await policy.decide(requests);
    if (answers.length !== requests.length) {
      throw new RunError(
        `policy ${policy.name}: ${answers.length} decisions for ${requests.length} requests`,
      );
    }
    for (const [place, { action }] of answers.entries()) actions[deciding[place]!.env] = action;
  };

  const finish = ({ recorder, episode, env }: Seat): void => {
    const { index, map, route, seed } = episode.planned;
    const outcome = outcomes[environment.infos.outcome[env]! - 1];
    if (outcome === undefined) throw new Error(`environment ${env} is over without an outcome`);
    finished.push(recorder.finish({ index, map, route, seed, outcome }));
    seats[env] = undefined;
  };

  await environment.reset();
  let isRunning = true;
  for (let env = 0; env < numEnvs; env++) if (environment.infos.started[env] === 1) begin(env);
  isRunning = seats.some((seat) => seat !== undefined);
  while (isRunning) {
    await ask();
    const { rewards, terminations, truncations, infos } = await environment.step(actions);
    finished.length = 0;
    let underway = 0;
    for (const seat of deciding) {
      const { env, recorder, episode } = seat;
      recorder.step(environment, {
        action: actions[env]!,
        reward: rewards[env]!,
        termination: terminations[env]!,
        truncation: truncations[env]!,
      });
      if (terminations[env] === 1 || truncations[env] === 1) finish(seat);
      else underway += recorder.steps / episode.start.maxDecisions;
    }
    for (let env = 0; env < numEnvs; env++) if (infos.started[env] === 1) begin(env);
    onStep(finished, deciding.length, underway);
    isRunning = finished.length > 0 || seats.some((seat) => seat !== undefined);
  }
}
