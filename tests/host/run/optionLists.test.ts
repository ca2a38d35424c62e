import { expect, test } from 'vitest';
import { UsageError } from '../../../src/host/errors.ts';
import {
  parseDifficulties,
  parseModes,
  parseSeeds,
  parseWholeNumber,
  parseWithout,
} from '../../../src/host/run/optionLists.ts';

test('seeds are one, a list or a range, each once', () => {
  expect(parseSeeds('0')).toEqual([0]);
  expect(parseSeeds('3,1,3')).toEqual([3, 1]);
  expect(parseSeeds('0..3,2..5')).toEqual([0, 1, 2, 3, 4, 5]);
  expect(parseSeeds('4294967295')).toEqual([4294967295]);
});

test.each(['', 'a', '-1', '1.5', '3..1', '0..', '..9', '0...3', '4294967296', '0..99999999', '1,,2', 'NaN'])(
  'seeds "%s" are refused in one line',
  (text) => {
    expect(() => parseSeeds(text)).toThrow(UsageError);
    expect(() => parseSeeds(text)).toThrow(/^--seeds: found .*allowed .*$/);
  },
);

test('modes', () => {
  expect(parseModes('both')).toEqual(['static', 'realtime']);
  expect(parseModes('realtime')).toEqual(['realtime']);
  expect(() => parseModes('real')).toThrow('--mode: found "real", allowed is static, realtime or both');
});

test('difficulties and classes are lists of known names', () => {
  expect(parseDifficulties('hard, easy,hard')).toEqual(['hard', 'easy']);
  expect(() => parseDifficulties('hardest')).toThrow(/^--difficulty: found "hardest", allowed .*level4/);
  expect(parseWithout('')).toEqual([]);
  expect(parseWithout('hazards,dogs')).toEqual(['dogs', 'hazards']);
  expect(() => parseWithout('cars')).toThrow(/^--without: found "cars", allowed .*pedestrians/);
});

test.each(['0', '-1', '1.5', '', 'x', '1e3', '999999999999999999'])('--envs %s is refused', (text) => {
  expect(() => parseWholeNumber('--envs', text, 1, 65535)).toThrow(
    `--envs: found "${text}", allowed is a whole number from 1 to 65535`,
  );
});

test('whole numbers at both ends', () => {
  expect(parseWholeNumber('--envs', '1', 1, 65535)).toBe(1);
  expect(parseWholeNumber('--envs', '65535', 1, 65535)).toBe(65535);
});
