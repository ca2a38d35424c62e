// The command as it is installed: built, in a process of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { CapturedCommand } from './captured.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

async function runNode(parts: readonly string[], environment: NodeJS.ProcessEnv): Promise<CapturedCommand> {
  const child = spawn(process.execPath, parts, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  const captured = { exitCode: -1, stdout: '', stderr: '' };
  child.stdout.on('data', (text) => (captured.stdout += String(text)));
  child.stderr.on('data', (text) => (captured.stderr += String(text)));
  const [exitCode] = (await once(child, 'close')) as [number];
  return { ...captured, exitCode };
}

/** Builds what is out of date. */
export async function build(): Promise<void> {
  const { exitCode, stderr } = await runNode(['scripts/setup.mjs'], {});
  if (exitCode !== 0) throw new Error(stderr);
}

/** @example await runBuilt('verify', folder) */
export function runBuilt(...commandArguments: string[]): Promise<CapturedCommand> {
  return runBuiltIn({}, ...commandArguments);
}

/** With more environment variables. */
export function runBuiltIn(
  environment: NodeJS.ProcessEnv,
  ...commandArguments: string[]
): Promise<CapturedCommand> {
  return runNode(['bin/rtsafe.mjs', ...commandArguments], environment);
}
