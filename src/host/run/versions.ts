// What computed a run: kept in config.json, because the same scenes and seeds give the same episodes only under the same
// rules.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { RunConfig } from '../records/runConfig.ts';

// Up from src/host/run and from dist/host/run alike.
const packageFolder = fileURLToPath(new URL('../../../', import.meta.url));

function packageVersion(path: string): string {
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}

function hashShaders(): string {
  const folder = `${packageFolder}shaders/`;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.wgsl'))
    .sort();
  const hash = createHash('sha256');
  for (const name of files)
    hash
      .update(`${name}\0`)
      .update(readFileSync(`${folder}${name}`))
      .update('\0');
  return hash.digest('hex');
}

/** Versions of this package and of WebGPU's, and the SHA-256 over all WGSL files. */
export function simulatorVersions(): RunConfig['simulator'] {
  return {
    rtsafe: packageVersion(`${packageFolder}package.json`),
    webgpu: packageVersion(createRequire(import.meta.url).resolve('webgpu/package.json')),
    shaders: hashShaders(),
  };
}
