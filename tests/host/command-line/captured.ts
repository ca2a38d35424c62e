// Runs the command line with stdout and stderr caught.
import { vi } from 'vitest';
import { runCommandLine } from '../../../src/host/command-line/main.ts';

export interface CapturedCommand {
  exitCode: number;
  stdout: string;
  stderr: string;
}

export async function runCaptured(...commandArguments: string[]): Promise<CapturedCommand> {
  const captured = { exitCode: -1, stdout: '', stderr: '' };
  const catchInto = (name: 'stdout' | 'stderr') =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      captured[name] += String(text);
      return true;
    });
  const spies = [catchInto('stdout'), catchInto('stderr')];
  try {
    captured.exitCode = await runCommandLine(commandArguments);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return captured;
}
