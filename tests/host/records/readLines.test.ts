import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readLines } from '../../../src/host/records/readLines.ts';

const path = join(mkdtempSync(join(tmpdir(), 'rtsafe-lines-')), 'lines');

function linesOf(content: string | Buffer) {
  writeFileSync(path, content);
  return [...readLines(path)];
}

test('lines with their places', () => {
  expect(linesOf('one\nzwölf\n\nlast\n')).toEqual([
    { number: 1, offset: 0, bytes: 4, text: 'one', complete: true },
    { number: 2, offset: 4, bytes: 7, text: 'zwölf', complete: true },
    { number: 3, offset: 11, bytes: 1, text: '', complete: true },
    { number: 4, offset: 12, bytes: 5, text: 'last', complete: true },
  ]);
});

test('nothing, and a last line without newline', () => {
  expect(linesOf('')).toEqual([]);
  expect(linesOf('a\nb')).toMatchObject([
    { text: 'a', complete: true },
    { text: 'b', offset: 2, bytes: 1, complete: false },
  ]);
});

test('lines that reach over the chunks they are read in', () => {
  const texts = [1, 1024 * 1024 - 2, 1024 * 1024, 3 * 1024 * 1024 + 17, 0, 5].map((length, index) =>
    String.fromCharCode(97 + index).repeat(length),
  );
  expect(linesOf(`${texts.join('\n')}\n`).map(({ text }) => text)).toEqual(texts);
});
