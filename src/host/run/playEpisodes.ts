// Plays a plan's episodes in one batch: asks the policies for all environments that await a decision, draws latencies,
// and makes each finished episode's record.
import type { EnvironmentsView } from '../../kernels/environmentsView.ts';
import { RunError } from '../errors.ts';
import type { LatencyModel } from '../latency/latencyModel.ts';
import { actionCount } from '../policies/actions.ts';
import type { Policy, PolicyDecision, PolicyRequest, Thought } from '../policies/policy.ts';
import { emptyRequest, fillRequest, type MutableRequest } from '../policies/policyRequest.ts';
import type { ImageSource, RenderedImage } from '../prompt/agentView.ts';
import { EpisodeHistory } from '../prompt/episodeHistory.ts';
import type { Standing } from '../prompt/feedback.ts';
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
  /** Told of every answer of a policy that is asked. */
  readonly onThought?: (thought: Thought) => void;
  /** What policies that look get to see; without it they get text alone. */
  readonly images?: ImageSource | undefined;
  /** Ends the wait for answers; `onRound` is called then, and says what the run ends with. */
  readonly signal?: AbortSignal | undefined;
}

interface PlayedEpisode extends Occupant {
  readonly planned: PlannedEpisode;
  readonly latency: LatencyModel;
  readonly queue: PolicyQueue;
  readonly request: MutableRequest;
  readonly tracer: EpisodeTracer;
  readonly trace: EpisodeDecision[];
  /** Roughly how much of the episode is over, 0 to 1: whichever is nearer its end, the route or the decision budget. */
  share: number;
  /** Of a policy that is asked. */
  readonly history: EpisodeHistory | undefined;
  thought: Thought | undefined;
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

  const standing = ({ env, episode }: Seat<PlayedEpisode>): Standing => {
    const { route } = episode.tracer;
    const subgoal = summary.get(env, 'subgoal');
    return {
      x: summary.get(env, 'x'),
      y: summary.get(env, 'y'),
      heading: summary.get(env, 'heading'),
      subgoal,
      subgoalX: route.points[2 * subgoal] ?? 0,
      subgoalY: route.points[2 * subgoal + 1] ?? 0,
    };
  };

  /** Action and latency of a seat from what its policy decided. */
  const take = (seat: Seat<PlayedEpisode>, { action }: PolicyDecision, thought?: Thought): void => {
    const { latency, planned, trace, queue } = seat.episode;
    if (!(Number.isInteger(action) && action >= 0 && action <= actionCount)) {
      throw new RunError(`policy ${queue.policy.name}: action ${action}, allowed is 0 to ${actionCount}`);
    }
    seat.action = action;
    seat.latencyCentiseconds = latency.draw(planned, trace.length + 1, thought);
    seat.episode.thought = thought;
  };

  const renderFor = async ({ policy, seats }: PolicyQueue): Promise<Map<number, RenderedImage>> => {
    if (options.images === undefined || policy.wantsImages !== true) return new Map();
    const rendered = await options.images.render(seats.map(({ env }) => env));
    return new Map(rendered.map((image) => [image.env, image]));
  };

  /** Hands every seat of a policy that is asked to `later`; each goes on when its own answer is there. */
  const askEach = async (
    queue: PolicyQueue,
    later: (seat: Seat<PlayedEpisode>, answer: Promise<void>) => void,
  ): Promise<void> => {
    const images = await renderFor(queue);
    for (const seat of queue.seats) {
      const { request, history } = seat.episode;
      const image = images.get(seat.env);
      const view = {
        speedCmS: history?.speedCmS ?? 0,
        past: history?.past ?? [],
        images: image === undefined ? [] : [image],
      };
      const answer = queue.policy.ask!({ ...request, view }).then((decision) => {
        take(seat, decision, decision.thought);
        options.onThought?.(decision.thought);
      });
      later(seat, answer);
    }
  };

  /** Lets a policy with `wantsState` see the state of its environments. */
  const showState = (environments: EnvironmentsView, { seats }: PolicyQueue): void => {
    for (const { env, episode } of seats) {
      const { latency, planned, request, start } = episode;
      request.state = {
        env,
        environments,
        world: runWorld.world,
        rules: runWorld.rules[start.rules]!,
        latencyCentiseconds: (decision) => latency.draw(planned, decision),
      };
    }
  };

  const askPolicy = async ({ policy, requests, seats }: PolicyQueue): Promise<void> => {
    const answers = await policy.decide(requests);
    if (answers.length !== requests.length) {
      throw new RunError(
        `policy ${policy.name}: ${answers.length} decisions for ${requests.length} requests`,
      );
    }
    for (const [place, answer] of answers.entries()) take(seats[place]!, answer);
  };

  const director: BatchDirector<PlayedEpisode> = {
    next() {
      const { done, value: planned } = episodes.next();
      if (done) return undefined;
      const queue = queues.get(planned.policy)!;
      return {
        start: runWorld.start(planned),
        planned,
        latency: latencies.get(planned.latency)!,
        queue,
        history: queue.policy.ask === undefined ? undefined : new EpisodeHistory(),
        thought: undefined,
        request: emptyRequest(planned),
        tracer: new EpisodeTracer(runWorld.route(planned)),
        trace: [],
        share: 0,
      };
    },
    started(seat) {
      const { env, episode } = seat;
      episode.tracer.begin(summary, env);
      episode.history?.begin(standing(seat));
      return true;
    },
    async decide(seats, later) {
      for (const queue of queues.values()) {
        queue.requests.length = 0;
        queue.seats.length = 0;
      }
      for (const seat of seats) {
        fillRequest(seat.episode.request, summary, seat.env, seat.episode.tracer.route);
        seat.episode.queue.requests.push(seat.episode.request);
        seat.episode.queue.seats.push(seat);
      }
      const asking = [...queues.values()].filter((queue) => queue.seats.length > 0);
      const seeing = asking.filter(({ policy }) => policy.wantsState === true);
      if (seeing.length > 0) {
        const environments = await simulator.readEnvironments();
        for (const queue of seeing) showState(environments, queue);
      }
      await Promise.all(
        asking.map((queue) => (queue.policy.ask === undefined ? askPolicy(queue) : askEach(queue, later))),
      );
    },
    decided(seat) {
      const { env, episode, action, latencyCentiseconds } = seat;
      const { thought, trace, history } = episode;
      const decision = episode.tracer.decision(
        summary,
        env,
        action,
        latencyCentiseconds,
        thought?.queueSeconds ?? 0,
      );
      trace.push(thought === undefined ? decision : { ...decision, reply: thought.reply });
      history?.decided(trace.length, action, standing(seat), decision.events);
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
  const policies = [...options.policies.values()];
  try {
    await Promise.all(policies.map(async (policy) => policy.open?.()));
    await runBatch(simulator, director, options.signal);
  } finally {
    await Promise.all(policies.map(async (policy) => policy.close?.()));
  }
}
