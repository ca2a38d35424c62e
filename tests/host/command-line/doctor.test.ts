// `rtsafe doctor` as a user runs it: in a process of its own.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { DoctorReport } from '../../../src/host/command-line/doctor.ts';

const root = new URL('../../../', import.meta.url);

function doctor(...commandArguments: string[]) {
  const main = new URL('src/host/command-line/main.ts', root).href;
  const script = `
    import { runCommandLine } from ${JSON.stringify(main)};
    process.exitCode = await runCommandLine(${JSON.stringify(['doctor', ...commandArguments])});`;
  return spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
    cwd: fileURLToPath(root),
    encoding: 'utf8',
  });
}

test('--json is one JSON object with what was found and what was chosen', () => {
  const { status, stdout } = doctor('--adapter', 'swiftshader', '--json');
  expect(status).toBe(0);
  const report = JSON.parse(stdout) as DoctorReport;
  expect(report.chosen.kind).toBe('swiftshader');
  expect(report.chosen.why).toContain('--adapter swiftshader');
  expect(report.adapters.map(({ kind }) => kind)).toContain('swiftshader');
  expect(report.limits.maxStorageBufferBindingSize).toBeGreaterThanOrEqual(128 * 1024 * 1024);
  expect(report.startSeconds).toBeGreaterThan(0);
});

test('the text names the chosen adapter and the reason', () => {
  const { status, stdout } = doctor();
  expect(status).toBe(0);
  expect(stdout).toMatch(/^Chosen: (hardware|lavapipe|swiftshader), /m);
  expect(stdout).toMatch(/^ {2}why: /m);
});

test('an unknown adapter is one line on stderr and exit code 2', () => {
  const { status, stdout, stderr } = doctor('--adapter', 'voodoo');
  expect(status).toBe(2);
  expect(stdout).toBe('');
  const ownLines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('Warning: '));
  expect(ownLines).toHaveLength(1);
  expect(ownLines[0]).toMatch(/^rtsafe: --adapter: found no adapter for "voodoo"/);
});
