// The contract of `rtsafe bench`: bad usage is one line and exit code 2, stdout is the tables or one JSON object.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BenchReport } from '../../../src/host/bench/benchReport.ts';
import { shortNumber } from '../../../src/host/bench/numberText.ts';
import * as bench from '../../../src/host/bench/runBench.ts';
import type { StepResult } from '../../../src/host/bench/stepSuite.ts';
import { runCaptured } from './captured.ts';

vi.mock('../../../src/host/bench/runBench.ts', { spy: true });

function around(median: number) {
  return { median, lowest: 0.9 * median, highest: 1.1 * median };
}

function columnOf(seconds: number) {
  return {
    seconds: around(seconds),
    cpuSeconds: around(1.5 * seconds),
    actorTicksPerSecond: around(21_000_000 / seconds),
    environmentTicksPerSecond: around(300_000 / seconds),
    decisionsPerSecond: around(8000 / seconds),
    relativeToStepping: around(seconds),
  };
}

function makeReport(changes: Partial<BenchReport> = {}): BenchReport {
  const step: StepResult = {
    sizes: [64, 1024].map((environments) => ({
      environments,
      walkers: 72 * environments,
      readySeconds: 5,
      repetitions: 7,
      passesPerRepetition: 2,
      work: { decisions: 16 * environments, environmentTicks: 300_000, actorTicks: 21_000_000 },
      columns: { stepping: columnOf(1), readback: columnOf(1.1), policy: columnOf(1.25) },
      microsecondsPerDecision: around(environments === 64 ? 500 : 400),
      kernelNanoseconds: { reset: 1e6, settle: 2e6, advance: 96e6, summarize: 1e6 },
    })),
  };
  return {
    format: 'rtsafe-bench',
    version: 2,
    measuredAt: '2026-01-31T12:00:00.000Z',
    simulator: { rtsafe: '0.1.0', webgpu: '0.6.2', shaders: 'f'.repeat(64) },
    adapter: {
      kind: 'lavapipe',
      name: 'llvmpipe',
      vendor: 'mesa',
      architecture: '',
      description: 'llvmpipe (Mesa 25)',
      driver: 'Mesa 25',
      why: 'a test',
    },
    machine: { cpu: 'some CPU', threads: 2, node: 'v20.0.0', platform: 'linux-x64', loadBefore: 0.25 },
    workload: {
      routes: 36,
      difficulty: 'hard',
      mode: 'realtime',
      profile: 'rt-safe',
      policy: 'greedy',
      latency: 'fixed:3',
    },
    options: {
      sizes: [64, 1024],
      decisions: 8,
      repetitions: 7,
      minimumSeconds: 0.5,
      episodeSeeds: 30,
      policies: ['greedy'],
      policySeeds: 3,
      collectionPolicies: ['greedy'],
      collectionEpisodes: 1000,
    },
    suites: { step },
    metrics: {
      step: [{ name: '64 environments', unit: 'actor-ticks/s', better: 'higher', ...around(21_000_000) }],
    },
    ...changes,
  };
}

beforeEach(() => {
  vi.mocked(bench.runBench).mockResolvedValue(makeReport());
});
afterEach(() => {
  vi.clearAllMocks();
});

test('prints what it ran on, a table per size, and one over the sizes', async () => {
  const { exitCode, stdout, stderr } = await runCaptured('bench');
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toContain('adapter   llvmpipe (Mesa 25)\ncpu       some CPU, 2 threads, load 0.25 before\n');
  expect(stdout).toMatch(/^64 environments +stepping alone +\+ summary readback +\+ greedy policy\n-+\n/m);
  expect(stdout).toMatch(/^actor-ticks\/s +21\.0 M \(18\.9 M \.\. 23\.1 M\) +19\.1 M/m);
  expect(stdout).toMatch(/^time, relative +1\.00 \(0\.90 \.\. 1\.10\) +1\.10 \(/m);
  expect(stdout).toMatch(/^actor-ticks\/CPU s +14\.0 M \(1\.5 threads\)/m);
  expect(stdout).toContain('4608 walkers; 7 repetitions of 2 x 512 decisions');
  expect(stdout).toContain('advance 96.0 ms (96.0 %)');
  expect(stdout).toMatch(/^ +1024 +400 \(360 \.\. 440\) +0\.80 +82\.4 +0\.06\n/m);
});

test('a GPU is not measured by CPU seconds, and may have no timestamps', async () => {
  const report = makeReport();
  const step = report.suites.step as StepResult;
  vi.mocked(bench.runBench).mockResolvedValue({
    ...report,
    adapter: { ...report.adapter, kind: 'hardware' },
    suites: { step: { sizes: step.sizes.map((size) => ({ ...size, kernelNanoseconds: null })) } },
  });
  const { stdout } = await runCaptured('bench');
  expect(stdout).not.toContain('CPU s');
  expect(stdout).not.toContain('CPU us');
  expect(stdout).toContain('time per kernel: this adapter has no timestamp queries\n');
});

test('--html writes a page beside the tables', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rtsafe-bench-page-'));
  try {
    const path = join(folder, 'bench.html');
    const { exitCode, stdout } = await runCaptured('bench', '--html', path);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('64 environments');
    expect(readFileSync(path, 'utf8')).toMatch(
      /^<!doctype html>[\s\S]*llvmpipe[\s\S]*<svg[\s\S]*<\/html>\n$/,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('--compare: a table of ratios, and nothing is measured', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rtsafe-bench-compare-'));
  try {
    const paths = ['first.json', 'second.json'].map((name) => join(folder, name));
    for (const path of paths) writeFileSync(path, JSON.stringify(makeReport()));
    const { exitCode, stdout } = await runCaptured('bench', '--compare', ...paths);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/step +64 environments +actor-ticks\/s +21\.0 M +21\.0 M +1\.00/);
    expect(bench.runBench).not.toHaveBeenCalled();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('--json: stdout is one object and nothing else', async () => {
  const { stdout, stderr } = await runCaptured('bench', '--json');
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual(makeReport());
});

test('options reach the benchmark, sizes ascending', async () => {
  await runCaptured(
    'bench',
    '--sizes',
    '256, 64',
    '--repetitions',
    '9',
    '--decisions',
    '3',
    '--episode-seeds',
    '2',
    '--policies',
    'wait, greedy',
    '--policy-seeds',
    '4',
    '--collection-episodes',
    '50',
    '--suite',
    'memory',
  );
  expect(vi.mocked(bench.runBench).mock.lastCall![0]).toMatchObject({
    options: {
      sizes: [64, 256],
      repetitions: 9,
      decisions: 3,
      episodeSeeds: 2,
      policies: ['wait', 'greedy'],
      policySeeds: 4,
      collectionEpisodes: 50,
    },
    suites: [{ name: 'memory' }],
  });
});

test('without options: four suites at two sizes, seven repetitions', async () => {
  await runCaptured('bench');
  const plan = vi.mocked(bench.runBench).mock.lastCall![0];
  expect(plan).toMatchObject({
    options: {
      sizes: [256, 1024],
      repetitions: 7,
      decisions: 8,
      policies: ['expert', 'greedy', 'safety'],
      policySeeds: 3,
      collectionPolicies: ['greedy', 'expert'],
      collectionEpisodes: 1000,
    },
  });
  expect(plan.suites.map(({ name }) => name)).toEqual(['step', 'yardstick', 'roofline', 'decide']);
  expect(plan.runOptions('0..29')).toMatchObject({ routes: 'all', difficulty: 'hard', mode: 'realtime' });
});

test.each([
  ['--policy-seeds', '0'],
  ['--collection-episodes', '0'],
  ['--sizes', '0'],
  ['--sizes', '64,'],
  ['--sizes', '64,64'],
  ['--sizes', 'many'],
  ['--repetitions', '2'],
  ['--decisions', '0'],
  ['--episode-seeds', '0'],
  ['--suite', 'camera obscura'],
  ['--html', ''],
  ['--html', '/no/such/folder/page.html'],
])('%s %s is refused before anything is opened', async (option, value) => {
  const { exitCode, stdout, stderr } = await runCaptured('bench', `${option}=${value}`);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(new RegExp(`^rtsafe: ${option}: found ".*", allowed (?:is|are) .+\n$`));
  expect(bench.runBench).not.toHaveBeenCalled();
});

test('--check on an adapter of which nothing is recorded says so and passes', async () => {
  const report = makeReport();
  vi.mocked(bench.runBench).mockResolvedValue({ ...report, adapter: { ...report.adapter, kind: 'other' } });
  const { exitCode, stdout } = await runCaptured('bench', '--check');
  expect([exitCode, stdout]).toEqual([0, 'no ratios are recorded for other: nothing was checked\n']);
  const plan = vi.mocked(bench.runBench).mock.lastCall![0];
  expect(plan.options.sizes).toEqual([256, 1024]);
  expect(plan.suites.map(({ name }) => name)).toEqual(['scaling', 'yardstick', 'decide']);
});

test.each([
  [['--compare', 'one.json'], /--compare: found 1 file, allowed is two/],
  [['--compare', 'no-such-1.json', 'no-such-2.json'], /no-such-1\.json: found no such file/],
  [['one.json'], /bench: found "one\.json", allowed is files only after --compare/],
  [['--record'], /--record: found --record alone, allowed is --check --record/],
  [['--check', '--sizes', '64'], /--sizes: found --sizes beside --check, allowed is --record and --adapter/],
  [
    ['--check', '--html', 'page.html'],
    /--html: found --html beside --check, allowed is --record and --adapter/,
  ],
  [
    ['--compare', 'a.json', 'b.json', '--json'],
    /--json: found --json beside --compare, allowed is nothing else/,
  ],
])('bench %j is refused', async (given, message) => {
  const { exitCode, stderr } = await runCaptured('bench', ...given);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(message);
  expect(bench.runBench).not.toHaveBeenCalled();
});

test.each([
  ['wait,oracle', /^rtsafe: --policies: found "oracle", allowed is random, wait, (?!.*openai)[^\n]+\n$/],
  ['openai', /^rtsafe: --policies: found "openai", allowed is random, wait, (?!.*(--model|openai))[^\n]+\n$/],
  ['trace:runs/start', /^rtsafe: --policies: found "trace:runs\/start", allowed is [^\n]+\n$/],
  ['onnx:', /^rtsafe: --policies: found "onnx:" without a file, allowed is onnx:<FILE>\n$/],
  [
    'onnx:no.onnx',
    /^rtsafe: --policies onnx:no\.onnx: found no file that can be read \(ENOENT\), allowed [^\n]+\n$/,
  ],
  ['stand-in:nobody', /^rtsafe: --policies: found "stand-in:nobody", allowed [^\n]+\n$/],
])('the policy %s is refused before anything is opened', async (policies, message) => {
  const { exitCode, stdout, stderr } = await runCaptured('bench', '--policies', policies);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(message);
  expect(bench.runBench).not.toHaveBeenCalled();
});

test('numbers have three digits and a letter', () => {
  expect([21_345_678, 1234, 123.4, 12.34, 0.1234, 4.2e9].map(shortNumber)).toEqual([
    '21.3 M',
    '1.23 k',
    '123',
    '12.3',
    '0.123',
    '4.20 G',
  ]);
});
