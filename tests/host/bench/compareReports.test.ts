// Two results side by side, and the guard's ratios.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BenchReport, ComparableReport } from '../../../src/host/bench/benchReport.ts';
import {
  formatComparison,
  ratioOf,
  readBenchReport,
  verdictOf,
} from '../../../src/host/bench/compareReports.ts';
import {
  checkGuard,
  type Guard,
  guardedRatios,
  limitOf,
  ratiosOf,
  readGuard,
  recordGuard,
} from '../../../src/host/bench/guard.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rtsafe-compare-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function around(median: number) {
  return { median, lowest: 0.9 * median, highest: 1.1 * median };
}

function comparable(rate: number, changes: Partial<ComparableReport> = {}): ComparableReport {
  return {
    format: 'rtsafe-bench',
    version: 2,
    measuredAt: '2026-01-31T12:00:00.000Z',
    simulator: { rtsafe: '0.1.0', webgpu: '0.6.2', shaders: 'f'.repeat(64) },
    adapter: { description: 'llvmpipe (Mesa 25)' },
    machine: { cpu: 'some CPU', threads: 2, node: 'v20.0.0', platform: 'linux-x64', loadBefore: 0.25 },
    options: { decisions: 8, repetitions: 7 },
    metrics: {
      step: [{ name: '64 environments', unit: 'actor-ticks/s', better: 'higher', ...around(rate) }],
    },
    ...changes,
  };
}

test('ratios keep the range that both ranges leave, and only what is off 1 is called a difference', () => {
  const ratio = ratioOf(around(10), around(20));
  expect([ratio.median, ratio.lowest, ratio.highest]).toEqual([2, 18 / 11, 22 / 9]);
  const [metric] = comparable(1).metrics.step!;
  expect(verdictOf(metric!, ratio)).toBe('better');
  expect(verdictOf({ ...metric!, better: 'lower' }, ratio)).toBe('worse');
  expect(verdictOf(metric!, ratioOf(around(20), around(10)))).toBe('worse');
  expect(verdictOf(metric!, ratioOf(around(10), around(11)))).toBe('');
  const none = ratioOf(around(0), around(0));
  expect([none.median, verdictOf(metric!, none)]).toEqual([1, '']);
  expect(formatComparison(comparable(0), comparable(2))).toMatch(/ 0\.00 +2\.00 +from 0 +better/);
});

test('the table has what both measured, and what differs besides is said', () => {
  const other = comparable(3_000_000, {
    adapter: { description: 'a GPU' },
    options: { decisions: 2, repetitions: 7 },
  });
  const text = formatComparison(comparable(1_000_000), {
    ...other,
    metrics: { ...other.metrics, decide: other.metrics.step! },
  });
  expect(text).toMatch(
    /step +64 environments +actor-ticks\/s +1\.00 M +3\.00 M +3\.00 \(2\.45 \.\. 3\.67\) +better/,
  );
  expect(text).toContain('adapter     llvmpipe (Mesa 25)  ->  a GPU');
  expect(text).toContain('1 number is in one of the two only.');
  expect(text).toContain('8 decisions a pass, 7 repetitions  ->  2 decisions a pass, 7 repetitions');
  expect(text).not.toContain('cpu ');
});

test('suites are found by their own names alone', () => {
  const named = comparable(1, { metrics: { constructor: comparable(1).metrics.step! } });
  expect(formatComparison(named, comparable(1))).toContain('2 numbers are in one of the two only.');
});

test('a file that is no result is one line', () => {
  const path = join(folder, 'first.json');
  for (const text of ['null', '[]', '3', '"x"', 'true']) {
    writeFileSync(path, text);
    expect(() => readBenchReport(path)).toThrow(
      `${path}: the whole file: found ${text}, allowed is the output of rtsafe bench --json`,
    );
  }
  for (const [changes, message] of [
    [{ format: 'rtsafe-run' }, 'format: found "rtsafe-run", allowed is "rtsafe-bench", as in the output of'],
    [{ machine: [] }, 'machine: found [], allowed is an object'],
    [{ metrics: { step: [{ name: 7 }] } }, 'metrics.step[0].name: found 7, allowed is a text'],
  ] as const) {
    writeFileSync(path, JSON.stringify({ ...comparable(1), ...changes }));
    expect(() => readBenchReport(path)).toThrow(`${path}: ${message}`);
  }
  writeFileSync(path, JSON.stringify({ ...comparable(1), version: 1 }));
  expect(() => readBenchReport(path)).toThrow(/^.*first\.json: version: found 1, allowed is /);
  expect(() => readBenchReport(join(folder, 'none.json'))).toThrow('no such file');
  writeFileSync(path, JSON.stringify(comparable(1)));
  expect(readBenchReport(path)).toEqual(comparable(1));
});

/** Wall time says nothing here: it is the same whatever the CPU time is. */
function cost(cpu: number) {
  return { cpu: around(cpu), wall: around(100) };
}

/** A report with what the guard reads; `slower` is how much longer the kernels took than native code. */
function guardReport(slower: number, kind = 'lavapipe'): BenchReport {
  return {
    ...comparable(1),
    adapter: { kind, description: kind },
    suites: {
      scaling: { smallCost: cost(1), largeCost: cost(1.1), readbackCost: cost(1.32) },
      yardstick: {
        native: { steppings: { tickwise: { ratio: { highest: 0.3 }, cpuRatio: { highest: 0.1 / slower } } } },
      },
      decide: { kernelShare: { highest: 0.95 } },
    },
  } as unknown as BenchReport;
}

test('the ratios are those of the best repetitions, by CPU seconds where the driver runs on the CPU', () => {
  expect(ratiosOf(guardReport(1))).toEqual({
    'kernels over native code, tick by tick': 0.1,
    'cost of an environment, 1024 over 256': expect.closeTo(1.1),
    'time with readback over stepping alone': expect.closeTo(1.2),
    'wall time of a round in kernels': 0.95,
  });
  expect(ratiosOf(guardReport(1, 'hardware'))['cost of an environment, 1024 over 256']).toBe(1);
});

test('recorded once, the same passes, a little slower passes, much slower fails by name', () => {
  const path = join(folder, 'guard.json');
  const empty: Guard = { format: 'rtsafe-bench-guard', version: 1, adapters: {} };
  recordGuard(guardReport(1), empty, path);
  const guard = readGuard(path);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(guard);
  expect(checkGuard(guardReport(1), guard).failed).toEqual([]);
  expect(checkGuard(guardReport(1.5), guard).failed).toEqual([]);
  const { failed, text } = checkGuard(guardReport(4), guard);
  expect(failed).toEqual(['kernels over native code, tick by tick']);
  expect(text).toMatch(/kernels over native code, tick by tick +0\.025 +0\.100 +at least 0\.050 +TOO SLOW/);
});

test('what was not measured or not recorded is said and not checked', () => {
  const path = join(folder, 'guard.json');
  recordGuard(guardReport(1), { format: 'rtsafe-bench-guard', version: 1, adapters: {} }, path);
  const guard = readGuard(path);
  expect(checkGuard(guardReport(9, 'swiftshader'), guard)).toEqual({
    text: 'no ratios are recorded for swiftshader: nothing was checked\n',
    failed: [],
  });
  const report = guardReport(1);
  const without = { ...report, suites: { ...report.suites, yardstick: { native: null } } };
  expect(checkGuard(without, guard).text).toMatch(
    /kernels over native code, tick by tick +not measured +not checked/,
  );
});

test('limits are on the worse side', () => {
  for (const [name, { better }] of Object.entries(guardedRatios)) {
    const limit = limitOf(name as keyof typeof guardedRatios, 1);
    expect([name, better === 'higher' ? limit < 1 : limit > 1]).toEqual([name, true]);
  }
});

test('the recorded ratios of the repository can be read', () => {
  expect(Object.keys(readGuard().adapters)).toEqual(expect.any(Array));
});
