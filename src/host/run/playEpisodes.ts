// Plays a plan's episodes in one batch: asks the policies for all environments that await a decision, draws latencies,
// and makes each finished episode's record.
import { RunError } from '../errors.ts';
import type { LatencyModel } from '../latency/latencyModel.ts';
import { actionCount } from '../policies/actions.ts';
import type { Policy, PolicyRequest } from '../policies/policy.ts';
import type { EpisodeDecision, EpisodeRecord } from '../records/episodeRecord.ts';
import { type BatchDirector, type Occupant, runBatch, type Seat } from './batchLoop.ts';
import { EpisodeTracer, episodeRecord } from './episodeTracer.ts';
import type { PlannedEpisode } from './plan.ts';
import type { RunWorld } from './runWorld.ts';
import type { Simulator } from './simulator.ts';

export interface FinishedEpisode {
  readonly index: number;
  readonly record: EpisodeRecord;
}

export interface PlayOptions {
  readonly simulator: Simulator;
  readonly runWorld: RunWorld;
  /** The episodes to play, in the order in which environments take them up. */
  readonly episodes: Iterator<PlannedEpisode>;
  /** The identity of the run, kept in every record. */
  readonly run: string;
  /** By name; every name in the episodes must be there. */
  readonly policies: ReadonlyMap<string, Policy>;
  readonly latencies: ReadonlyMap<string, LatencyModel>;
  /**
   * Called after every round with the episodes that ended in it, possibly none, and roughly how many episodes' worth of
   * work has been done on those that go on. The list is reused.
   */
  readonly onRound: (finished: readonly FinishedEpisode[], decisions: number, underway: number) => void;
}

/** A policy's request that is filled in anew for every decision. */
type MutableRequest = { -readonly [Member in keyof PolicyRequest]: PolicyRequest[Member] };

interface PlayedEpisode extends Occupant {
  readonly planned: PlannedEpisode;
  readonly latency: LatencyModel;
  readonly queue: PolicyQueue;
  readonly request: MutableRequest;
  readonly tracer: EpisodeTracer;
  readonly trace: EpisodeDecision[];
  /** Roughly how much of the episode is over, 0 to 1: whichever is nearer its end, the route or the decision budget. */
  share: number;
}

/** The requests of one policy in the current round. */
interface PolicyQueue {
  readonly policy: Policy;
  readonly requests: PolicyRequest[];
  readonly seats: Seat<PlayedEpisode>[];
}

/** The host's part of a run; the simulated part is the simulator's. Ends when every episode is over. */
export async function playEpisodes(options: PlayOptions): Promise<void> {
  const { simulator, runWorld, episodes, latencies, onRound } = options;
  const { summary } = simulator;
  const queues = new Map<string, PolicyQueue>(
    [...options.policies].map(([name, policy]) => [name, { policy, requests: [], seats: [] }]),
  );
  const finished: FinishedEpisode[] = [];
  let decisions = 0;
  let underway = 0;

  const fillRequest = ({ env, episode }: Seat<PlayedEpisode>): void => {
    const { request } = episode;
    const { route } = episode.tracer;
    const subgoal = summary.get(env, 'subgoal');
    request.decision = episode.trace.length + 1;
    request.clockCentiseconds = summary.get(env, 'clockCentiseconds');
    request.x = summary.get(env, 'x');
    request.y = summary.get(env, 'y');
    request.heading = summary.get(env, 'heading');
    request.subgoalX = route.points[2 * subgoal]!;
    request.subgoalY = route.points[2 * subgoal + 1]!;
    request.isFinalSubgoal = 2 * (subgoal + 1) === route.points.length;
  };

  const askPolicy = async ({ policy, requests, seats }: PolicyQueue): Promise<void> => {
    const answers = await policy.decide(requests);
    if (answers.length !== requests.length) {
      throw new RunError(
        `policy ${policy.name}: ${answers.length} decisions for ${requests.length} requests`,
      );
    }
    for (const [place, { action }] of answers.entries()) {
      if (!(Number.isInteger(action) && action >= 0 && action <= actionCount)) {
        throw new RunError(`policy ${policy.name}: action ${action}, allowed is 0 to ${actionCount}`);
      }
      const seat = seats[place]!;
      const { latency, planned, trace } = seat.episode;
      seat.action = action;
      seat.latencyCentiseconds = latency.draw(planned, trace.length + 1);
    }
  };

  const director: BatchDirector<PlayedEpisode> = {
    next() {
      const { done, value: planned } = episodes.next();
      if (done) return undefined;
      return {
        start: runWorld.start(planned),
        planned,
        latency: latencies.get(planned.latency)!,
        queue: queues.get(planned.policy)!,
        request: {
          episode: planned,
          decision: 0,
          clockCentiseconds: 0,
          x: 0,
          y: 0,
          heading: 0,
          subgoalX: 0,
          subgoalY: 0,
          isFinalSubgoal: false,
        },
        tracer: new EpisodeTracer(runWorld.route(planned)),
        trace: [],
        share: 0,
      };
    },
    started({ env, episode }) {
      episode.tracer.begin(summary, env);
      return true;
    },
    async decide(seats) {
      for (const queue of queues.values()) {
        queue.requests.length = 0;
        queue.seats.length = 0;
      }
      for (const seat of seats) {
        fillRequest(seat);
        seat.episode.queue.requests.push(seat.episode.request);
        seat.episode.queue.seats.push(seat);
      }
      await Promise.all([...queues.values()].filter(({ seats: asking }) => asking.length > 0).map(askPolicy));
    },
    decided({ env, episode, action, latencyCentiseconds }) {
      episode.trace.push(episode.tracer.decision(summary, env, action, latencyCentiseconds, 0));
      decisions++;
      const share = Math.max(
        episode.tracer.progress.share(),
        episode.trace.length / episode.start.maxDecisions,
      );
      underway += share - episode.share;
      episode.share = share;
      return true;
    },
    finished({ env, episode: { planned, tracer, trace, share } }) {
      underway -= share;
      const record = episodeRecord({ ...planned, run: options.run }, tracer, summary, env, trace);
      finished.push({ index: planned.index, record });
    },
    roundEnded() {
      onRound(finished, decisions, underway);
      finished.length = 0;
      decisions = 0;
    },
  };
  await runBatch(simulator, director);
}
