import { expect, test } from 'vitest';
import {
  actorClassNames,
  classBits,
  difficulties,
  difficultyNames,
} from '../../../src/host/episodes/difficulties.ts';
import { actorClasses } from '../../../src/kernels/world.ts';

test('easy, medium and hard activate 60, 80 and 100 % of every class (RT-SAFE paper §2.2)', () => {
  expect([difficulties.easy, difficulties.medium, difficulties.hard].map((entry) => entry.percent)).toEqual([
    60, 80, 100,
  ]);
  for (const name of ['easy', 'medium', 'hard'] as const) {
    expect(classBits(name, [])).toBe(63);
    expect(difficulties[name].speedChoices).toBe(1);
  }
});

test('level0 to level4 add classes one after the other (RT-SAFE protocol §8)', () => {
  const levels = (['level0', 'level1', 'level2', 'level3', 'level4'] as const).map((name) =>
    classBits(name, []),
  );
  const { hazards, conflict, pedestrians, objects, dogs } = actorClasses;
  expect(levels).toEqual([
    hazards | conflict,
    hazards | conflict | pedestrians,
    hazards | conflict | pedestrians | objects,
    hazards | conflict | pedestrians | objects | dogs,
    63,
  ]);
});

test.each(actorClassNames)('%s can be switched off at every difficulty', (name) => {
  for (const difficulty of difficultyNames) {
    expect(classBits(difficulty, [name])).toBe(classBits(difficulty, []) & ~actorClasses[name]);
  }
});
