// Files that a command makes: nothing is overwritten.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UsageError } from '../../../src/host/errors.ts';
import { newFile } from '../../../src/host/input/newFile.ts';

const folder = mkdtempSync(join(tmpdir(), 'rtsafe-new-file-'));

test('a path at which nothing is yet', () => {
  const path = join(folder, 'new.png');
  expect(newFile('--out', path)).toBe(path);
});

test('a file and a folder that are there', () => {
  const path = join(folder, 'there.md');
  writeFileSync(path, 'kept');
  for (const taken of [path, folder]) {
    expect(() => newFile('--out', taken)).toThrow(
      new UsageError(`--out: found "${taken}", allowed is a file that is not there yet`),
    );
  }
});

test('a folder that is not there', () => {
  const path = join(folder, 'missing', 'new.png');
  expect(() => newFile('--out', path)).toThrow(
    new UsageError(`--out: found "${path}", allowed is a file in a folder that is there`),
  );
});
