// The contract of `rtsafe run`: bad usage is one line and exit code 2 before any GPU is opened, stdout is data only.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runCommandLine } from '../../../src/host/command-line/main.ts';
import { newRunFolder } from '../../../src/host/command-line/playRun.ts';
import * as execute from '../../../src/host/run/executeRun.ts';
import { openReference } from '../run/referenceSimulator.ts';
import { newPath } from '../run/testRun.ts';
import { runCaptured } from './captured.ts';

vi.mock('../../../src/host/run/executeRun.ts', { spy: true });

beforeEach(() => {
  vi.mocked(execute.simulatorOn).mockReturnValue(openReference);
});
afterEach(() => {
  vi.clearAllMocks();
});

const small = [
  'run',
  '--routes',
  'rt12:8',
  '--difficulty',
  'easy',
  '--max-decisions',
  '4',
  '--latency',
  'fixed:1',
];

test('prints the table, static and real-time side by side, and where the records are', async () => {
  const folder = newPath();
  const { exitCode, stdout, stderr } = await runCaptured(...small, '--out', folder);
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^easy, rt-safe, greedy, fixed:1 +static +real-time\n-+\nepisodes +1 +1\nsuccess /);
  for (const title of [
    'safe success',
    'contacts',
    'active',
    'passive',
    'passive share',
    'incidents',
    'hazards',
  ])
    expect(stdout).toContain(`${title} `);
  for (const title of ['violations', 'decisions', 'exposure', 'SPL']) expect(stdout).toContain(`${title} `);
  expect(stdout).toContain(`records: ${folder}\n`);
});

test('--json: stdout is the content of summary.json and nothing else', async () => {
  const folder = newPath();
  const { stdout, stderr } = await runCaptured(...small, '--out', folder, '--json');
  expect(stderr).toBe('');
  expect(stdout).toBe(readFileSync(join(folder, 'summary.json'), 'utf8'));
  expect((JSON.parse(stdout) as { conditions: unknown[] }).conditions).toHaveLength(2);
});

test('several conditions have headings of their own', async () => {
  const { stdout } = await runCaptured(
    ...small,
    '--difficulty',
    'hard,easy',
    '--mode',
    'static',
    '--out',
    newPath(),
  );
  expect(stdout).toMatch(/^rt-safe, greedy, fixed:1 +hard static +easy static\n/);
});

test('verify passes on it, and fails when a hash is changed', async () => {
  const folder = newPath();
  await runCaptured(...small, '--out', folder);
  const passed = await runCaptured('verify', folder);
  expect([passed.exitCode, passed.stderr]).toEqual([0, '']);
  expect(passed.stdout).toMatch(/: all 2 episodes with 8 decisions came out as recorded\n$/);
  const path = join(folder, 'episodes.jsonl');
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace(/"stateHash":"[0-9a-f]{8}"/, '"stateHash":"00000000"'));
  const failed = await runCaptured('verify', folder);
  expect(failed.exitCode).toBe(1);
  expect(failed.stdout).toMatch(
    /^rt12:8 easy static rt-safe seed 0 greedy fixed:1: decision 1: stateHash: recorded "00000000", simulated "[0-9a-f]{8}"\n$/,
  );
  expect(failed.stderr).toMatch(
    /^rtsafe: .*: 1 of 2 episodes differs from its record; the first is rt12:8 .*\n$/,
  );
  const json = await runCaptured('verify', folder, '--json');
  expect(json.exitCode).toBe(1);
  expect((JSON.parse(json.stdout) as { mismatches: unknown[] }).mismatches).toHaveLength(1);
});

test.each([
  ['--routes', 'rt11'],
  ['--routes', 'rt10:99'],
  ['--policy', 'genius'],
  ['--latency', 'slow'],
  ['--difficulty', 'impossible'],
  ['--mode', 'fast'],
  ['--profile', 'no-such'],
  ['--seeds', '0...9'],
  ['--envs', '0'],
  ['--max-decisions', '0'],
  ['--without', 'gravity'],
])('%s %s: one line, exit code 2, no GPU, nothing written', async (option, value) => {
  const folder = newPath();
  const { exitCode, stdout, stderr } = await runCaptured('run', option, value, '--out', folder);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^rtsafe: [^\n]*found [^\n]*allowed [^\n]*\n$/);
  expect(execute.simulatorOn).not.toHaveBeenCalled();
  expect(existsSync(folder)).toBe(false);
});

test('an output folder that is a file, or holds something else: exit code 2, nothing overwritten', async () => {
  const file = newPath();
  writeFileSync(file, 'mine');
  expect((await runCaptured(...small, '--out', file)).exitCode).toBe(2);
  expect(readFileSync(file, 'utf8')).toBe('mine');
  const folder = newPath();
  mkdirSync(folder);
  writeFileSync(join(folder, 'config.json'), '{}');
  const { exitCode, stderr } = await runCaptured(...small, '--out', folder);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/config\.json: format: found nothing/);
  expect(readdirSync(folder)).toEqual(['config.json']);
});

test('an interrupted run says how to go on, and goes on', async () => {
  const folder = newPath();
  vi.mocked(execute.simulatorOn).mockReturnValue(async (runWorld, environments) => {
    const opened = await openReference(runWorld, environments);
    const advance = opened.simulator.advance.bind(opened.simulator);
    opened.simulator.advance = () => {
      process.emit('SIGINT');
      return advance();
    };
    return opened;
  });
  const interrupted = await runCaptured(...small, '--out', folder);
  expect(interrupted.exitCode).toBe(1);
  expect(interrupted.stderr).toContain(`rtsafe: stopped with 0 of 2 episodes in ${folder}`);
  vi.mocked(execute.simulatorOn).mockReturnValue(openReference);
  expect((await runCaptured(...small, '--out', folder)).exitCode).toBe(0);
});

test('folders of runs without --out are named by time', () => {
  expect(newRunFolder(new Date(Date.UTC(2026, 0, 31, 12, 5, 9)))).toBe(join('runs', '2026-01-31-120509'));
});

test.each(['run', 'verify', 'scenes'])('%s --help', async (command) => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  expect(await runCommandLine([command, '--help'])).toBe(0);
});
