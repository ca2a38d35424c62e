// Gymnasium's vector environment over the batch: reset, step, autoreset, spaces, masks. What an episode does is the batch's
// business; here is who plays which episode, what is seen of it, and what that is worth. See docs/environment.md.
import {
  BatchSimulator,
  type EnvironmentState,
  type Execution,
  outcomes,
  type ResetRequest,
  status,
} from '../batchSimulator.ts';
import type { GpuContext } from '../device.ts';
import type { ShaderLibrary } from '../shaderLibrary.ts';
import type { SummaryView } from '../summaryView.ts';
import { unitsPerCm } from '../units.ts';
import type { WorldTables } from '../world.ts';
import { EnvironmentError } from './environmentError.ts';
import type { Episode, EpisodeSource } from './episodes.ts';
import { ImageObserver, type ImageOptions } from './imageObserver.ts';
import { copyInfos, createEpisodeInfos, type EpisodeInfos, InfoReader } from './infos.ts';
import { checkLatency, type LatencySource, noLatency } from './latency.ts';
import {
  type NamedReward,
  namedReward,
  type RewardChoice,
  type RewardFunction,
  type Transition,
} from './reward.ts';
import { RouteDistance } from './routeDistance.ts';
import { batchedDict, batchedDiscrete, type Dict, type Discrete, type MultiDiscrete } from './spaces.ts';
import { actionCount, StateObserver } from './stateObserver.ts';

/** When an episode that is over makes room for the next; as Gymnasium's modes of these names. */
export type AutoresetMode = 'next-step' | 'same-step' | 'disabled';

/** Seeds are u32. */
const seedCount = 2 ** 32;

const autoresetModes: readonly AutoresetMode[] = ['next-step', 'same-step', 'disabled'];

export interface EnvironmentOptions<Played extends Episode> {
  readonly shaders: ShaderLibrary;
  readonly world: WorldTables;
  /** Compiled profiles, each in the layout of `struct Rules`. */
  readonly rules: readonly Int32Array[];
  readonly numEnvs: number;
  readonly episodes: EpisodeSource<Played>;
  /** Default: next-step. */
  readonly autoresetMode?: AutoresetMode;
  /** The state vector (stateFields.ts). Default: true. */
  readonly state?: boolean;
  /** A picture from the agent's camera. Default: none. */
  readonly image?: ImageOptions;
  /** Default: the protocol's. */
  readonly reward?: RewardChoice | RewardFunction;
  /** What each decision is charged; `supplied`: with every step. Default: nothing. */
  readonly latency?: LatencySource<Played> | 'supplied';
  /** See `BatchOptions`. */
  readonly execution?: Partial<Execution>;
  /** Called last by `close`, for whoever opened the context for this environment alone. */
  readonly onClosed?: () => Promise<void>;
}

/** What is seen of the environments; the arrays are reused by every call. */
export interface Observations {
  /** [env, field], see `stateFields`. */
  readonly state?: Float32Array<ArrayBuffer>;
  /** [env, row, column, red green blue] */
  readonly image?: Uint8Array<ArrayBuffer>;
}

export interface Infos extends EpisodeInfos {
  /** 1 where the last call took a decision, 0 where it reset, left out or found nothing to do. [env] */
  readonly decided: Uint8Array;
  /** 1 where the last call started an episode. [env] */
  readonly started: Uint8Array;
  /** 1 where `finalObs` and `finalInfo` are of an episode that the last call ended: same-step autoreset only. [env] */
  readonly finalMask: Uint8Array;
  readonly finalObs: Observations;
  readonly finalInfo: EpisodeInfos;
}

export interface ResetResult {
  readonly observations: Observations;
  readonly infos: Infos;
}

export interface StepResult extends ResetResult {
  /** [env] */
  readonly rewards: Float32Array;
  /** 1: the episode is over by what happened in it: success, vehicle collision, repeated building collision. [env] */
  readonly terminations: Uint8Array;
  /** 1: the episode was cut off at its decision budget. [env] */
  readonly truncations: Uint8Array;
}

export interface ResetOptions<Played extends Episode> {
  /**
   * A number: environment i gets `seed + i` (modulo 2^32). A list: each its own, undefined keeps what it has. Episode numbers
   * start again at 0. Without: the next episode of the present seed; the first time, seed i.
   */
  readonly seed?: number | readonly (number | undefined)[];
  readonly options?: {
    /** 1 or true: reset this environment; the others stay as they are. [env] Default: all. */
    readonly mask?: ArrayLike<number | boolean>;
    /** Episodes to start in place of those the source would choose. [env] */
    readonly episodes?: readonly (Played | undefined)[];
  };
}

export interface StepOptions {
  /** Charged for the decisions, whole centiseconds, in place of the environment's own latency. [env] */
  readonly latencies?: ArrayLike<number>;
  /** 0 or false: this environment takes no decision and stands still. [env] Default: all take theirs. */
  readonly mask?: ArrayLike<number | boolean>;
}

export interface EnvironmentMetadata {
  readonly autoresetMode: AutoresetMode;
  /** `custom` for a caller's own function. */
  readonly reward: NamedReward;
  readonly latency: 'supplied' | 'drawn';
}

/** An environment between two decisions: plain data, for any slot of an environment with the same world and rules. */
export interface EnvironmentSnapshot<Played extends Episode> {
  readonly episode: Played;
  readonly seed: number;
  readonly number: number;
  readonly simulated: EnvironmentState;
}

/** What one slot is playing. */
interface Seat<Played> {
  seed: number | undefined;
  number: number;
  episode: Played | undefined;
  /** Units from the agent to the route's end. */
  toGo: number;
}

/** What a slot is to play. */
interface Seating<Played> {
  readonly env: number;
  readonly seed: number;
  readonly number: number;
  readonly episode: Played | undefined;
}

/** One `send`: copies, since the caller may reuse its arrays. */
interface Step {
  readonly actions: Uint8Array;
  readonly latencies: Float64Array | undefined;
  readonly mask: Uint8Array | undefined;
}

function checkSeed(value: number | undefined): void {
  if (value === undefined || (Number.isInteger(value) && value >= 0 && value < seedCount)) return;
  throw new RangeError(`seed: found ${value}, allowed are whole numbers from 0 to ${seedCount - 1}`);
}

function isOver(found: number): boolean {
  return found === status.done;
}

/**
 * Thousands of episodes in slots, with Gymnasium's semantics. Every call takes its turn: calls may be made without waiting
 * for those before, and are carried out one after the other. All arrays are allocated once and reused; whoever wants to keep
 * what is in them copies it before the next call.
 *
 * @example
 * const environment = await BatchEnvironment.create(context, { shaders, world, rules, numEnvs: 64, episodes });
 * const { observations } = await environment.reset({ seed: 1 });
 * const { rewards, terminations, truncations } = await environment.step(policy(observations));
 */
export class BatchEnvironment<Played extends Episode = Episode> {
  readonly numEnvs: number;
  readonly metadata: EnvironmentMetadata;
  readonly singleObservationSpace: Dict;
  readonly observationSpace: Dict;
  /** Action codes 1 to 16 of `struct Decision`: 1-7 moves, 8-13 turns, 14-16 waits. */
  readonly singleActionSpace: Discrete;
  readonly actionSpace: MultiDiscrete;
  /** 1: the action can be carried out; 0: a move whose end is inside a building. [env, action - 1] */
  readonly actionMasks: Uint8Array;
  readonly observations: Observations;
  readonly infos: Infos;
  readonly batch: BatchSimulator;
  readonly #source: EpisodeSource<Played>;
  readonly #latency: LatencySource<Played> | undefined;
  readonly #reward: RewardFunction;
  readonly #ruleCount: number;
  readonly #onClosed: (() => Promise<void>) | undefined;
  readonly #routes: readonly RouteDistance[];
  readonly #seats: readonly Seat<Played>[];
  readonly #reader: InfoReader;
  readonly #stateObserver: StateObserver;
  readonly #imageObserver: ImageObserver | undefined;
  readonly #result: StepResult;
  readonly #transition: Transition = {
    progressMetres: 0,
    seconds: 0,
    latencySeconds: 0,
    contacts: 0,
    incidents: 0,
    passiveIncidents: 0,
    hazards: 0,
    violations: 0,
    success: false,
    safeSuccess: false,
  };
  #turn: Promise<unknown> = Promise.resolve();
  #sent: Promise<StepResult> | undefined;
  #closing: Promise<void> | undefined;

  private constructor(
    options: EnvironmentOptions<Played>,
    batch: BatchSimulator,
    stateObserver: StateObserver,
    imageObserver: ImageObserver | undefined,
  ) {
    const {
      numEnvs,
      latency = noLatency,
      reward = { name: 'protocol' },
      autoresetMode = 'next-step',
    } = options;
    this.#ruleCount = options.rules.length;
    this.#onClosed = options.onClosed;
    this.batch = batch;
    this.numEnvs = numEnvs;
    this.#source = options.episodes;
    this.#latency = latency === 'supplied' ? undefined : latency;
    const named =
      typeof reward === 'function' ? { name: 'custom', weights: {}, reward } : namedReward(reward);
    this.#reward = named.reward;
    this.metadata = {
      autoresetMode,
      reward: { name: named.name, weights: named.weights },
      latency: latency === 'supplied' ? 'supplied' : 'drawn',
    };
    this.#routes = batch.world.routeList.map((route) => new RouteDistance(route));
    this.#seats = Array.from({ length: numEnvs }, () => ({
      seed: undefined,
      number: 0,
      episode: undefined,
      toGo: 0,
    }));
    this.#reader = new InfoReader(batch.summary);
    this.#stateObserver = stateObserver;
    this.#imageObserver = imageObserver;
    const hasState = options.state !== false;
    this.singleObservationSpace = {
      type: 'Dict',
      spaces: {
        ...(hasState ? { state: StateObserver.space } : {}),
        ...(imageObserver ? { image: imageObserver.space } : {}),
      },
    };
    this.observationSpace = batchedDict(this.singleObservationSpace, numEnvs);
    this.singleActionSpace = { type: 'Discrete', dtype: 'int64', n: actionCount, start: 1 };
    this.actionSpace = batchedDiscrete(this.singleActionSpace, numEnvs);
    this.actionMasks = new Uint8Array(numEnvs * actionCount).fill(1);
    this.observations = this.#createObservations(hasState);
    this.infos = {
      ...createEpisodeInfos(batch.summary, numEnvs),
      decided: new Uint8Array(numEnvs),
      started: new Uint8Array(numEnvs),
      finalMask: new Uint8Array(numEnvs),
      finalObs: this.#createObservations(hasState),
      finalInfo: createEpisodeInfos(batch.summary, numEnvs),
    };
    this.#result = {
      observations: this.observations,
      infos: this.infos,
      rewards: new Float32Array(numEnvs),
      terminations: new Uint8Array(numEnvs),
      truncations: new Uint8Array(numEnvs),
    };
  }

  /**
   * Compiles the kernels and allocates everything. Nothing runs before the first `reset`.
   *
   * @throws RangeError for an option that is not allowed; GpuError when the device refuses.
   */
  static async create<Played extends Episode>(
    context: GpuContext,
    options: EnvironmentOptions<Played>,
  ): Promise<BatchEnvironment<Played>> {
    const { shaders, world, rules, numEnvs, execution = {}, autoresetMode = 'next-step' } = options;
    if (!autoresetModes.includes(autoresetMode))
      throw new RangeError(
        `autoresetMode: found ${JSON.stringify(autoresetMode)}, allowed are ${autoresetModes.join(', ')}`,
      );
    if (options.state === false && options.image === undefined)
      throw new RangeError('observation: found neither state nor image, allowed are one of them or both');
    if (typeof options.reward === 'object') namedReward(options.reward);
    const batch = await BatchSimulator.create(context, {
      shaders,
      world,
      rules,
      envCount: numEnvs,
      execution,
    });
    const stateObserver = await StateObserver.create(context, shaders, batch);
    const imageObserver =
      options.image && (await ImageObserver.create(context, shaders, batch, options.image));
    return new BatchEnvironment(options, batch, stateObserver, imageObserver);
  }

  /** What the last round left on the host, for policies that decide from it. */
  get summary(): SummaryView {
    return this.batch.summary;
  }

  /** The episode that an environment plays, or has ended; undefined before its first and where there is none left. */
  episode(env: number): Played | undefined {
    this.#checkEnv(env);
    return this.#seats[env]!.episode;
  }

  /**
   * Starts new episodes, whatever was played before. See `ResetOptions` for who gets which.
   *
   * @throws RangeError for a seed, a mask or an episode that is not allowed; EnvironmentError between `send` and `recv`.
   */
  async reset({ seed, options = {} }: ResetOptions<Played> = {}): Promise<ResetResult> {
    const { mask, episodes } = options;
    const seeds = this.#seeds(seed);
    const chosen = this.#mask(mask, 'mask') ?? new Uint8Array(this.numEnvs).fill(1);
    if (!chosen.includes(1))
      throw new RangeError('mask: found no environment to reset, allowed is one or more');
    if (episodes !== undefined) this.#checkLength(episodes, 'episodes');
    const given = episodes?.slice();
    if (this.#sent) throw new EnvironmentError('reset: a step was sent; recv its result first');
    return this.#inTurn(async () => {
      const next: Seating<Played>[] = [];
      for (let env = 0; env < this.numEnvs; env++) {
        if (chosen[env] === 1) next.push(this.#nextEpisode(env, seeds?.[env], given?.[env]));
      }
      this.#clearFlags();
      const started = this.#seat(next);
      for (const { env } of next) this.#clearOutcome(env);
      await this.batch.advance();
      this.#begin(started);
      await this.#observe(started);
      return this.#result;
    });
  }

  /**
   * Takes one decision in every environment; `send` and `recv` in one.
   *
   * @param actions codes 1 to 16, or 0 for a decision without an action (a reply nobody can read): it counts, and does
   * nothing. [env]
   * @throws RangeError for actions or options that are not allowed; EnvironmentError before the first reset, between `send`
   * and `recv`, and where the mode is `disabled` for an episode that is over.
   */
  async step(actions: ArrayLike<number>, options: StepOptions = {}): Promise<StepResult> {
    this.send(actions, options);
    return this.recv();
  }

  /** Sends decisions to the environments and does not wait. @throws as `step` does, but for what only running shows. */
  send(actions: ArrayLike<number>, options: StepOptions = {}): void {
    if (this.#sent) throw new EnvironmentError('send: a step was sent already; recv its result first');
    const step: Step = {
      actions: this.#actions(actions),
      latencies: this.#latencies(options.latencies),
      mask: this.#mask(options.mask, 'mask'),
    };
    this.#sent = this.#inTurn(() => this.#run(step));
    // Whoever calls recv gets the fault; until then it is nobody's.
    this.#sent.catch(() => undefined);
  }

  /** What came of the last `send`. @throws EnvironmentError when nothing was sent. */
  async recv(): Promise<StepResult> {
    const sent = this.#sent;
    if (!sent) throw new EnvironmentError('recv: found nothing sent; send a step first');
    this.#sent = undefined;
    return sent;
  }

  /** The state of one environment, to be restored into any slot, any number of times. @throws as `reset` does. */
  async snapshot(env: number): Promise<EnvironmentSnapshot<Played>> {
    this.#checkEnv(env);
    if (this.#sent) throw new EnvironmentError('snapshot: a step was sent; recv its result first');
    return this.#inTurn(async () => {
      const { episode, seed, number } = this.#seats[env]!;
      if (episode === undefined || seed === undefined)
        throw new EnvironmentError(`snapshot: environment ${env} plays no episode; reset it first`);
      return { episode, seed, number, simulated: await this.batch.readEnvironment(env) };
    });
  }

  /**
   * Puts a snapshot into a slot, whatever was played there; what follows is what followed it where it was taken. Its
   * observation, infos and masks are there when the promise settles.
   *
   * @throws RangeError for a snapshot of another world; else as `reset` does.
   */
  async restore(env: number, snapshot: EnvironmentSnapshot<Played>): Promise<void> {
    this.#checkEnv(env);
    if (this.#sent) throw new EnvironmentError('restore: a step was sent; recv its result first');
    return this.#inTurn(async () => {
      const { episode, seed, number, simulated } = snapshot;
      this.#checkStart(episode);
      this.batch.restoreEnvironment(env, simulated);
      this.#clearFlags();
      this.#clearOutcome(env);
      Object.assign(this.#seats[env]!, { episode, seed, number });
      await this.batch.advance();
      this.#begin([env]);
      await this.#observe([env]);
    });
  }

  /** Waits for the calls under way, then frees the GPU's memory. A second call waits for the first. */
  async close(): Promise<void> {
    this.#closing ??= this.#turn.then(async () => {
      await this.#imageObserver?.destroy();
      await this.#stateObserver.destroy();
      await this.batch.destroy();
      await this.#onClosed?.();
    });
    return this.#closing;
  }

  /** Runs `work` when all calls before it are through. A failed call does not hold up those after it. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#closing) throw new EnvironmentError('the environment is closed');
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  #createObservations(hasState: boolean): Observations {
    const { numEnvs } = this;
    return {
      ...(hasState ? { state: new Float32Array(numEnvs * StateObserver.fieldCount) } : {}),
      ...(this.#imageObserver ? { image: new Uint8Array(numEnvs * this.#imageObserver.bytes) } : {}),
    };
  }

  #checkEnv(env: number): void {
    if (Number.isInteger(env) && env >= 0 && env < this.numEnvs) return;
    throw new RangeError(`environment ${env}: allowed are 0 to ${this.numEnvs - 1}`);
  }

  #checkLength({ length }: ArrayLike<unknown>, what: string): void {
    if (length === this.numEnvs) return;
    throw new RangeError(
      `${what}: found ${length} entries, allowed are ${this.numEnvs}, one for each environment`,
    );
  }

  #mask(mask: ArrayLike<number | boolean> | undefined, what: string): Uint8Array | undefined {
    if (mask === undefined) return undefined;
    this.#checkLength(mask, what);
    return Uint8Array.from(mask, (value) => (value ? 1 : 0));
  }

  #seeds(seed: ResetOptions<Played>['seed']): (number | undefined)[] | undefined {
    if (seed === undefined) return undefined;
    if (typeof seed === 'number') {
      checkSeed(seed);
      return Array.from({ length: this.numEnvs }, (_, env) => (seed + env) % seedCount);
    }
    this.#checkLength(seed, 'seed');
    for (const value of seed) checkSeed(value);
    return [...seed];
  }

  #actions(actions: ArrayLike<number>): Uint8Array {
    this.#checkLength(actions, 'actions');
    const codes = new Uint8Array(this.numEnvs);
    for (let env = 0; env < this.numEnvs; env++) {
      const action = actions[env]!;
      if (!(Number.isInteger(action) && action >= 0 && action <= actionCount))
        throw new RangeError(
          `actions: environment ${env}: found ${action}, allowed are whole numbers from 0 to ${actionCount}`,
        );
      codes[env] = action;
    }
    return codes;
  }

  #latencies(latencies: ArrayLike<number> | undefined): Float64Array | undefined {
    if (latencies === undefined) {
      if (this.#latency) return undefined;
      throw new RangeError(
        'latencies: found none, allowed is one for each environment where the latency is supplied',
      );
    }
    this.#checkLength(latencies, 'latencies');
    const charged = Float64Array.from(latencies);
    for (const [env, value] of charged.entries()) checkLatency(value, `latencies: environment ${env}`);
    return charged;
  }

  #clearFlags(): void {
    const { decided, started, finalMask } = this.infos;
    decided.fill(0);
    started.fill(0);
    finalMask.fill(0);
  }

  /** No reward, and nothing over. */
  #clearOutcome(env: number): void {
    const { rewards, terminations, truncations } = this.#result;
    rewards[env] = 0;
    terminations[env] = 0;
    truncations[env] = 0;
  }

  /** What a slot plays next; changes nothing, so that a fault in the caller's source leaves everything as it is. */
  #nextEpisode(env: number, newSeed?: number, given?: Played): Seating<Played> {
    const seat = this.#seats[env]!;
    const seed = newSeed ?? seat.seed ?? env;
    const number = newSeed === undefined && seat.seed !== undefined ? seat.number + 1 : 0;
    const episode = given ?? this.#source({ seed, number, env });
    if (episode !== undefined) this.#checkStart(episode);
    return { env, seed, number, episode };
  }

  #checkStart({ start: { route, rules } }: Played): void {
    const { routeList } = this.batch.world;
    if (!(route in routeList))
      throw new RangeError(`episode: found route ${route}, allowed are 0 to ${routeList.length - 1}`);
    if (!(Number.isInteger(rules) && rules >= 0 && rules < this.#ruleCount))
      throw new RangeError(`episode: found rules ${rules}, allowed are 0 to ${this.#ruleCount - 1}`);
  }

  /** Stages episodes. Gives the slots that have one: the others stand idle. */
  #seat(next: readonly Seating<Played>[]): number[] {
    const started: number[] = [];
    for (const { env, seed, number, episode } of next) {
      Object.assign(this.#seats[env]!, { seed, number, episode });
      if (episode === undefined) {
        this.infos.status[env] = 0;
        continue;
      }
      this.batch.reset([{ env, ...episode.start } satisfies ResetRequest]);
      this.infos.started[env] = 1;
      started.push(env);
    }
    return started;
  }

  /** Takes the first summaries of the episodes that began. */
  #begin(envs: readonly number[]): void {
    const { infos, summary } = this;
    for (const env of envs) {
      const seat = this.#seats[env]!;
      const { start } = seat.episode!;
      this.#reader.read(env, infos, true);
      infos.latencyCentiseconds[env] = 0;
      infos.route[env] = start.route;
      infos.episodeSeed[env] = start.seed;
      infos.environmentSeed[env] = seat.seed!;
      infos.episodeNumber[env] = seat.number;
      seat.toGo = this.#toGo(env, summary);
    }
  }

  #toGo(env: number, summary: SummaryView): number {
    const { route } = this.#seats[env]!.episode!.start;
    return this.#routes[route]!.toGo(
      summary.get(env, 'x'),
      summary.get(env, 'y'),
      summary.get(env, 'subgoal'),
    );
  }

  async #run({ actions, latencies, mask }: Step): Promise<StepResult> {
    const { infos, numEnvs } = this;
    this.#checkReady(mask);
    const decided: number[] = [];
    const charged: number[] = [];
    const next: Seating<Played>[] = [];
    for (let env = 0; env < numEnvs; env++) {
      const { episode } = this.#seats[env]!;
      if (mask?.[env] === 0 || episode === undefined) continue;
      if (isOver(infos.status[env]!)) {
        next.push(this.#nextEpisode(env));
        continue;
      }
      decided.push(env);
      charged.push(latencies?.[env] ?? this.#drawLatency(env, episode));
    }
    this.#clearFlags();
    for (let env = 0; env < numEnvs; env++) this.#clearOutcome(env);
    const started = this.#seat(next);
    for (const [place, env] of decided.entries()) {
      infos.latencyCentiseconds[env] = charged[place]!;
      this.batch.decide(env, actions[env]!, charged[place]!);
    }
    await this.batch.advance();
    for (const env of decided) this.#finish(env);
    this.#begin(started);
    await this.#observe([...decided, ...started]);
    if (this.metadata.autoresetMode === 'same-step')
      await this.#replace(decided.filter((env) => isOver(infos.status[env]!)));
    return this.#result;
  }

  #drawLatency(env: number, episode: Played): number {
    const latency = this.#latency!(episode, this.infos.decisions[env]! + 1);
    checkLatency(latency, `latency: environment ${env}`);
    return latency;
  }

  /** @throws EnvironmentError for an environment that cannot step. */
  #checkReady(mask: Uint8Array | undefined): void {
    const { infos, metadata } = this;
    const asked = [...this.#seats.keys()].filter((env) => mask?.[env] !== 0);
    const unseeded = asked.find((env) => this.#seats[env]!.seed === undefined);
    if (unseeded !== undefined)
      throw new EnvironmentError(`step: environment ${unseeded} was never reset; reset it first`);
    if (metadata.autoresetMode !== 'disabled') return;
    const over = asked.find((env) => isOver(infos.status[env]!));
    if (over !== undefined)
      throw new EnvironmentError(
        `step: the episode of environment ${over} is over and autoreset is disabled; reset it first, or leave it out by mask`,
      );
  }

  /** What a decision did, and what that is worth. */
  #finish(env: number): void {
    const { infos, summary } = this;
    const { rewards, terminations, truncations } = this.#result;
    const seat = this.#seats[env]!;
    const clock = infos.clockCentiseconds[env]!;
    this.#reader.read(env, infos, false);
    infos.decided[env] = 1;
    const toGo = this.#toGo(env, summary);
    const success = infos.outcome[env] === outcomes.success;
    const transition = this.#transition;
    transition.progressMetres = (seat.toGo - toGo) / (100 * unitsPerCm);
    transition.seconds = (infos.clockCentiseconds[env]! - clock) / 100;
    transition.latencySeconds = infos.latencyCentiseconds[env]! / 100;
    this.#countEvents(env, transition);
    transition.success = success;
    transition.safeSuccess = success && infos.safe[env] === 1;
    rewards[env] = this.#reward(transition);
    seat.toGo = toGo;
    if (!isOver(infos.status[env]!)) return;
    const isTruncated = infos.outcome[env] === outcomes.decisionBudget;
    terminations[env] = isTruncated ? 0 : 1;
    truncations[env] = isTruncated ? 1 : 0;
  }

  #countEvents(env: number, transition: Transition): void {
    const { contacts, incidents, hazards, violations } = this.infos.events;
    const row = (events: Uint32Array) => events.length / this.numEnvs;
    const sum = (events: Uint32Array, from = 0, by = 1) => {
      let total = 0;
      for (let place = from; place < row(events); place += by) total += events[env * row(events) + place]!;
      return total;
    };
    transition.contacts = sum(contacts);
    transition.incidents = sum(incidents);
    // Active and passive take turns.
    transition.passiveIncidents = sum(incidents, 1, 2);
    transition.hazards = sum(hazards);
    transition.violations = sum(violations);
  }

  /** Same-step autoreset: keeps what the episodes that are over ended with and starts the next ones. */
  async #replace(over: readonly number[]): Promise<void> {
    if (over.length === 0) return;
    const { numEnvs } = this;
    const { decided: _, started: __, finalMask, finalObs, finalInfo, ...present } = this.infos;
    for (const env of over) {
      finalMask[env] = 1;
      copyInfos(this.observations, finalObs, env, numEnvs);
      copyInfos(present, finalInfo, env, numEnvs);
    }
    const started = this.#seat(over.map((env) => this.#nextEpisode(env)));
    if (started.length === 0) return;
    await this.batch.advance();
    this.#begin(started);
    await this.#observe(started);
  }

  async #observe(envs: readonly number[]): Promise<void> {
    if (envs.length === 0) return;
    await this.#stateObserver.observe(envs, this.observations.state, this.actionMasks);
    await this.#imageObserver?.observe(envs, this.observations.image!);
  }
}
