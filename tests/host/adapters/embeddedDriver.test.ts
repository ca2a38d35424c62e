// Unpacking the embedded driver, alone and by two processes at once.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cacheFolder } from '../../../src/host/adapters/cacheFolder.ts';
import { hasEmbeddedDriver, unpackEmbeddedDriver } from '../../../src/host/adapters/embeddedDriver.ts';

let cache: string;
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'rtsafe-cache-'));
});
afterEach(() => {
  rmSync(cache, { recursive: true, force: true });
});

test('unpacks once and leaves nothing else behind', async () => {
  const first = await unpackEmbeddedDriver(cache);
  expect(statSync(first.driverFile).size).toBeGreaterThan(0);
  const before = statSync(first.webgpuModule).mtimeMs;
  expect(await unpackEmbeddedDriver(cache)).toEqual(first);
  expect(statSync(first.webgpuModule).mtimeMs).toBe(before);
  expect(readdirSync(cache)).toHaveLength(1);
});

test('many at once agree, and each finds it complete', async () => {
  const all = await Promise.all(Array.from({ length: 5 }, () => unpackEmbeddedDriver(cache)));
  for (const one of all) expect(one).toEqual(all[0]);
  expect(readdirSync(cache)).toHaveLength(1);
});

test('a fresh process computes with an empty cache and no system driver or loader named', async () => {
  const script = `
    import { openGpu } from ${JSON.stringify(source('src/host/adapters/openGpu.ts'))};
    import { doubleNumbers } from ${JSON.stringify(source('tests/kernels/doubleNumbers.ts'))};
    const { context, adapter } = await openGpu('auto');
    const result = await doubleNumbers(context, Uint32Array.of(1, 2, 3));
    await context.close();
    console.log(JSON.stringify([adapter.kind, ...result]));`;
  const run = () =>
    runNode(script, { ...process.env, XDG_CACHE_HOME: cache, VK_DRIVER_FILES: '/no/such/driver.json' });
  const outputs = await Promise.all([run(), run()]);
  expect(outputs).toEqual(['["swiftshader",2,4,6]\n', '["swiftshader",2,4,6]\n']);
});

test('a cache that cannot be written is an error and leaves nothing', async () => {
  const file = join(cache, 'file');
  writeFileSync(file, '');
  await expect(unpackEmbeddedDriver(join(file, 'below'))).rejects.toThrow(/ENOTDIR/);
  expect(readdirSync(cache)).toEqual(['file']);
});

test('is for Linux on x64', () => {
  expect(hasEmbeddedDriver('linux', 'x64')).toBe(true);
  expect(hasEmbeddedDriver('linux', 'arm64')).toBe(false);
  expect(hasEmbeddedDriver('darwin', 'x64')).toBe(false);
});

test('the cache folder honours XDG_CACHE_HOME unless it is relative', () => {
  expect(cacheFolder({ XDG_CACHE_HOME: '/a/b' })).toBe('/a/b/rtsafe');
  expect(cacheFolder({ XDG_CACHE_HOME: 'a/b' })).toMatch(/\/\.cache\/rtsafe$/);
  expect(cacheFolder({})).toMatch(/\/\.cache\/rtsafe$/);
});

function source(path: string): string {
  return new URL(`../../../${path}`, import.meta.url).href;
}

async function runNode(script: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (text: Buffer) => {
    output += text.toString();
  });
  child.stderr.on('data', (text: Buffer) => {
    errors += text.toString();
  });
  const [exitCode] = await once(child, 'close');
  if (exitCode !== 0) throw new Error(`exit code ${exitCode}: ${errors}`);
  return output;
}
