// The plain objects have the members of layout.wgsl, and the state hash covers what it should.
import { expect, test } from 'vitest';
import { mismatchTable } from './mismatches.ts';
import { actorFields, emptyEnvState, envStateLayout, envStateWordNames, layoutOf } from './records.ts';
import { stateHash } from './stateHash.ts';
import { plainRules, tinyEpisode } from './tinyWorld.ts';

const walk = {
  corners: [
    [0, 0],
    [5000, 0],
  ],
} as const;
const crowd = {
  ...walk,
  pedestrianPaths: [
    [
      [0, 1000],
      [5000, 1000],
    ],
  ],
  pedestrianCount: 2,
} as const;

test('the rules are the members of Rules', () => {
  const members = layoutOf('Rules').members.map(({ name }) => name);
  expect(Object.keys(plainRules)).toEqual(members.filter((name) => !name.startsWith('spare')));
});

test('the state has the members of EnvState, in order', () => {
  expect(Object.keys(emptyEnvState())).toEqual(envStateLayout.members.map(({ name }) => name));
});

test('there is a word and a name for each word of the state and each actor field', () => {
  const episode = tinyEpisode(crowd);
  const actorWords = (2 + 3) * actorFields.length;
  expect(envStateWordNames()).toHaveLength(envStateLayout.words);
  expect(episode.stateWords()).toHaveLength(envStateLayout.words + actorWords);
  const names = episode.stateWordNames();
  expect(names).toHaveLength(envStateLayout.words + actorWords);
  episode.state.trail[39]!.subgoal = 9;
  episode.state.contacts[3] = 8;
  episode.state.hazardX = -5;
  episode.environment.vehicles[2]!.mark = 7;
  const words = episode.stateWords();
  expect(words[names.indexOf('trail[39].subgoal')]).toBe(9);
  expect(words[names.indexOf('contacts[3]')]).toBe(8);
  expect(words[names.indexOf('hazardX')]).toBe(0xfffffffb);
  expect(words[names.indexOf('vehicle 2 mark')]).toBe(7);
});

test('the hash covers every word from status on and every actor field, and nothing before', () => {
  const episode = tinyEpisode(crowd);
  const env = episode.environment;
  const before = stateHash(env);
  env.state.hashPending = 1;
  env.state.stateHash = 99;
  env.state.seed++;
  expect(stateHash(env)).toBe(before);

  const seen = new Set([before]);
  env.state.status++;
  seen.add(stateHash(env));
  env.state.impactSum++;
  seen.add(stateHash(env));
  env.state.trail[39]!.subgoal++;
  seen.add(stateHash(env));
  for (const actor of env.actors) {
    for (const field of actorFields) {
      actor[field]++;
      seen.add(stateHash(env));
    }
  }
  expect(seen.size).toBe(1 + 3 + env.actors.length * actorFields.length);
});

test('the mismatch table shows index, name, actual and expected', () => {
  const names = ['status', 'x', 'y'];
  expect(mismatchTable(names, Uint32Array.of(1, 2, 3), Uint32Array.of(1, 2, 3))).toBe('');
  const table = mismatchTable(names, Uint32Array.of(1, 0xffffffff), Uint32Array.of(1, 2, 3));
  expect(table.split('\n').map((line) => line.split(/\s+/))).toEqual([
    ['index', 'name', 'actual', 'expected'],
    ['1', 'x', '-1', '2'],
    ['2', 'y', 'missing', '3'],
  ]);
});
