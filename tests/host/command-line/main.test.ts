// The command line's contract: exit codes, where text goes, help for everything.
import { afterEach, expect, test, vi } from 'vitest';
import { runCommandLine } from '../../../src/host/command-line/main.ts';

async function runCaptured(...commandArguments: string[]) {
  let stdout = '';
  let stderr = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    stdout += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += String(text);
    return true;
  });
  const exitCode = await runCommandLine(commandArguments);
  vi.restoreAllMocks();
  return { exitCode, stdout, stderr };
}

afterEach(() => {
  vi.restoreAllMocks();
});

test('--version prints the package version on stdout', async () => {
  const { exitCode, stdout, stderr } = await runCaptured('--version');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(stderr).toBe('');
});

test('--help exits with 0', async () => {
  const { exitCode, stdout } = await runCaptured('--help');
  expect(exitCode).toBe(0);
  expect(stdout).toContain('Usage: rtsafe');
});

test('an unknown option is bad usage: named on stderr, exit code 2', async () => {
  const { exitCode, stdout, stderr } = await runCaptured('--no-such-option');
  expect(exitCode).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain("'--no-such-option'");
});
