// One environment: its fixed rules and route, and the state and actors that the systems of the tick change.
import { randomU32 } from '../../src/kernels/random.ts';
import { actorClasses } from '../../src/kernels/world.ts';
import type { Vector } from './numbers.ts';
import type { Actor, EnvState, Rules } from './records.ts';
import type { RouteWorld } from './world.ts';

export interface Environment {
  readonly rules: Rules;
  readonly route: RouteWorld;
  readonly state: EnvState;
  readonly pedestrians: readonly Actor[];
  readonly dogs: readonly Actor[];
  readonly falling: readonly Actor[];
  readonly props: readonly Actor[];
  readonly vehicles: readonly Actor[];
  /** Pedestrians and dogs, in slot order. */
  readonly walkers: readonly Actor[];
  /** All slots in order. */
  readonly actors: readonly Actor[];
}

/** `status` of an EnvState. */
export const statuses = { awaiting: 1, planning: 2, executing: 3, recovering: 4, done: 5 } as const;

/** `outcome` of an EnvState. */
export const outcomes = {
  none: 0,
  success: 1,
  vehicleCollision: 2,
  repeatedBuildingCollision: 3,
  decisionBudget: 4,
} as const;

/** First key of a random draw (docs/rules.md, section 1). */
export const purposes = {
  pedestrianPlacement: 1,
  pedestrianSpeed: 2,
  dogRank: 3,
  fallingRank: 4,
  movableRank: 5,
  fallingDelay: 6,
  conflictLaunch: 7,
} as const;

/** Bits of an actor's `status`. */
export const actorBits = { present: 1, touching: 2, held: 4, movable: 4 } as const;

export function agentPosition(state: EnvState): Vector {
  return { x: state.x, y: state.y };
}

export function isPresent(actor: Actor): boolean {
  return (actor.status & actorBits.present) !== 0;
}

export function isTouching(actor: Actor): boolean {
  return (actor.status & actorBits.touching) !== 0;
}

/** Sets or clears one bit of an actor's status. */
export function setBit(actor: Actor, bit: number, on: boolean): void {
  actor.status = on ? actor.status | bit : actor.status & ~bit;
}

/** Whether the episode has the actors or patches of a class. */
export function hasClass(state: EnvState, name: keyof typeof actorClasses): boolean {
  return (state.classes & actorClasses[name]) !== 0;
}

/** The episode's random u32 for a purpose, entity and counter. */
export function draw(state: EnvState, purpose: number, entity: number, counter: number): number {
  return randomU32(state.seed, purpose, entity, counter);
}
