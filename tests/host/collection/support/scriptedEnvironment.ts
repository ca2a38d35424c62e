// An environment without a GPU behind a collection: its episodes are random numbers that depend on the episode, the step and
// the actions taken, and it keeps what it gave, for tests to hold datasets against.

import type { CollectedEpisode } from '../../../../src/host/collection/collectEpisodes.ts';
import type { OpenEnvironment } from '../../../../src/host/collection/executeCollection.ts';
import type { EpisodeSource } from '../../../../src/kernels/environment/episodes.ts';
import { stateFields } from '../../../../src/kernels/environment/stateFields.ts';
import { pcg } from '../../../../src/kernels/random.ts';

const actionCount = 16;
const counters = { contacts: 8, incidents: 8, hazards: 3, violations: 2, conflicts: 2 };

/** What the environment gave for one observation. */
export interface Given {
  readonly state: readonly number[];
  readonly image: readonly number[];
  readonly clockCentiseconds: number;
  readonly latencyCentiseconds: number;
  readonly stateHash: number;
  readonly mask: readonly number[];
  readonly events: Readonly<Record<string, readonly number[]>>;
  /** Of the step that led here; undefined for the first. */
  readonly step:
    | {
        readonly action: number;
        readonly reward: number;
        readonly termination: number;
        readonly truncation: number;
      }
    | undefined;
}

/** By the episode's place in the plan. */
export type GivenEpisodes = Map<number, Given[]>;

/** Steps of an episode; every third is truncated. */
export function scriptedSteps(index: number): number {
  return 1 + ((index * 7) % 40);
}

class ScriptedEnvironment {
  readonly numEnvs: number;
  readonly observations: { state: Float32Array<ArrayBuffer>; image: Uint8Array<ArrayBuffer> };
  readonly actionMasks: Uint8Array;
  readonly infos;
  readonly #rewards: Float32Array;
  readonly #terminations: Uint8Array;
  readonly #truncations: Uint8Array;
  readonly #episodes: (CollectedEpisode | undefined)[];
  readonly #words: Uint32Array;
  readonly #steps: Uint32Array;
  readonly #source: EpisodeSource<CollectedEpisode>;
  readonly #pixels: number;
  readonly #given: GivenEpisodes;
  readonly #onStep: () => Promise<void>;

  constructor(
    numEnvs: number,
    source: EpisodeSource<CollectedEpisode>,
    pixels: number,
    given: GivenEpisodes,
    onStep: () => Promise<void>,
  ) {
    this.numEnvs = numEnvs;
    this.#source = source;
    this.#pixels = pixels;
    this.#given = given;
    this.#onStep = onStep;
    this.observations = {
      state: new Float32Array(numEnvs * stateFields.length),
      image: new Uint8Array(numEnvs * pixels),
    };
    this.actionMasks = new Uint8Array(numEnvs * actionCount);
    const words = () => new Uint32Array(numEnvs);
    this.infos = {
      clockCentiseconds: words(),
      latencyCentiseconds: words(),
      stateHash: words(),
      outcome: words(),
      started: new Uint8Array(numEnvs),
      events: Object.fromEntries(
        Object.entries(counters).map(([name, count]) => [name, new Uint32Array(numEnvs * count)]),
      ),
    };
    this.#rewards = new Float32Array(numEnvs);
    this.#terminations = new Uint8Array(numEnvs);
    this.#truncations = new Uint8Array(numEnvs);
    this.#episodes = new Array<CollectedEpisode | undefined>(numEnvs);
    this.#words = words();
    this.#steps = words();
  }

  readonly summary = {
    get: (env: number, member: string): number => {
      if (member === 'subgoal') return 1;
      if (member === 'decisions') return this.#steps[env]!;
      if (member === 'clockCentiseconds') return this.infos.clockCentiseconds[env]!;
      return (this.#words[env]! + pcg(member.length)) % 3600;
    },
  };

  episode(env: number): CollectedEpisode | undefined {
    return this.#episodes[env];
  }

  #next(env: number): number {
    this.#words[env] = pcg(this.#words[env]!);
    return this.#words[env];
  }

  #begin(env: number): void {
    const episode = this.#source({ seed: env, number: 0, env });
    this.#episodes[env] = episode;
    if (episode === undefined) return;
    this.#words[env] = pcg(episode.planned.index + 1);
    this.#steps[env] = 0;
    this.infos.started[env] = 1;
    this.infos.latencyCentiseconds[env] = 0;
    this.infos.clockCentiseconds[env] = 0;
    this.infos.outcome[env] = 0;
    this.#given.set(episode.planned.index, []);
    this.#observe(env, undefined);
  }

  #observe(env: number, step: Given['step']): void {
    const { state, image } = this.observations;
    const fields = stateFields.length;
    for (let field = 0; field < fields; field++) state[env * fields + field] = (this.#next(env) % 1000) / 8;
    for (let byte = 0; byte < this.#pixels; byte++) image[env * this.#pixels + byte] = this.#next(env) % 256;
    for (let action = 0; action < actionCount; action++) {
      this.actionMasks[env * actionCount + action] = this.#next(env) % 2;
    }
    for (const [name, count] of Object.entries(counters)) {
      const events = this.infos.events[name]!;
      for (let place = 0; place < count; place++) {
        events[env * count + place] = step === undefined ? 0 : this.#next(env) % 3;
      }
    }
    this.infos.stateHash[env] = this.#next(env);
    this.#given.get(this.#episodes[env]!.planned.index)!.push({
      state: Array.from(state.subarray(env * fields, (env + 1) * fields)),
      image: Array.from(image.subarray(env * this.#pixels, (env + 1) * this.#pixels)),
      clockCentiseconds: this.infos.clockCentiseconds[env]!,
      latencyCentiseconds: this.infos.latencyCentiseconds[env]!,
      stateHash: this.infos.stateHash[env],
      mask: Array.from(this.actionMasks.subarray(env * actionCount, (env + 1) * actionCount)),
      events: Object.fromEntries(
        Object.entries(counters).map(([name, count]) => [
          name,
          Array.from(this.infos.events[name]!.subarray(env * count, (env + 1) * count)),
        ]),
      ),
      step,
    });
  }

  async reset() {
    for (let env = 0; env < this.numEnvs; env++) this.#begin(env);
    return this.#result();
  }

  async step(actions: ArrayLike<number>) {
    await this.#onStep();
    this.infos.started.fill(0);
    for (let env = 0; env < this.numEnvs; env++) {
      const episode = this.#episodes[env];
      if (episode === undefined) continue;
      if (this.infos.outcome[env] !== 0) {
        this.#begin(env);
        continue;
      }
      const action = actions[env]!;
      this.#words[env] = pcg(this.#words[env]! ^ action);
      const steps = ++this.#steps[env]!;
      const isOver = steps === scriptedSteps(episode.planned.index);
      const isTruncated = isOver && episode.planned.index % 3 === 0;
      this.infos.outcome[env] = isOver ? (isTruncated ? 4 : 1) : 0;
      const latency = this.#next(env) % 500;
      this.infos.latencyCentiseconds[env] = latency;
      this.infos.clockCentiseconds[env]! += latency + 100;
      const reward = (this.#next(env) % 64) / 4;
      const termination = isOver && !isTruncated ? 1 : 0;
      const truncation = isTruncated ? 1 : 0;
      this.#rewards[env] = reward;
      this.#terminations[env] = termination;
      this.#truncations[env] = truncation;
      this.#observe(env, { action, reward, termination, truncation });
    }
    return this.#result();
  }

  #result() {
    return {
      observations: this.observations,
      infos: this.infos,
      rewards: this.#rewards,
      terminations: this.#terminations,
      truncations: this.#truncations,
    };
  }
}

/** In place of `environmentOn`. What each episode gave is put into `given`; `onStep` is waited for before every step. */
export function openScripted(
  given: GivenEpisodes = new Map(),
  onStep: () => Promise<void> = () => Promise.resolve(),
): OpenEnvironment {
  return ({ imagePixels }, environments, episodes) => {
    const environment = new ScriptedEnvironment(environments, episodes, imagePixels ** 2 * 3, given, onStep);
    return Promise.resolve({
      environment: environment as never,
      adapter: { description: 'scripted' },
      close: () => Promise.resolve(),
    });
  };
}
