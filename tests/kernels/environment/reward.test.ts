// What decisions are worth.
import { expect, test } from 'vitest';
import { namedReward, type RewardChoice, type Transition } from '../../../src/kernels/environment/reward.ts';

const nothing: Transition = {
  progressMetres: 0,
  seconds: 1,
  latencySeconds: 0,
  contacts: 0,
  incidents: 0,
  passiveIncidents: 0,
  hazards: 0,
  violations: 0,
  success: false,
  safeSuccess: false,
};

test.each<[string, Partial<Transition>, number]>([
  ['nothing', {}, 0],
  ['three metres on', { progressMetres: 3 }, 3],
  ['a leap is clipped to the longest move', { progressMetres: 40 }, 4],
  ['and so is a rollback', { progressMetres: -40 }, -4],
  ['one collision, however often it was counted', { incidents: 1, contacts: 9 }, -200],
  ['two at once, one of them passive', { incidents: 2, passiveIncidents: 1 }, -400],
  ['a trip', { hazards: 1 }, -20],
  ['a red light', { violations: 1 }, -200],
  ['an unsafe arrival', { success: true, progressMetres: 2 }, 2],
  ['a safe arrival', { success: true, safeSuccess: true, progressMetres: 2 }, 102],
])('protocol: %s', (_, changes, expected) => {
  expect(namedReward({ name: 'protocol' }).reward({ ...nothing, ...changes })).toBe(expected);
});

test('every term of protocol can be set, alone', () => {
  const transition = {
    ...nothing,
    progressMetres: 9,
    seconds: 5,
    incidents: 1,
    hazards: 2,
    violations: 3,
    success: true,
    safeSuccess: true,
  };
  const silent = {
    progressPerMetre: 0,
    progressLimitMetres: 8,
    success: 0,
    safeSuccess: 0,
    collision: 0,
    hazard: 0,
    violation: 0,
    second: 0,
  };
  const terms = {
    progressPerMetre: 8,
    success: 1,
    safeSuccess: 1,
    collision: 1,
    hazard: 2,
    violation: 3,
    second: 5,
  };
  for (const [term, expected] of Object.entries(terms)) {
    const { reward } = namedReward({ name: 'protocol', weights: { ...silent, [term]: 1 } });
    expect([term, reward(transition)]).toEqual([term, expected]);
  }
});

test('score: contacts, hazards, ten times violations', () => {
  const { name, weights, reward } = namedReward({ name: 'score', weights: { violation: -5 } });
  expect({ name, weights }).toEqual({ name: 'score', weights: { contact: -1, hazard: -1, violation: -5 } });
  expect(
    reward({ ...nothing, contacts: 3, incidents: 1, hazards: 2, violations: 1, progressMetres: 4 }),
  ).toBe(-10);
});

test.each<[unknown, string]>([
  [{ name: 'fame' }, 'reward: found "fame", allowed are protocol, score or a function'],
  [
    { name: 'score', weights: { fame: 1 } },
    'reward score: found the term fame, allowed are contact, hazard, violation',
  ],
  [
    { name: 'score', weights: { hazard: Number.NaN } },
    'reward score: hazard: found NaN, allowed are finite numbers',
  ],
])('%j is refused', (choice, message) => {
  expect(() => namedReward(choice as RewardChoice)).toThrow(new RangeError(message));
});
