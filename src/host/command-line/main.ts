// The `rtsafe` command: registers one file per command and turns every ending into an exit code.
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { RunError, UsageError } from '../errors.ts';
import { registerBench } from './bench.ts';
import { registerCollect } from './collect.ts';
import { registerDoctor } from './doctor.ts';
import { registerFidelity } from './fidelity.ts';
import { registerMerge } from './merge.ts';
import { registerReport } from './report.ts';
import { registerRun } from './run.ts';
import { registerScenes } from './scenes.ts';
import { registerSweep } from './sweep.ts';
import { registerVerify } from './verify.ts';

/** Adds one command to the program. Each file in this folder exports one. */
export type RegisterCommand = (program: Command) => void;

const commands: readonly RegisterCommand[] = [
  registerRun,
  registerSweep,
  registerCollect,
  registerMerge,
  registerVerify,
  registerReport,
  registerFidelity,
  registerScenes,
  registerBench,
  registerDoctor,
];

function packageVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** From "error: unknown option '--sed'\n(Did you mean --seeds?)". */
function usageLine(text: string): string {
  const line = text
    .replace(/^error: /, '')
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ');
  return `rtsafe: ${line}; --help shows what is allowed\n`;
}

/** Builds the whole command tree; `onExit` makes commander throw instead of ending the process. */
export function createProgram(): Command {
  const program = new Command('rtsafe')
    .description(
      'Batch simulator of the RT-SAFE benchmark: how safe is an agent in a world that does not pause?',
    )
    .version(packageVersion())
    // Commander's own errors in one line, as all others are; with its guess at what was meant.
    .configureOutput({ outputError: (text, write) => write(usageLine(text)) })
    .exitOverride();
  for (const register of commands) register(program);
  return program;
}

/**
 * Runs one command line (without node and script) and returns its exit code: 0 done, 1 the run failed,
 * 2 bad usage or input. RTSAFE_DEBUG=1 prints the stack of a failure.
 *
 * @example process.exitCode = await runCommandLine(process.argv.slice(2));
 */
export async function runCommandLine(commandArguments: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync([...commandArguments], { from: 'user' });
    return 0;
  } catch (error) {
    return reportFailure(error);
  }
}

/** Prints a failure in one line on stderr and gives the exit code it ends with. */
export function reportFailure(error: unknown): number {
  // Commander has already printed its own line; its code is 0 for --help and --version.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const failure = error instanceof Error ? error : new Error(String(error));
  process.stderr.write(`rtsafe: ${failure.message.replaceAll(/\s*\n\s*/g, ' ')}\n`);
  if (process.env.RTSAFE_DEBUG === '1') process.stderr.write(`${failure.stack}\n`);
  return failure instanceof UsageError || failure instanceof RunError ? failure.exitCode : 1;
}
