// What decides: requests in, actions out, in batches.

import type { EnvironmentsView } from '../../kernels/environmentsView.ts';
import type { WorldTables } from '../../kernels/world.ts';
import type { EpisodeIdentity } from '../episodes/episodeIdentity.ts';
import type { PictureSettings } from '../images/pictures.ts';
import type { AgentView } from '../prompt/agentView.ts';
import type { Reply } from '../records/replyRecord.ts';

/** All that an environment is, for policies that know more than an agent could. */
export interface PrivilegedState {
  readonly env: number;
  /** As of this round; the next one overwrites it. */
  readonly environments: EnvironmentsView;
  readonly world: Pick<WorldTables, 'routes' | 'shapes' | 'segments' | 'tables'>;
  /** One record of `struct Rules`, of the episode's profile. */
  readonly rules: Int32Array;
  /** What the thought of a decision, from 1, is charged. */
  latencyCentiseconds(decision: number): number;
}

/** What one environment shows when it awaits a decision. */
export interface PolicyRequest {
  readonly episode: EpisodeIdentity;
  /** From 1. */
  readonly decision: number;
  readonly clockCentiseconds: number;
  /** Units (1/16 cm). */
  readonly x: number;
  readonly y: number;
  /** Tenths of a degree, 0 to 3599; yaw grows to the visual right. */
  readonly heading: number;
  /** Units. */
  readonly subgoalX: number;
  readonly subgoalY: number;
  readonly isFinalSubgoal: boolean;
  /** Where the active edge begins: the subgoal before, or the start. Units. */
  readonly edgeStartX: number;
  readonly edgeStartY: number;
  /** Only for a policy that is asked. */
  readonly view?: AgentView;
  /** Only for a policy with `wantsState`. */
  readonly state?: PrivilegedState;
}

export interface PolicyDecision {
  /** 0 none, 1-7 moves, 8-13 turns, 14-16 waits: see actions.ts. */
  readonly action: number;
}

/** What asking took. */
export interface Thought {
  /** Wall time of this request alone: making it up, the call with its retries, reading the reply. */
  readonly seconds: number;
  /** Of these, those before the attempt that brought the reply began; all of them when none did. */
  readonly lostSeconds: number;
  /** Wall time spent waiting for its turn; never charged. */
  readonly queueSeconds: number;
  readonly reply: Reply;
}

export interface AskedDecision extends PolicyDecision {
  readonly thought: Thought;
}

export interface Policy {
  /** As one would write it on the command line. */
  readonly name: string;
  /** One decision per request, in the order of the requests. */
  decide(requests: readonly PolicyRequest[]): PolicyDecision[] | Promise<PolicyDecision[]>;
  /**
   * There for a policy that takes its time: it is asked for each environment by itself, instead of `decide`, and an
   * environment goes on when its own answer is there.
   *
   * @throws RunError where asking further is no use.
   */
  ask?(request: PolicyRequest): Promise<AskedDecision>;
  /** There for a policy that looks at pictures. */
  readonly pictures?: PictureSettings | undefined;
  /** True for a policy that reads the state vector. */
  readonly readsState?: boolean;
  /** True for one that writes prompts, which can be kept. */
  readonly writesPrompts?: boolean;
  /** Requests that it can be busy with at once; more environments than that only wait for each other. */
  readonly mostAtOnce?: number;
  /** True for a policy that looks behind the scenes; only then is the state read back, once a round. */
  readonly wantsState?: boolean;
  /** What decides its answers beside the name; kept in config.json. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /**
   * Reads what the policy is made of; called once, before anything else.
   *
   * @throws UsageError for something that it cannot be made of.
   */
  load?(): Promise<void>;
  /**
   * Called before the first request of a batch, and after the last one.
   *
   * @param seesPictures whether those that it wants will come with the requests
   */
  open?(seesPictures: boolean): Promise<void>;
  close?(): Promise<void>;
  /**
   * Says before a run whether the policy can play all its episodes; absent where it always can.
   *
   * @throws UsageError for the first that it cannot.
   */
  checkEpisodes?(episodes: Iterable<EpisodeIdentity>): void;
}

/** A policy that takes each request by itself. */
export function policyFrom(name: string, act: (request: PolicyRequest) => number): Policy {
  return { name, decide: (requests) => requests.map((request) => ({ action: act(request) })) };
}
