// Builds bench/native/ with the system's C compiler, once per compiler, source and CPU, into the user's cache folder.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cacheFolder } from '../../adapters/cacheFolder.ts';
import { RunError } from '../../errors.ts';

const run = promisify(execFile);

// Up from src/host/bench/native and from dist/host/bench/native alike.
const sourceFolder = fileURLToPath(new URL('../../../../bench/native/', import.meta.url));
const sources = ['walkers.c', 'main.c'];
const headers = ['walkers.h'];
const flags = ['-std=c11', '-D_POSIX_C_SOURCE=200809L', '-O3', '-march=native', '-pthread'];
const libraries = ['-lm'];

export interface NativeProgram {
  readonly path: string;
  /** The first line of the compiler's --version, and its flags. */
  readonly compiler: string;
}

/** The reason why there is no yardstick in native code on this machine. */
export interface NoProgram {
  readonly missing: string;
}

/** Set in tests. */
export interface NativeTools {
  /** A command and arguments, as make has it. */
  readonly compiler: string;
  readonly cache: string;
}

function toolsHere(): NativeTools {
  return { compiler: process.env.CC || 'cc', cache: cacheFolder() };
}

function programName(compiler: string): string {
  const hash = createHash('sha256')
    .update(compiler)
    .update(cpus()[0]?.model ?? '');
  for (const name of [...headers, ...sources]) hash.update(readFileSync(join(sourceFolder, name)));
  return `walkers-${hash.digest('hex').slice(0, 16)}`;
}

/**
 * The native program, built if it is not there yet.
 *
 * @throws RunError when there is a compiler and it refuses the source.
 */
export async function buildNative(tools: NativeTools = toolsHere()): Promise<NativeProgram | NoProgram> {
  if (process.platform === 'win32') return { missing: 'the native yardstick needs POSIX threads' };
  const [command = '', ...own] = tools.compiler.trim().split(/\s+/);
  let version: string;
  try {
    version = (await run(command, [...own, '--version'])).stdout.split('\n')[0]!.trim();
  } catch {
    return { missing: `no C compiler: "${tools.compiler}" does not run` };
  }
  const compiler = `${version}, ${[...own, ...flags].join(' ')}`;
  const folder = join(tools.cache, 'native');
  const path = join(folder, programName(compiler));
  if (existsSync(path)) return { path, compiler };
  mkdirSync(folder, { recursive: true });
  // Another process may build at the same time; whoever is last wins with the same file.
  const unfinished = `${path}.${process.pid}`;
  try {
    const input = sources.map((name) => join(sourceFolder, name));
    await run(command, [...own, ...flags, ...input, ...libraries, '-o', unfinished]);
    renameSync(unfinished, path);
  } catch (error) {
    throw new RunError(`bench: ${tools.compiler} does not compile bench/native: ${(error as Error).message}`);
  } finally {
    rmSync(unfinished, { force: true });
  }
  return { path, compiler };
}
