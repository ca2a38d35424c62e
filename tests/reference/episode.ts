// The CPU reference simulator: one episode, decision by decision, written from docs/rules.md. Brute force over all shapes
// and all pairs; no grid, no batch, nothing shared with the shaders but the record layout and the random numbers.
import { beginDecision, endExecution, endRecovery, startExecution } from './decision.ts';
import { type Environment, outcomes, statuses } from './environment.ts';
import {
  type Actor,
  actorFields,
  type EnvState,
  envStateWordNames,
  envStateWords,
  type ResetRequest,
  type Rules,
} from './records.ts';
import { resetEnvironment } from './reset.ts';
import { stateHash } from './stateHash.ts';
import { tick } from './tick.ts';
import type { ReferenceTables } from './world.ts';

/**
 * One episode on the CPU.
 *
 * @example
 * const episode = new ReferenceEpisode(world, rules, request);
 * while (!episode.isDone) episode.decide(5, 300);
 */
export class ReferenceEpisode {
  readonly environment: Environment;

  constructor(world: ReferenceTables, rules: Rules, request: ResetRequest) {
    this.environment = resetEnvironment(world, rules, request);
  }

  /** Runs one whole decision, to status 1 or 5. Throws Error when the episode is done. */
  decide(action: number, latencyCentiseconds: number): void {
    const env = this.environment;
    if (env.state.status !== statuses.awaiting) throw new Error('the episode is done and takes no decision');
    beginDecision(env, action, latencyCentiseconds);
    runPhase(env);
    if (!isHit(env)) {
      startExecution(env);
      runPhase(env);
    }
    if (!isHit(env)) {
      endExecution(env);
      runPhase(env);
    }
    if (isHit(env)) env.state.status = statuses.done;
    else endRecovery(env);
    env.state.stateHash = stateHash(env);
  }

  /** Every member of EnvState by name. */
  get state(): EnvState {
    return this.environment.state;
  }

  /** All actor slots: pedestrians, dogs, falling objects, props, vehicles. */
  get actors(): readonly Actor[] {
    return this.environment.actors;
  }

  /** Hash of the state where the last decision ended; 0 before the first. */
  get stateHash(): number {
    return this.state.stateHash;
  }

  get isDone(): boolean {
    return this.state.status === statuses.done;
  }

  /** The words of EnvState in layout order, then those of the actors, slot by slot. [EnvState | slot, field] */
  stateWords(): Uint32Array {
    const actorWords = this.actors.flatMap((actor) => actorFields.map((field) => actor[field] >>> 0));
    return Uint32Array.from([...envStateWords(this.state), ...actorWords]);
  }

  /** A name for each of `stateWords`: `heading`, `trail[3].x`, `dog 1 timer`. */
  stateWordNames(): string[] {
    const { pedestrians, dogs, falling, props, vehicles } = this.environment;
    const slots = Object.entries({
      pedestrian: pedestrians,
      dog: dogs,
      falling,
      prop: props,
      vehicle: vehicles,
    });
    const actorNames = slots.flatMap(([name, actors]) =>
      actors.flatMap((_, index) => actorFields.map((field) => `${name} ${index} ${field}`)),
    );
    return [...envStateWordNames(), ...actorNames];
  }
}

/** Runs the ticks that the phase owes, up to one in which a vehicle hits. */
function runPhase(env: Environment): void {
  while (env.state.phaseTicksLeft > 0 && !isHit(env)) tick(env);
}

function isHit(env: Environment): boolean {
  return env.state.outcome === outcomes.vehicleCollision;
}
