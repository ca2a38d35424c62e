// Reading scene files: any file, or one of those that come with the package.
import { existsSync, readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../errors.ts';
import { refuseInheritedName } from '../input/readTextFile.ts';
import { parseScene } from './parse.ts';
import type { Scene } from './schema.ts';

/** Largest scene file that is read. The bundled ones are below 10 kB. */
export const maximumSceneFileBytes = 16 * 1024 * 1024;

const bundledScenesFolder = fileURLToPath(new URL('../../../scenes/', import.meta.url));

function readChecked(path: string): string {
  let status: Stats;
  try {
    status = statSync(path);
  } catch {
    throw new UsageError(`${path}: found no such file, allowed is a scene file (see "rtsafe scenes")`);
  }
  if (!status.isFile()) {
    const found = status.isDirectory() ? 'a folder' : 'something that is not a file';
    throw new UsageError(`${path}: found ${found}, allowed is a scene file`);
  }
  if (status.size > maximumSceneFileBytes) {
    throw new UsageError(
      `${path}: found a file of ${status.size} bytes, allowed is at most ${maximumSceneFileBytes} bytes`,
    );
  }
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new UsageError(
      `${path}: found a file that cannot be read (${reason}), allowed is a readable scene file`,
    );
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${path}: found bytes that are not UTF-8, allowed is JSON text in UTF-8`);
  }
}

/** Where JSON.parse stopped, as far as its message says. */
function parsePosition(text: string, error: unknown): string {
  const message = String(error);
  if (message.includes('end of JSON input')) return ' at its end';
  const offset = /at position (\d+)/.exec(message)?.[1];
  if (offset === undefined) return '';
  const before = text.slice(0, Number(offset)).split('\n');
  return ` at line ${before.length}, column ${before.at(-1)!.length + 1}`;
}

/**
 * Reads and checks a scene file.
 *
 * @throws UsageError for a missing, oversized, broken or faulty file: one line with file, JSON path, found, allowed.
 * @example const scene = loadScene('my-city.json');
 */
export function loadScene(path: string): Scene {
  const text = readChecked(path);
  if (text.trim() === '') throw new UsageError(`${path}: found an empty file, allowed is a scene in JSON`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(
      `${path}: found text that is not JSON${parsePosition(text, error)}, allowed is valid JSON`,
    );
  }
  refuseInheritedName(value, text, path);
  return parseScene(value, path);
}

/** The names of the scenes that come with the package, sorted. */
export function listBundledScenes(): string[] {
  if (!existsSync(bundledScenesFolder)) return [];
  return readdirSync(bundledScenesFolder)
    .filter((file) => file.endsWith('.json') && !file.endsWith('.schema.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
}

/**
 * Reads a scene that comes with the package.
 *
 * @throws UsageError if there is none of that name.
 * @example const scene = loadBundledScene('rt10');
 */
export function loadBundledScene(name: string): Scene {
  const names = listBundledScenes();
  if (!names.includes(name)) {
    throw new UsageError(`scene: found ${JSON.stringify(name)}, allowed is one of ${names.join(', ')}`);
  }
  return loadScene(`${bundledScenesFolder}${name}.json`);
}
