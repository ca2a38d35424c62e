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

test('a schema without words of its own never speaks in those of the package that checks it', () => {
  const schema = z.object({
    text: z.string(),
    count: z.int().min(1).max(9),
    list: z.array(z.boolean()),
    kind: z.enum(['a', 'b']),
    either: z.union([z.string(), z.boolean()]),
  });
  const good = { text: 'a', count: 1, list: [true], kind: 'a', either: true };
  const said = (changes: object) => () => checkJson(schema, { ...good, ...changes }, 'x');
  expect(said({ text: 1 })).toThrow('x: text: found 1, allowed is a text');
  expect(said({ count: 1.5 })).toThrow('x: count: found 1.5, allowed is a whole number');
  expect(said({ count: 0 })).toThrow('x: count: found 0, allowed is at least 1');
  expect(said({ count: 10 })).toThrow('x: count: found 10, allowed is at most 9');
  expect(said({ list: {} })).toThrow('x: list: found {}, allowed is a list');
  expect(said({ list: [0] })).toThrow('x: list[0]: found 0, allowed is true or false');
  expect(said({ kind: 'c' })).toThrow('x: kind: found "c", allowed is "a" or "b"');
  expect(said({ either: 1 })).toThrow('x: either: found 1, allowed is a value of another form');
  expect(() => checkJson(schema, null, 'x')).toThrow('x: the whole file: found null, allowed is an object');
});

test('a member __proto__ is refused however it is spelt and wherever it is', () => {
  for (const text of ['{"__proto__": {}}', '[1, {"a": [{"__proto__": 1}]}]', '{"\\u005f_proto__": 1}'])
    expect(() => parseJson(text, 'x')).toThrow('x: found the member "__proto__", allowed is any other name');
  expect(parseJson('{"text": "__proto__"}', 'x')).toEqual({ text: '__proto__' });
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
