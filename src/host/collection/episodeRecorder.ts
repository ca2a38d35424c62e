// Writes an episode down while it is played: one row per observation and per step, in arrays that grow.
import type { NumericArray } from '../datasets/dtype.ts';
import { makeArray } from '../datasets/dtype.ts';
import {
  type Column,
  columnsOf,
  type EpisodeData,
  type EpisodeHeader,
  type EpisodeLayout,
  infoPrefix,
  observationPrefix,
  rowLength,
  rowsOf,
} from '../datasets/episodeData.ts';
import { type CollectedEnvironment, readInfo } from './collectionLayout.ts';

const firstCapacity = 32;

interface GrowingColumn {
  readonly column: Column;
  readonly length: number;
  array: NumericArray;
}

/** What a step came to. */
export interface StepOutcome {
  readonly action: number;
  readonly reward: number;
  readonly termination: number;
  readonly truncation: number;
}

/** One for each slot of the environment, used for one episode after the other. */
export class EpisodeRecorder {
  readonly #env: number;
  readonly #columns: readonly GrowingColumn[];
  readonly #infos: readonly GrowingColumn[];
  readonly #observations: readonly GrowingColumn[];
  #capacity = firstCapacity;
  #steps = 0;
  #return = 0;

  constructor(layout: EpisodeLayout, env: number) {
    this.#env = env;
    this.#columns = columnsOf(layout).map((column) => {
      const length = rowLength(column);
      return { column, length, array: makeArray(column.dtype, length * rowsOf(column, firstCapacity)) };
    });
    const startingWith = (prefix: string) =>
      this.#columns.filter(({ column }) => column.name.startsWith(prefix));
    this.#infos = startingWith(infoPrefix);
    this.#observations = startingWith(observationPrefix);
  }

  get steps(): number {
    return this.#steps;
  }

  /** Takes the first observation of an episode. */
  begin(environment: CollectedEnvironment): void {
    this.#steps = 0;
    this.#return = 0;
    this.#observe(environment);
  }

  /** Takes a step and the observation after it. */
  step(environment: CollectedEnvironment, { action, reward, termination, truncation }: StepOutcome): void {
    this.#reserve(this.#steps + 1);
    const place = this.#steps;
    const values = {
      actions: BigInt(action),
      rewards: reward,
      terminations: termination,
      truncations: truncation,
    };
    for (const { column, array } of this.#columns) {
      if (column.per === 'step') array[place] = values[column.name as keyof typeof values];
    }
    this.#return += reward;
    this.#steps++;
    this.#observe(environment);
  }

  /** The episode so far, in arrays of its own. */
  finish(header: Omit<EpisodeHeader, 'steps' | 'return'>): EpisodeData {
    const arrays = this.#columns.map(({ column, length, array }) => [
      column.name,
      array.slice(0, length * rowsOf(column, this.#steps)),
    ]);
    return {
      header: { ...header, steps: this.#steps, return: this.#return },
      arrays: Object.fromEntries(arrays) as Record<string, NumericArray>,
    };
  }

  #observe(environment: CollectedEnvironment): void {
    const row = this.#steps;
    for (const { column, length, array } of this.#observations) {
      const name = column.name.slice(observationPrefix.length) as keyof typeof environment.observations;
      const source = environment.observations[name]!;
      array.set(
        source.subarray(this.#env * length, (this.#env + 1) * length) as Uint8Array & BigInt64Array,
        row * length,
      );
    }
    for (const { column, length, array } of this.#infos) {
      const target = array.subarray(row * length, (row + 1) * length);
      readInfo(column.name.slice(infoPrefix.length), environment, this.#env, target);
    }
  }

  #reserve(steps: number): void {
    if (steps <= this.#capacity) return;
    this.#capacity *= 2;
    for (const growing of this.#columns) {
      const { column, length, array } = growing;
      growing.array = makeArray(column.dtype, length * rowsOf(column, this.#capacity));
      growing.array.set(array as Uint8Array & BigInt64Array);
    }
  }
}
