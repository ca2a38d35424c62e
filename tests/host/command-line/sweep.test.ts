// The contract of `rtsafe sweep` and `rtsafe merge`: tables and JSON on stdout, bad usage in one line and nothing written.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runCommandLine } from '../../../src/host/command-line/main.ts';
import type { RunSummary } from '../../../src/host/metrics/runSummary.ts';
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

const small = ['--routes', 'rt12:8', '--difficulty', 'easy', '--max-decisions', '4'];
const latencies = ['--latency', 'fixed:0,fixed:2,lognormal:1,0.3'];

test('one line per condition, what they share above', async () => {
  const folder = newPath();
  const { exitCode, stdout, stderr } = await runCaptured('sweep', ...small, ...latencies, '--out', folder);
  expect([exitCode, stderr]).toEqual([0, '']);
  const text = stdout.split('\n');
  expect(text[0]).toBe('rt-safe, greedy, easy, realtime; per episode');
  expect(text[2]).toMatch(/^latency +episodes +success +safe +contacts +active +passive .*m\/decision$/);
  expect(text.slice(4, 7).map((line) => line.split(' ')[0])).toEqual([
    'fixed:0',
    'fixed:2',
    'lognormal:1,0.3',
  ]);
  expect(stdout).toContain(`records: ${folder}\n`);
});

test('real-time only, four latencies and all routes are the defaults', async () => {
  vi.mocked(execute.executeRun).mockResolvedValueOnce({
    folder: '',
    summaryText: '{}',
    summary: {} as RunSummary,
  });
  await runCaptured('sweep', '--json', '--out', newPath());
  const { plan } = vi.mocked(execute.executeRun).mock.calls[0]![0];
  expect(plan.size).toBe(4 * 36);
  expect(plan.axes).toMatchObject({
    modes: ['realtime'],
    latencies: ['fixed:0', 'fixed:1', 'fixed:3', 'fixed:10'],
    difficulties: ['hard'],
    seeds: [0],
  });
});

function conditions(text: string): RunSummary['conditions'] {
  return (JSON.parse(text) as RunSummary).conditions;
}

test('shards and merge: the summary of the whole', async () => {
  const [whole, merged] = [newPath(), newPath()];
  const parts = [newPath(), newPath()];
  await runCaptured('sweep', ...small, ...latencies, '--out', whole);
  for (const [index, part] of parts.entries()) {
    await runCaptured('sweep', ...small, ...latencies, '--shard', `${index}/2`, '--out', part);
  }
  const { exitCode, stdout, stderr } = await runCaptured('merge', ...parts, '--out', merged);
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/\nall shards together: 3 episodes in .*\nrecords: .*\n$/);
  for (const name of ['episodes.jsonl', 'summary.json']) {
    const [first, second] = [whole, merged].map((folder) => readFileSync(join(folder, name), 'utf8'));
    if (name === 'episodes.jsonl') expect(second).toBe(first);
    else {
      expect(conditions(second!)).toEqual(conditions(first!));
    }
  }
  const json = await runCaptured('merge', ...parts, '--out', merged, '--json');
  expect(json.stdout).toBe(readFileSync(join(merged, 'summary.json'), 'utf8'));
});

test('--grid: the lists from a file; options beside it are refused', async () => {
  const grid = newPath('grid.json');
  const folder = newPath();
  writeFileSync(
    grid,
    JSON.stringify({ routes: 'rt12:8', policy: ['wait', 'greedy'], latency: 'none', maxDecisions: 3 }),
  );
  const { exitCode, stdout } = await runCaptured('sweep', '--grid', grid, '--json', '--out', folder);
  expect(exitCode).toBe(0);
  expect((JSON.parse(stdout) as RunSummary).conditions.map(({ policy }) => policy)).toEqual([
    'wait',
    'greedy',
  ]);
  const both = await runCaptured('sweep', '--grid', grid, '--latency', 'none', '--out', newPath());
  expect(both.exitCode).toBe(2);
  expect(both.stderr).toMatch(/^rtsafe: --latency: found together with --grid, allowed is either [^\n]*\n$/);
  writeFileSync(grid, JSON.stringify({ policy: ['wait', 'genius'] }));
  const bad = await runCaptured('sweep', '--grid', grid, '--out', newPath());
  expect(bad.exitCode).toBe(2);
  expect(bad.stderr).toMatch(/^rtsafe: \S+grid.json: policy: found "genius", allowed is [^\n]*\n$/);
});

test.each([
  ['sweep', '--latency', 'fixed:0,slow'],
  ['sweep', '--latency', 'fixed:0,,fixed:1'],
  ['sweep', '--policy', 'greedy,genius'],
  ['sweep', '--profile', 'rt-safe,no-such'],
  ['sweep', '--mode', 'static,fast'],
  ['sweep', '--shard', '3/3'],
  ['sweep', '--grid', '/no/such/grid.json'],
  ['merge', '/no/such/run'],
])('%s %s %s: one line, exit code 2, no GPU, nothing written', async (...words) => {
  const folder = newPath();
  const { exitCode, stdout, stderr } = await runCaptured(...words, '--out', folder);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^rtsafe: [^\n]*found [^\n]*allowed [^\n]*\n$/);
  expect(execute.simulatorOn).not.toHaveBeenCalled();
  expect(existsSync(folder)).toBe(false);
});

test.each(['sweep', 'merge'])('%s --help', async (command) => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  expect(await runCommandLine([command, '--help'])).toBe(0);
});
