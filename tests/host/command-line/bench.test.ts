// The contract of `rtsafe bench`: bad usage is one line and exit code 2, stdout is the tables or one JSON object.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BenchReport } from '../../../src/host/bench/benchReport.ts';
import * as bench from '../../../src/host/bench/runBench.ts';
import { shortNumber } from '../../../src/host/command-line/benchTables.ts';
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
  return {
    format: 'rtsafe-bench',
    version: 1,
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
    options: { decisions: 8, repetitions: 7, minimumSeconds: 0.5 },
    sizes: [64, 1024].map((environments) => ({
      environments,
      walkers: 72 * environments,
      readySeconds: 5,
      passesPerRepetition: 2,
      work: { decisions: 16 * environments, environmentTicks: 300_000, actorTicks: 21_000_000 },
      columns: { stepping: columnOf(1), readback: columnOf(1.1), policy: columnOf(1.25) },
      microsecondsPerDecision: around(environments === 64 ? 500 : 400),
      kernelNanoseconds: { reset: 1e6, settle: 2e6, advance: 96e6, summarize: 1e6 },
      memory: { worldBytes: 2 ** 20, batchBytes: 8192 * environments, batchBytesPerEnvironment: 8192 },
    })),
    episodes: null,
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
  expect(stdout).toMatch(/^ +1024 +400 \(360 \.\. 440\) +0\.80 +91\.6 +0\.06 +9\.0 MiB +1\.0 MiB +8\.0\n/m);
  expect(stdout).not.toContain('end to end');
});

test('a GPU is not measured by CPU seconds, and may have no timestamps', async () => {
  const report = makeReport();
  vi.mocked(bench.runBench).mockResolvedValue({
    ...report,
    adapter: { ...report.adapter, kind: 'hardware' },
    sizes: report.sizes.map((size) => ({ ...size, kernelNanoseconds: null })),
  });
  const { stdout } = await runCaptured('bench');
  expect(stdout).not.toContain('CPU s');
  expect(stdout).not.toContain('CPU us');
  expect(stdout).toContain('time per kernel: this adapter has no timestamp queries\n');
});

test('the run end to end in two lines', async () => {
  const episodes = {
    episodes: 1080,
    environments: 1080,
    decisions: 36_000,
    simSeconds: 300_000,
    seconds: 30,
    startSeconds: 5,
    cpuSeconds: 42,
    episodesPerSecond: 36,
    decisionsPerSecond: 1200,
    simSecondsPerSecond: 10_000,
  };
  vi.mocked(bench.runBench).mockResolvedValue(makeReport({ episodes }));
  const { stdout } = await runCaptured('bench');
  expect(stdout).toContain(
    '\n1080 episodes end to end (hard, realtime, rt-safe, greedy, fixed:3; 1080 environments, records written):\n' +
      '30.0 s, of it 5.0 s until the first decisions were through (42.0 CPU seconds); 36.0 episodes/s, 1.20 k decisions/s, 10.0 k simulated s/s\n',
  );
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
    '0',
  );
  expect(vi.mocked(bench.runBench).mock.lastCall![0]).toMatchObject({
    sizes: [64, 256],
    repetitions: 9,
    decisions: 3,
    episodeSeeds: 0,
  });
});

test('without options: four sizes, seven repetitions, 1,080 episodes', async () => {
  await runCaptured('bench');
  const plan = vi.mocked(bench.runBench).mock.lastCall![0];
  expect(plan).toMatchObject({ sizes: [64, 256, 1024, 4096], repetitions: 7, episodeSeeds: 30 });
  expect(plan.runOptions('0..29')).toMatchObject({ routes: 'all', difficulty: 'hard', mode: 'realtime' });
});

test.each([
  ['--sizes', '0'],
  ['--sizes', '64,'],
  ['--sizes', '64,64'],
  ['--sizes', 'many'],
  ['--repetitions', '6'],
  ['--decisions', '0'],
  ['--episode-seeds', '-1'],
])('%s %s is refused before anything is opened', async (option, value) => {
  const { exitCode, stdout, stderr } = await runCaptured('bench', `${option}=${value}`);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(new RegExp(`^rtsafe: ${option}: found ".*", allowed is .+\n$`));
  expect(bench.runBench).not.toHaveBeenCalled();
});

test.each([
  ['--policy-seeds=0', '--policy-seeds: found "0", allowed is '],
  ['--policies=oracle', '--policy: found "oracle", allowed is '],
])('a comparison of policies with %s is refused', async (option, message) => {
  const { exitCode, stdout, stderr } = await runCaptured('bench', '--policies=wait', option);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain(`rtsafe: ${message}`);
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
