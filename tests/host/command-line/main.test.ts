// The command line's contract: exit codes, where text goes, help for everything.
import { expect, test } from 'vitest';
import { runCaptured } from './captured.ts';

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

test.each([
  [['--no-such-option'], "unknown option '--no-such-option'"],
  [['run', '--sed', '1'], "unknown option '--sed' (Did you mean --seeds?)"],
  [['run', '--seeds'], "option '--seeds <list>' argument missing"],
  [['verify'], "missing required argument 'folder'"],
  [['verify', 'one', 'two'], "too many arguments for 'verify'. Expected 1 argument but got 2."],
  [['runn'], "unknown command 'runn' (Did you mean run?)"],
])('%j is bad usage: one line on stderr, exit code 2', async (parts, what) => {
  const { exitCode, stdout, stderr } = await runCaptured(...parts);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toBe(`rtsafe: ${what}; --help shows what is allowed\n`);
});
