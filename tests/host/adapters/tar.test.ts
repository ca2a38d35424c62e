// The tar reader on archives made here: good, cut off, and not tar at all.
import { expect, test } from 'vitest';
import { readTar } from '../../../src/host/adapters/tar.ts';

function tarEntry(name: string, content: string, type = '0'): Uint8Array {
  const entry = Buffer.alloc(512 + Math.ceil(content.length / 512) * 512);
  entry.write(name, 0);
  entry.write(content.length.toString(8).padStart(11, '0'), 124);
  entry.write(type, 156);
  entry.write('ustar', 257);
  entry.write(content, 512);
  return entry;
}

const archive = Buffer.concat([
  tarEntry('./folder/', '', '5'),
  tarEntry('./folder/a', 'x'.repeat(513)),
  tarEntry('b', ''),
  Buffer.alloc(1024),
]);

test('reads regular files', () => {
  const files = readTar(archive);
  expect([...files.keys()]).toEqual(['folder/a', 'b']);
  expect(Buffer.from(files.get('folder/a') ?? []).toString()).toBe('x'.repeat(513));
  expect(files.get('b')?.length).toBe(0);
});

test('refuses an archive that is cut off or is none', () => {
  expect(() => readTar(archive.subarray(0, 512 + 512 + 100))).toThrow(/cut off within/);
  expect(() => readTar(Buffer.alloc(1024, 'x'))).toThrow('not a tar archive');
});
