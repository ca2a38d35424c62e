// Reads the whole state of all environments by name, after one readback: what policies with privileged knowledge see.
import type { StructLayout } from './layout.ts';
import { actorWords } from './world.ts';

/** Place of each field of an actor (docs/rules.md, section 3). */
export const actorFields = { x: 0, y: 1, link: 2, along: 3, speed: 4, status: 5, timer: 6, mark: 7 } as const;

/** An actor is stored as two halves of so many fields. */
const halfWords = 4;

/** The states of a batch as they stood at the last readback. Words are signed; add `>>> 0` where a member is u32. */
export class EnvironmentsView {
  readonly stateLayout: StructLayout;
  /** [env, EnvState word] */
  readonly states: Int32Array;
  /** [env / laneBlock, half, slot, env % laneBlock, 4] */
  readonly actors: Int32Array;
  readonly #actorStride: number;
  readonly #laneBlock: number;

  /** `envCount` a multiple of `laneBlock`; `actorStride`: slots of an environment. */
  constructor(stateLayout: StructLayout, envCount: number, actorStride: number, laneBlock: number) {
    this.stateLayout = stateLayout;
    this.#actorStride = actorStride;
    this.#laneBlock = laneBlock;
    this.states = new Int32Array(envCount * stateLayout.words);
    this.actors = new Int32Array(envCount * actorStride * actorWords);
  }

  /**
   * One member of one environment.
   *
   * @throws RangeError for a member that EnvState does not have.
   * @example view.get(0, 'worldTick')
   */
  get(env: number, member: string): number {
    return this.states[env * this.stateLayout.words + this.stateLayout.word(member)]!;
  }

  /** Where in `actors` the first half of an actor begins: x, y, link, along. */
  firstHalf(env: number, slot: number): number {
    const lane = env % this.#laneBlock;
    const block = (env - lane) * this.#actorStride * actorWords;
    return block + (slot * this.#laneBlock + lane) * halfWords;
  }

  /** Words from an actor's first half to its second: speed, status, timer, mark. */
  get halfDistance(): number {
    return this.#actorStride * this.#laneBlock * halfWords;
  }

  /** One field of one actor. @example view.actor(0, 3, 'timer') */
  actor(env: number, slot: number, field: keyof typeof actorFields): number {
    const place = actorFields[field];
    const half = place < halfWords ? 0 : this.halfDistance;
    return this.actors[this.firstHalf(env, slot) + half + (place % halfWords)]!;
  }
}
