// The record layouts: what the host reads out of layout.wgsl against another reader of WGSL.
import { describe, expect, test } from 'vitest';
import { type ArrayInfo, WgslReflect } from 'wgsl_reflect/wgsl_reflect.module.js';
import { layoutSource } from '../../src/host/shaderFiles.ts';
import { addressByWord, recordReader, signedWords, structLayout } from '../../src/kernels/layout.ts';

const source = layoutSource();
const reflected = new WgslReflect(source);
const bytesPerWord = 4;

test('every record of layout.wgsl is there', () => {
  const names = reflected.structs.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(['Rules', 'Route', 'Shape', 'PathSegment', 'ResetRequest', 'Decision']),
  );
  expect(names).toEqual(expect.arrayContaining(['EnvState', 'Checkpoint', 'Summary']));
});

describe.each(reflected.structs.map((struct) => ({ name: struct.name, struct })))('$name', ({ struct }) => {
  const layout = structLayout(source, struct.name);

  test('has the members, places and sizes that another reader finds', () => {
    expect(layout.words * bytesPerWord).toBe(struct.size);
    expect(layout.members.map(({ name, word, words }) => ({ name, word, words }))).toEqual(
      struct.members.map(({ name, offset, size }) => ({
        name,
        word: offset / bytesPerWord,
        words: size / bytesPerWord,
      })),
    );
  });

  test('knows which members are signed', () => {
    expect(layout.members.map(({ signed }) => signed)).toEqual(
      struct.members.map(({ type }) => (type.isArray ? (type as ArrayInfo).format : type).name === 'i32'),
    );
  });

  test('finds each member by its name, and no other', () => {
    for (const { name, word } of layout.members) expect(layout.word(name)).toBe(word);
    expect(() => layout.word('nothing')).toThrow(
      new RangeError(`struct ${struct.name} has no member nothing`),
    );
  });
});

test('every member takes whole words, one after the other', () => {
  for (const { name } of reflected.structs) {
    const { words, members } = structLayout(source, name);
    const starts = members.map(({ word }) => word);
    const ends = members.map((member) => member.word + member.words);
    expect([...starts.slice(1), words]).toEqual(ends);
    expect(starts[0]).toBe(0);
  }
});

test('an unknown struct is a RangeError', () => {
  expect(() => structLayout(source, 'Nothing')).toThrow(
    new RangeError('no struct Nothing in the WGSL source'),
  );
  expect(() => structLayout('struct A { b: B, }', 'A')).toThrow(RangeError);
});

test('comments do not count as members', () => {
  const { members } = structLayout(
    'struct A {\n  // b: u32,\n  c: i32,  // d: u32\n  e: array<f32, 3>,\n}',
    'A',
  );
  expect(members).toEqual([
    { name: 'c', word: 0, words: 1, signed: true },
    { name: 'e', word: 1, words: 3, signed: false },
  ]);
});

describe('WGSL made from a layout', () => {
  const layout = structLayout('struct A { b: u32, c: array<u32, 5>, d: i32, e: i32, }', 'A');

  test('reads a record four words at a time', () => {
    const text = recordReader(structLayout('struct B { f: u32, g: i32, h: i32, i: u32, }', 'B'), 'table');
    expect(text.trim().split('\n')).toEqual([
      'fn readB(index: u32) -> B {',
      '  let base = index * 1u;',
      '  let w0 = table[base + 0u];',
      '  return B(w0.x, bitcast<i32>(w0.y), bitcast<i32>(w0.z), w0.w);',
      '}',
    ]);
  });

  test('addresses members by their words in two arrays, signed and unsigned', () => {
    const text = 'a.b += a.c[a.b + 1u]; a.d = -a.e; other.b = data.b;';
    expect(addressByWord(text, 'a', layout)).toBe(
      'aU[0] += aU[1 + aU[0] + 1u]; aI[6] = -aI[7]; other.b = data.b;',
    );
    expect(() => addressByWord('a.nothing', 'a', layout)).toThrow(
      new RangeError('a.nothing: struct A has no such member'),
    );
  });

  test('marks the signed words', () => {
    expect(signedWords(layout, 8)).toBe('array<u32, 1>(192u)');
    expect(signedWords(layout, 7)).toBe('array<u32, 1>(64u)');
  });

  test('every record that kernels read whole is a whole number of vectors', () => {
    for (const name of ['Route', 'Shape', 'PathSegment', 'Rules', 'ResetRequest', 'Decision']) {
      expect(structLayout(source, name).words % 4, name).toBe(0);
    }
  });

  test('what shaders/summarize.wgsl takes for granted: Summary is a stretch of EnvState, and the hash', () => {
    const state = structLayout(source, 'EnvState');
    const summary = structLayout(source, 'Summary');
    const first = state.word('status');
    const last = summary.members.at(-1)!;
    for (const { name, word, words, signed } of summary.members.slice(0, -1)) {
      expect(state.members).toContainEqual({ name, word: word + first, words, signed });
    }
    expect(last).toEqual({ name: 'stateHash', word: summary.words - 1, words: 1, signed: false });
    expect(state.word('hashPending')).toBe(state.word('stateHash') + 1);
  });
});
