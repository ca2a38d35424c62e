// The one line that every fault in a file becomes.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { UsageError } from '../../../src/host/errors.ts';
import { checkJson, describeJson, jsonPathText } from '../../../src/host/input/jsonFault.ts';
import { parseJson, readTextFile } from '../../../src/host/input/readTextFile.ts';

const folder = mkdtempSync(join(tmpdir(), 'rtsafe-input-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  [[], 'the whole file'],
  [['routes', 0, 'edges', 2], 'routes[0].edges[2]'],
  [[3, 'x'], '[3].x'],
])('path %j', (path, text) => {
  expect(jsonPathText(path)).toBe(text);
});

test.each([
  [undefined, 'nothing'],
  [null, 'null'],
  [Number.NaN, 'NaN'],
  ['a', '"a"'],
  [[1, 2, 3, 4, 5], 'a list of 5'],
  ['x'.repeat(99), `"${'x'.repeat(56)}...`],
])('value %j', (value, text) => {
  expect(describeJson(value)).toBe(text);
});

test('checkJson returns the checked value or names the first fault', () => {
  const schema = z.strictObject({ a: z.number({ error: 'a number' }) }, { error: 'an object with "a"' });
  expect(checkJson(schema, { a: 1 }, 'x')).toEqual({ a: 1 });
  expect(() => checkJson(schema, { a: 'b' }, 'x')).toThrow(
    new UsageError('x: a: found "b", allowed is a number'),
  );
  expect(() => checkJson(schema, { a: 1, b: 2 }, 'x')).toThrow(
    /found the unknown key "b", allowed is an object/,
  );
  expect(() => checkJson(schema, 7, 'x')).toThrow(
    'x: the whole file: found 7, allowed is an object with "a"',
  );
});

test('readTextFile refuses what it cannot read', () => {
  const file = join(folder, 'text');
  writeFileSync(file, 'häuser');
  expect(readTextFile(file, 'a text', 100)).toBe('häuser');
  expect(() => readTextFile(file, 'a text', 3)).toThrow(
    /found a file of 7 bytes, allowed is at most 3 bytes/,
  );
  expect(() => readTextFile('/dev/null', 'a text', 100)).toThrow(
    /found something that is not a file, allowed is a text/,
  );
  expect(() => readTextFile(`${file}-none`, 'a text', 100)).toThrow(/found no such file, allowed is a text/);
});

test('parseJson gives the reason in one line', () => {
  expect(parseJson('[1]', 'x')).toEqual([1]);
  expect(() => parseJson('{\n"a": }', 'x')).toThrow(
    /^x: found text that is not JSON \([^\n]*\), allowed is valid JSON$/,
  );
  expect(() => parseJson(' ', 'x')).toThrow('x: found nothing, allowed is JSON');
});
