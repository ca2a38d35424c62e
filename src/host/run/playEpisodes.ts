// Plays a plan's episodes in one batch: asks the policies for all environments that await a decision, draws latencies,
// and makes each finished episode's record.
import { join } from 'node:path';
import { actionCount } from '../episodes/actions.ts';
import type { PlannedEpisode } from '../episodes/plan.ts';
import { RunError } from '../errors.ts';
import type { AgentImage, ImageSource, OpenImages, RenderedImage } from '../images/pictures.ts';
import type { LatencyModel } from '../latency/latencyModel.ts';
import type { Policy, PolicyDecision, PolicyRequest, Thought } from '../policies/policy.ts';
import { emptyRequest, fillRequest, type MutableRequest } from '../policies/policyRequest.ts';
import type { AgentView } from '../prompt/agentView.ts';
import { EpisodeHistory } from '../prompt/episodeHistory.ts';
import type { Standing } from '../prompt/feedback.ts';
import type { EpisodeDecision, EpisodeRecord } from '../records/episodeRecord.ts';
import { type BatchDirector, type Occupant, runBatch, type Seat } from './batchLoop.ts';
import { EpisodeTracer, episodeRecord } from './episodeTracer.ts';
import { privilegedState } from './privilegedState.ts';
import type { RunWorld } from './runWorld.ts';
import type { EpisodeQueue } from './seating.ts';
import type { Simulator } from './simulator.ts';
import type { OpenState, StateSource } from './states.ts';

export interface FinishedEpisode {
  readonly index: number;
  readonly record: EpisodeRecord;
}

export interface PlayOptions {
  readonly simulator: Simulator;
  readonly runWorld: RunWorld;
  /** The episodes to play. */
  readonly episodes: EpisodeQueue;
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
  /** Opens cameras for policies that look; without it they get text alone. */
  readonly images?: OpenImages | undefined;
  /** Opens what policies that read the state vector get it from. */
  readonly state?: OpenState | undefined;
  /** The folder in which what policies that look were shown is kept, if it is to. */
  readonly keepPromptsIn?: string;
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
  /** Of the action that is under way or was the last one, oldest first. */
  frames: RenderedImage[];
  thought: Thought | undefined;
}

/** The requests of one policy in the current round. */
interface PolicyQueue {
  readonly policy: Policy;
  readonly requests: PolicyRequest[];
  readonly seats: Seat<PlayedEpisode>[];
  images: ImageSource | undefined;
  state: StateSource | undefined;
}

/** Ticks from one frame of an action to the next: 0.5 s (RT-SAFE protocol §5). */
const frameTicks = 5;

/** `4-rt10-0-hard-realtime-seed-0/0012`: the episode's line in episodes.jsonl, what it is, the decision. */
function promptPath({ index, map, route, difficulty, mode, seed }: PlannedEpisode, decision: number): string {
  const episode = `${index + 1}-${map}-${route}-${difficulty}-${mode}-seed-${seed}`;
  return join(episode.replaceAll(/[^\w.-]/g, '_'), String(decision).padStart(4, '0'));
}

/** The host's part of a run; the simulated part is the simulator's. Ends when every episode is over. */
export async function playEpisodes(options: PlayOptions): Promise<void> {
  const { simulator, runWorld, episodes, latencies, onRound } = options;
  const { summary } = simulator;
  const queues = new Map<string, PolicyQueue>(
    [...options.policies].map(([name, policy]) => [
      name,
      { policy, requests: [], seats: [], images: undefined, state: undefined },
    ]),
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

  /** Episodes by environment, of policies that are shown frames of their actions. */
  const watched = new Map<number, PlayedEpisode>();

  const keepFrames = async (envs: readonly number[]): Promise<void> => {
    for (const { policy, images } of queues.values()) {
      const own = envs.filter((env) => watched.get(env)?.queue.policy === policy);
      if (images === undefined || own.length === 0) continue;
      // oxlint-disable-next-line no-await-in-loop -- one GPU renders for all
      for (const [place, frame] of (await images.frames(own)).entries()) {
        const episode = watched.get(own[place]!)!;
        episode.frames = [...episode.frames, frame].slice(-policy.pictures!.earlierFrames);
      }
    }
  };

  /** What each seat of a policy is shown; its frames are handed over. */
  const viewsOf = async ({ seats, images, state }: PolicyQueue): Promise<AgentView[]> => {
    const envs = seats.map(({ env }) => env);
    const latest = (await images?.views(envs)) ?? [];
    const states = (await state?.states(envs)) ?? [];
    return seats.map(({ episode }, place) => {
      const { history, frames, planned, trace } = episode;
      episode.frames = [];
      const earlier = frames.map((frame): AgentImage => ({ ...frame, kind: 'earlier' }));
      return {
        speedCmS: history?.speedCmS ?? 0,
        past: history?.past ?? [],
        images: [...earlier, ...(latest[place] ?? [])],
        state: states[place],
        ...(options.keepPromptsIn === undefined
          ? {}
          : { keepAt: join(options.keepPromptsIn, promptPath(planned, trace.length + 1)) }),
      };
    });
  };

  /** Hands every seat of a policy that is asked to `later`; each goes on when its own answer is there. */
  const askEach = async (
    queue: PolicyQueue,
    later: (seat: Seat<PlayedEpisode>, answer: Promise<void>) => void,
  ): Promise<void> => {
    const views = await viewsOf(queue);
    for (const [place, seat] of queue.seats.entries()) {
      const view = views[place]!;
      const answer = queue.policy.ask!({ ...seat.episode.request, view }).then((decision) => {
        take(seat, decision, decision.thought);
        options.onThought?.(decision.thought);
      });
      later(seat, answer);
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

  const showsFrames = ({ pictures }: Policy): boolean =>
    options.images !== undefined && pictures !== undefined && pictures.earlierFrames > 0;

  const director: BatchDirector<PlayedEpisode> = {
    watch: [...options.policies.values()].some(showsFrames) ? { frameTicks, onFrame: keepFrames } : undefined,
    next(env) {
      const planned = episodes.next(env);
      if (planned === undefined) return undefined;
      const queue = queues.get(planned.policy)!;
      return {
        start: runWorld.start(planned),
        planned,
        latency: latencies.get(planned.latency)!,
        queue,
        history: queue.policy.ask === undefined ? undefined : new EpisodeHistory(),
        frames: [],
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
      if (showsFrames(episode.queue.policy)) watched.set(env, episode);
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
        for (const { env, episode } of seeing.flatMap((queue) => queue.seats))
          episode.request.state = privilegedState(env, environments, runWorld, episode, episode.latency);
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
      watched.delete(env);
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
    const sees = ({ pictures }: Policy) => options.images !== undefined && pictures !== undefined;
    await Promise.all(policies.map(async (policy) => policy.open?.(sees(policy))));
    for (const queue of queues.values()) {
      // oxlint-disable-next-line no-await-in-loop -- one GPU compiles for all
      if (sees(queue.policy)) queue.images = await options.images!(queue.policy.pictures!);
      // oxlint-disable-next-line no-await-in-loop -- likewise
      if (queue.policy.readsState === true) queue.state = await options.state?.();
    }
    await runBatch(simulator, director, options.signal);
  } finally {
    await Promise.all(policies.map(async (policy) => policy.close?.()));
    for (const { images, state } of queues.values()) {
      // oxlint-disable-next-line no-await-in-loop -- one GPU lets go of all
      await images?.close();
      // oxlint-disable-next-line no-await-in-loop -- likewise
      await state?.close();
    }
  }
}
