// What doctor advises.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { driverAdvice, installedLavapipe } from '../../../src/host/adapters/driverAdvice.ts';

test('a GPU needs no advice', () => {
  expect(driverAdvice([{ kind: 'hardware' }], [])).toEqual(['A hardware GPU is there; nothing is faster.']);
});

test('SwiftShader alone: says how to install lavapipe, or that the installed one is refused', () => {
  expect(driverAdvice([{ kind: 'swiftshader' }], []).join(' ')).toMatch(/not installed.*bookworm-backports/);
  expect(driverAdvice([{ kind: 'swiftshader' }], ['/x/lvp_icd.json']).join(' ')).toMatch(
    /\/x\/lvp_icd\.json.*too old/,
  );
  expect(driverAdvice([{ kind: 'lavapipe' }, { kind: 'swiftshader' }], [])).toHaveLength(1);
});

test("finds lavapipe's manifest under either name", () => {
  const folder = mkdtempSync(join(tmpdir(), 'rtsafe-icd-'));
  for (const name of ['lvp_icd.json', 'lvp_icd.x86_64.json', 'radeon_icd.json'])
    writeFileSync(join(folder, name), '');
  expect(installedLavapipe([folder, '/no/such/folder'])).toEqual([
    join(folder, 'lvp_icd.json'),
    join(folder, 'lvp_icd.x86_64.json'),
  ]);
  rmSync(folder, { recursive: true });
});
