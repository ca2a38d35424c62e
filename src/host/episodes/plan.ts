// The list of episodes of a run: the full product of its axes, in one canonical order. An episode is described
// completely by its own condition, so that any mix of them can run in one batch.
import type { ActorClass, Difficulty } from './difficulties.ts';
import type { Mode } from './modes.ts';
import { type Shard, shardIndexOf } from './shard.ts';

/** Everything but the route and the seed: episodes that differ in these only are averaged together. */
export interface Condition {
  readonly profile: string;
  readonly policy: string;
  readonly latency: string;
  readonly difficulty: Difficulty;
  readonly mode: Mode;
}

/** All that names an episode within a run. */
export interface EpisodeKey extends Condition {
  readonly map: string;
  readonly route: number;
  readonly seed: number;
}

export interface PlannedEpisode extends EpisodeKey {
  /** Its place in the plan's order. */
  readonly index: number;
}

/** The axes of a run, each with at least one entry and no entry twice. */
export interface PlanAxes {
  readonly profiles: readonly string[];
  readonly policies: readonly string[];
  readonly latencies: readonly string[];
  readonly difficulties: readonly Difficulty[];
  readonly modes: readonly Mode[];
  readonly seeds: readonly number[];
  readonly routes: readonly { readonly map: string; readonly route: number }[];
  /** Caps every route's own decision budget; null leaves it. */
  readonly maxDecisions: number | null;
  /** Actor classes switched off everywhere. */
  readonly without: readonly ActorClass[];
}

function placesOf<Value>(values: readonly Value[]): Map<Value, number> {
  return new Map(values.map((value, place) => [value, place]));
}

/** `rt10:0` */
export function routeName(map: string, route: number): string {
  return `${map}:${route}`;
}

/** An episode in words, for messages: `rt10:0 hard realtime rt-safe seed 0 greedy fixed:3`. */
export function episodeName(key: EpisodeKey): string {
  const { map, route, difficulty, mode, profile, seed, policy, latency } = key;
  return `${routeName(map, route)} ${difficulty} ${mode} ${profile} seed ${seed} ${policy} ${latency}`;
}

/**
 * Episodes are computed from their place, never stored: a plan of a million episodes costs nothing. A plan with a shard
 * holds only the shard's episodes; their places stay those in the whole.
 *
 * @example for (const episode of plan.episodes()) run(episode);
 */
export class RunPlan {
  readonly axes: PlanAxes;
  readonly shard: Shard | undefined;
  /** Episodes of all shards together: places run from 0 to `gridSize` - 1. */
  readonly gridSize: number;
  /** Episodes that this plan holds. */
  readonly size: number;
  readonly #places: readonly Map<string | number, number>[];
  readonly #lengths: readonly number[];

  constructor(axes: PlanAxes, shard?: Shard) {
    this.axes = axes;
    this.shard = shard;
    // The route varies fastest, the profile slowest.
    this.#places = [
      placesOf(axes.profiles),
      placesOf(axes.policies),
      placesOf(axes.latencies),
      placesOf(axes.difficulties),
      placesOf(axes.modes),
      placesOf(axes.seeds),
      placesOf(axes.routes.map(({ map, route }) => routeName(map, route))),
    ] as Map<string | number, number>[];
    this.#lengths = this.#places.map((places) => places.size);
    this.gridSize = this.#lengths.reduce((product, length) => product * length, 1);
    const { index, of } = shard ?? { index: 0, of: 1 };
    // As many as there are numbers below gridSize that leave the remainder `index`.
    this.size = Math.ceil((this.gridSize - index) / of);
  }

  /** Whether the plan holds the episode at a place. */
  holds(index: number): boolean {
    return this.shard === undefined || shardIndexOf(index, this.gridSize, this.shard.of) === this.shard.index;
  }

  /** All episodes that the plan holds, in order. */
  *episodes(): Generator<PlannedEpisode> {
    for (let index = 0; index < this.gridSize; index++) if (this.holds(index)) yield this.at(index);
  }

  /** The episodes of one route, by its place in the axis, in the plan's order. */
  *episodesOf(route: number): Generator<PlannedEpisode> {
    const routes = this.axes.routes.length;
    for (let index = route; index < this.gridSize; index += routes)
      if (this.holds(index)) yield this.at(index);
  }

  /** The episode at a place from 0 to gridSize - 1, whether or not this plan holds it. */
  at(index: number): PlannedEpisode {
    let rest = index;
    const digits = new Array<number>(this.#lengths.length);
    for (let axis = this.#lengths.length - 1; axis >= 0; axis--) {
      const length = this.#lengths[axis]!;
      digits[axis] = rest % length;
      rest = Math.floor(rest / length);
    }
    const { axes } = this;
    const { map, route } = axes.routes[digits[6]!]!;
    return {
      index,
      map,
      route,
      profile: axes.profiles[digits[0]!]!,
      policy: axes.policies[digits[1]!]!,
      latency: axes.latencies[digits[2]!]!,
      difficulty: axes.difficulties[digits[3]!]!,
      mode: axes.modes[digits[4]!]!,
      seed: axes.seeds[digits[5]!]!,
    };
  }

  /** The place of an episode, undefined when the plan does not hold it. */
  indexOf(key: EpisodeKey): number | undefined {
    const values = [
      key.profile,
      key.policy,
      key.latency,
      key.difficulty,
      key.mode,
      key.seed,
      routeName(key.map, key.route),
    ];
    let index = 0;
    for (let axis = 0; axis < values.length; axis++) {
      const place = this.#places[axis]!.get(values[axis]!);
      if (place === undefined) return undefined;
      index = index * this.#lengths[axis]! + place;
    }
    return this.holds(index) ? index : undefined;
  }
}
