// The formats, where they are written, and what is never overwritten.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode } from 'fast-png';
import { beforeAll, expect, test } from 'vitest';
import { buildReport } from '../../../src/host/report/buildReport.ts';
import { mainFigureSvg } from '../../../src/host/report/png.ts';
import type { Report } from '../../../src/host/report/reportData.ts';
import { conditionsCsv, episodesCsv, reportMarkdown } from '../../../src/host/report/textFormats.ts';
import { runCaptured } from '../command-line/captured.ts';
import { newPath } from '../run/testRun.ts';
import { writeSyntheticRun } from './syntheticRun.ts';

const policy = 'a,"b"|<c>';
let folder: string;
let report: Report;

beforeAll(async () => {
  folder = await writeSyntheticRun({
    plan: { policies: [policy] },
    episodes: [
      { policy, mode: 'static', route: 0 },
      { policy, mode: 'realtime', route: 0 },
      { policy, mode: 'realtime', route: 1, success: false, safeSuccess: false, outcome: 'decision-budget' },
    ],
  });
  report = buildReport(folder);
});

/** What the command says on stderr: the run is not finished. */
function said(): string {
  return `rtsafe: ${folder}: ${report.notices.join(' ')}\n`;
}

/** Fields of CSV by RFC 4180. */
function parseCsv(text: string): string[][] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) =>
      Array.from(line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g), ([, quoted, plain]) =>
        quoted === undefined ? plain! : quoted.replaceAll('""', '"'),
      ),
    );
}

test('CSV: one row per condition and one per episode, every field under its name', () => {
  const [head, ...rows] = parseCsv(conditionsCsv(report));
  expect(rows).toHaveLength(2);
  const field = (row: string[], name: string) => row[head!.indexOf(name)];
  for (const [place, row] of rows.entries()) {
    expect(row).toHaveLength(head!.length);
    expect(field(row, 'policy')).toBe(policy);
    expect(Number(field(row, 'estimates.success.value'))).toBe(
      report.conditions[place]!.estimates.success.value,
    );
    expect(Number(field(row, 'contactsByType.human.active'))).toBe(0);
  }
  const [episodeHead, ...episodes] = parseCsv(episodesCsv(report));
  expect(episodes.map((row) => row[episodeHead!.indexOf('outcome')])).toEqual([
    'success',
    'success',
    'decision-budget',
  ]);
});

test('Markdown: tables whose rows have as many cells as their head, names escaped', () => {
  const text = reportMarkdown(report);
  expect(text).not.toContain('<c>');
  for (const block of text.split('\n\n').filter((part) => part.startsWith('| '))) {
    const widths = block
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/(?<!\\)\|/).length);
    expect(new Set(widths).size).toBe(1);
  }
});

test('PNG: the figures, drawn', async () => {
  const out = newPath('main.png');
  const { exitCode, stderr } = await runCaptured('report', folder, '--format', 'png', '--out', out);
  expect([exitCode, stderr]).toEqual([0, said()]);
  const { width, height, data, channels } = decode(readFileSync(out));
  expect([width, height]).toEqual([2592, 784]);
  const colors = new Set<string>();
  for (let place = 0; place < data.length; place += channels * 7) {
    colors.add(`${data[place]},${data[place + 1]},${data[place + 2]}`);
  }
  expect(colors.has('255,255,255')).toBe(true);
  expect(colors.size).toBeGreaterThan(20);
  expect(mainFigureSvg(report)).not.toMatch(/var\(|currentColor/);
  expect((await runCaptured('report', folder, '--format', 'png', '--out', out)).exitCode).toBe(0);
});

test.each(['html', 'csv', 'json', 'md'])(
  '%s: written twice with the same bytes, its paths on stdout',
  async (format) => {
    const out = newPath(`made.${format}`);
    const first = await runCaptured('report', folder, '--format', format, '--out', out);
    expect([first.exitCode, first.stderr]).toEqual([0, said()]);
    const paths = first.stdout.trimEnd().split('\n');
    expect(paths[0]).toBe(out);
    const before = paths.map((path) => readFileSync(path, 'utf8'));
    expect((await runCaptured('report', folder, '--format', format, '--out', out)).exitCode).toBe(0);
    expect(paths.map((path) => readFileSync(path, 'utf8'))).toEqual(before);
    expect(readdirSync(join(out, '..')).toSorted()).toEqual(
      paths.map((path) => path.slice(out.lastIndexOf('/') + 1)).toSorted(),
    );
  },
);

test('without --out: report.html and report.json in the folder', async () => {
  const { stdout } = await runCaptured('report', folder);
  expect(stdout).toBe(`${join(folder, 'report.html')}\n${join(folder, 'report.json')}\n`);
  expect(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))).toEqual(
    JSON.parse(JSON.stringify(report)),
  );
});

test.each(['html', 'csv', 'json', 'md', 'png'])(
  '%s: what is no report of ours is left as it is',
  async (format) => {
    const out = newPath(`mine.${format}`);
    writeFileSync(out, 'mine, and long enough to be something');
    const { exitCode, stdout, stderr } = await runCaptured(
      'report',
      folder,
      '--format',
      format,
      '--out',
      out,
    );
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^rtsafe: [^\n]*found a file that is no report of rtsafe, allowed [^\n]*\n$/);
    expect(readFileSync(out, 'utf8')).toBe('mine, and long enough to be something');
  },
);

test('a report.json of somebody else beside the page stops the page too', async () => {
  const out = newPath('page.html');
  writeFileSync(join(out, '..', 'page.json'), '{"mine": true}');
  expect((await runCaptured('report', folder, '--out', out)).exitCode).toBe(2);
  expect(existsSync(out)).toBe(false);
});

test.each([
  ['--format', 'pdf'],
  ['--out', '/no/such/folder/report.html'],
  ['--out', 'folder'],
  ['--out', 'page.json'],
])('%s %s: one line, exit code 2', async (option, value) => {
  const path = newPath(value);
  if (value === 'folder') mkdirSync(path);
  const given = option === '--out' && !value.startsWith('/') ? path : value;
  const { exitCode, stdout, stderr } = await runCaptured('report', folder, option, given);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^rtsafe: [^\n]*found [^\n]*allowed [^\n]*\n$/);
});
