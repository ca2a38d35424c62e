// Gymnasium's rules for a vector environment, one slot at a time, over the CPU reference: what every call must give.
import type { AutoresetMode } from '../../../src/kernels/environment/batchEnvironment.ts';
import type { Episode, EpisodeSource } from '../../../src/kernels/environment/episodes.ts';
import { protocolWeights } from '../../../src/kernels/environment/reward.ts';
import type { WorldTables } from '../../../src/kernels/world.ts';
import { statuses } from '../../reference/environment.ts';
import type { ReferenceEpisode } from '../../reference/episode.ts';
import { stateHash } from '../../reference/stateHash.ts';
import { referenceEpisode } from '../support/testWorld.ts';

/** What is compared of one environment after a call. */
export interface Expected {
  decided: number;
  started: number;
  reward: number;
  termination: number;
  truncation: number;
  present: Standing;
  /** Same-step autoreset: of the episode that ended. */
  final: Standing | undefined;
}

export interface Standing {
  readonly seed: number;
  readonly number: number;
  readonly episodeSeed: number;
  readonly stateHash: number;
  readonly clockCentiseconds: number;
  readonly decisions: number;
  readonly outcome: number;
  readonly contacts: readonly number[];
  readonly lastAction: number;
  readonly decisionsLeft: number;
}

/** A slot's episode as the decisions that led to it, from which it can be played again anywhere. */
export interface ModelSnapshot {
  readonly seed: number;
  readonly number: number;
  readonly episode: Episode;
  readonly decisions: readonly (readonly [action: number, latency: number])[];
}

type Slot = { -readonly [Member in keyof ModelSnapshot]: ModelSnapshot[Member] } & {
  reference: ReferenceEpisode;
};

export class EnvironmentIsOver extends Error {}

export class GymnasiumModel {
  readonly #world: WorldTables;
  readonly #mode: AutoresetMode;
  readonly #source: EpisodeSource;
  readonly #latency: (episode: Episode, decision: number) => number;
  readonly #slots: (Slot | undefined)[];

  constructor(
    world: WorldTables,
    numEnvs: number,
    mode: AutoresetMode,
    source: EpisodeSource,
    latency: (episode: Episode, decision: number) => number,
  ) {
    this.#world = world;
    this.#mode = mode;
    this.#source = source;
    this.#latency = latency;
    this.#slots = new Array<Slot | undefined>(numEnvs).fill(undefined);
  }

  reset(seeds: readonly (number | undefined)[], mask: readonly boolean[]): (Expected | undefined)[] {
    return this.#slots.map((slot, env) => {
      if (!mask[env]) return undefined;
      this.#start(
        env,
        seeds[env] ?? slot?.seed ?? env,
        seeds[env] === undefined && slot ? slot.number + 1 : 0,
      );
      return this.#expected(env, { started: 1 });
    });
  }

  /** Undefined for an environment that the mask leaves out. @throws EnvironmentIsOver where Gymnasium would. */
  step(
    actions: readonly number[],
    latencies: readonly number[] | undefined,
    mask: readonly boolean[],
  ): (Expected | undefined)[] {
    if (this.#mode === 'disabled' && this.#slots.some((slot, env) => mask[env] && slot!.reference.isDone))
      throw new EnvironmentIsOver();
    return this.#slots.map((slot, env) => {
      if (!mask[env]) return undefined;
      if (slot!.reference.isDone) {
        this.#start(env, slot!.seed, slot!.number + 1);
        return this.#expected(env, { started: 1 });
      }
      return this.#decide(env, actions[env]!, latencies?.[env]);
    });
  }

  snapshot(env: number): ModelSnapshot {
    const { reference: _, decisions, ...rest } = this.#slots[env]!;
    return { ...rest, decisions: [...decisions] };
  }

  restore(env: number, { decisions, ...rest }: ModelSnapshot): Expected {
    const reference = referenceEpisode(this.#world, rest.episode.start);
    for (const [action, latency] of decisions) reference.decide(action, latency);
    this.#slots[env] = { ...rest, decisions: [...decisions], reference };
    return this.#expected(env, {});
  }

  #start(env: number, seed: number, number: number): void {
    const episode = this.#source({ seed, number, env })!;
    const reference = referenceEpisode(this.#world, episode.start);
    this.#slots[env] = { seed, number, episode, decisions: [], reference };
  }

  #decide(env: number, action: number, given: number | undefined): Expected {
    const slot = this.#slots[env]!;
    const { reference, episode } = slot;
    const latency = given ?? this.#latency(episode, reference.state.decisions + 1);
    const before = this.#worth(slot);
    reference.decide(action, latency);
    slot.decisions = [...slot.decisions, [action, latency]];
    const after = this.#worth(slot);
    const isDone = reference.state.status === statuses.done;
    const { outcome } = reference.state;
    const isSafe = after.incidents + after.hazards + after.violations + after.contacts === 0;
    const { progressLimitMetres: limit, progressPerMetre, collision, hazard, violation } = protocolWeights;
    const progress = Math.max(-limit, Math.min(limit, before.toGoMetres - after.toGoMetres));
    const expected = {
      decided: 1,
      reward:
        progressPerMetre * progress +
        collision * (after.incidents - before.incidents) +
        hazard * (after.hazards - before.hazards) +
        violation * (after.violations - before.violations) +
        (outcome === 1 && isSafe ? protocolWeights.safeSuccess : 0),
      termination: isDone && outcome !== 4 ? 1 : 0,
      truncation: isDone && outcome === 4 ? 1 : 0,
    };
    if (!isDone || this.#mode !== 'same-step') return this.#expected(env, expected);
    const final = this.standing(env);
    this.#start(env, slot.seed, slot.number + 1);
    return this.#expected(env, { ...expected, started: 1, final });
  }

  #worth({ reference: { state, environment } }: Slot) {
    const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
    const { edges, end } = environment.route;
    const points = [...edges.map(({ start }) => start), end].slice(state.subgoal);
    const legs = [{ x: state.x, y: state.y }, ...points];
    const units = legs
      .slice(1)
      .reduce((way, { x, y }, leg) => way + Math.sqrt((x - legs[leg]!.x) ** 2 + (y - legs[leg]!.y) ** 2), 0);
    return {
      toGoMetres: units / 1600,
      contacts: sum(state.contacts),
      incidents: sum(state.incidents),
      hazards: sum(state.hazards),
      violations: sum(state.violations),
    };
  }

  /** What its environment is at. */
  standing(env: number): Standing {
    const { seed, number, episode, reference } = this.#slots[env]!;
    const { state } = reference;
    return {
      seed,
      number,
      episodeSeed: episode.start.seed,
      stateHash: stateHash(reference.environment),
      clockCentiseconds: state.clockCentiseconds,
      decisions: state.decisions,
      outcome: state.outcome,
      contacts: [...state.contacts],
      lastAction: state.action,
      decisionsLeft: episode.start.maxDecisions - state.decisions,
    };
  }

  #expected(env: number, changes: Partial<Expected>): Expected {
    return {
      decided: 0,
      started: 0,
      reward: 0,
      termination: 0,
      truncation: 0,
      final: undefined,
      present: this.standing(env),
      ...changes,
    };
  }
}
