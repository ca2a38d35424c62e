// What a difficulty switches on. easy, medium and hard activate nested shares of every actor class (RT-SAFE paper
// §2.2); level0 to level4 add the classes one after the other (RT-SAFE protocol §8).
import { actorClasses } from '../../kernels/world.ts';

export type ActorClass = keyof typeof actorClasses;

/** In the order the command line lists them. */
export const actorClassNames = [
  'hazards',
  'pedestrians',
  'dogs',
  'objects',
  'falling',
  'conflict',
] as const satisfies readonly ActorClass[];

export interface DifficultyRules {
  /** Share of each actor class that is active. */
  readonly percent: 60 | 80 | 100;
  /** 1: pedestrians at 1 m/s; 3: at 1, 1.5 or 2 m/s. */
  readonly speedChoices: 1 | 3;
  readonly classes: readonly ActorClass[];
}

const level0: readonly ActorClass[] = ['hazards', 'conflict'];

export const difficulties = {
  easy: { percent: 60, speedChoices: 1, classes: actorClassNames },
  medium: { percent: 80, speedChoices: 1, classes: actorClassNames },
  hard: { percent: 100, speedChoices: 1, classes: actorClassNames },
  level0: { percent: 100, speedChoices: 1, classes: level0 },
  level1: { percent: 100, speedChoices: 1, classes: [...level0, 'pedestrians'] },
  level2: { percent: 100, speedChoices: 3, classes: [...level0, 'pedestrians', 'objects'] },
  level3: { percent: 100, speedChoices: 3, classes: [...level0, 'pedestrians', 'objects', 'dogs'] },
  level4: { percent: 100, speedChoices: 3, classes: actorClassNames },
} as const satisfies Record<string, DifficultyRules>;

export type Difficulty = keyof typeof difficulties;

export const difficultyNames = Object.keys(difficulties) as Difficulty[];

/**
 * The bit set for `ResetRequest.classes`: the difficulty's classes less those that are switched off.
 *
 * @example classBits('hard', ['hazards']) // 47
 */
export function classBits(difficulty: Difficulty, without: readonly ActorClass[]): number {
  const classes: readonly ActorClass[] = difficulties[difficulty].classes;
  return classes.reduce((bits, name) => (without.includes(name) ? bits : bits | actorClasses[name]), 0);
}
