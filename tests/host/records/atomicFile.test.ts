import { mkdtempSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  isTemporaryName,
  replaceFile,
  temporaryPath,
  writeTextFile,
} from '../../../src/host/records/atomicFile.ts';

test('a file is replaced whole; a failure leaves the old one and nothing else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rtsafe-atomic-'));
  const path = join(folder, 'file.json');
  writeTextFile(path, 'first');
  expect(() =>
    replaceFile(path, (file) => {
      writeSync(file, 'half of the sec');
      throw new Error('the disk is full');
    }),
  ).toThrow('the disk is full');
  expect(readFileSync(path, 'utf8')).toBe('first');
  expect(readdirSync(folder)).toEqual(['file.json']);
});

test('temporary names are known', () => {
  expect(isTemporaryName(temporaryPath('config.json'))).toBe(true);
  expect(isTemporaryName('config.json')).toBe(false);
});
