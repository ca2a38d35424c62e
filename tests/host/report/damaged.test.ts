// Damaged, mixed and unfinished runs: refused by name with exit code 2, or left out, counted and said on the page.
import { appendFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { makeRunSummary, runSummaryText, type WallTime } from '../../../src/host/metrics/runSummary.ts';
import { buildReport } from '../../../src/host/report/buildReport.ts';
import { reportPage } from '../../../src/host/report/page.ts';
import { runCaptured } from '../command-line/captured.ts';
import { newPath } from '../run/testRun.ts';
import { writeSyntheticRun } from './syntheticRun.ts';

const noWall: WallTime = {
  seconds: 1,
  setupSeconds: 0,
  environments: 1,
  adapter: 'none',
  episodes: 3,
  decisions: 3,
  simSeconds: 3,
};

let folder: string;
const lines = (): string[] => readFileSync(join(folder, 'episodes.jsonl'), 'utf8').trimEnd().split('\n');

beforeEach(async () => {
  folder = await writeSyntheticRun({
    episodes: [
      { route: 0 },
      { route: 1 },
      { route: 2, success: false, safeSuccess: false, outcome: 'decision-budget' },
    ],
  });
});

async function refused(): Promise<string> {
  const { exitCode, stdout, stderr } = await runCaptured('report', folder);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^rtsafe: [^\n]*found [^\n]*allowed [^\n]*\n$/);
  return stderr;
}

test('a line cut off at the end is left out, counted and said', () => {
  const path = join(folder, 'episodes.jsonl');
  truncateSync(path, readFileSync(path).length - 40);
  const report = buildReport(folder);
  expect(report.run).toMatchObject({ episodes: 2, cutOffLines: 1, plannedEpisodes: 8 });
  expect(report.conditions[0]!.estimates.success.value).toBe(1);
  const said = '1 line at the end of episodes.jsonl is cut off and was left out of every number.';
  expect(report.notices).toContain(said);
  expect(reportPage(report)).toContain(said);
  expect(report.notices.join()).toContain('The run holds 2 of 8 episodes that were planned');
});

test('a damaged line in the middle is named', async () => {
  const [first, second, third] = lines();
  writeFileSync(join(folder, 'episodes.jsonl'), `${first}\n${second!.slice(0, 80)}\n${third}\n`);
  expect(await refused()).toContain('episodes.jsonl: line 2');
});

test('a value that cannot be is named', async () => {
  const text = readFileSync(join(folder, 'episodes.jsonl'), 'utf8');
  writeFileSync(join(folder, 'episodes.jsonl'), text.replace('"decisions":1', '"decisions":-1'));
  expect(await refused()).toContain('line 1: decisions');
});

test('an episode of another run or version is named', async () => {
  const other = { ...(JSON.parse(lines()[0]!) as object), route: 3, run: '0123456789abcdef' };
  appendFileSync(join(folder, 'episodes.jsonl'), `${JSON.stringify(other)}\n`);
  expect(await refused()).toContain('line 4: found an episode of another run or version');
});

test('an episode that is there twice is named', async () => {
  appendFileSync(join(folder, 'episodes.jsonl'), `${lines()[0]}\n`);
  expect(await refused()).toContain('again');
});

test('no folder, no config, no episodes', async () => {
  writeFileSync(join(folder, 'episodes.jsonl'), '');
  expect(await refused()).toContain('no finished episode');
  rmSync(join(folder, 'config.json'));
  expect(await refused()).toContain('config.json');
  folder = newPath();
  await refused();
});

test.each(['html', 'csv', 'md'])('what is amiss is one line on stderr too: %s', async (format) => {
  const path = join(folder, 'episodes.jsonl');
  truncateSync(path, readFileSync(path).length - 40);
  const { exitCode, stdout, stderr } = await runCaptured('report', folder, '--format', format);
  expect([exitCode, stdout.split('\n')[0]]).toEqual([0, join(folder, `report.${format}`)]);
  expect(stderr).toBe(`rtsafe: ${folder}: ${buildReport(folder).notices.join(' ')}\n`);
  expect(stderr).toContain(
    '1 line at the end of episodes.jsonl is cut off and was left out of every number. The run holds 2 of 8 episodes',
  );
});

test('a summary that says something else is said, one that cannot be read is refused', async () => {
  const summary = runSummaryText(makeRunSummary(join(folder, 'episodes.jsonl'), noWall));
  writeFileSync(join(folder, 'summary.json'), summary);
  expect(buildReport(folder).notices.join()).not.toContain('summary.json');
  writeFileSync(join(folder, 'summary.json'), summary.replace(/"spl": [\d.]+/, '"spl": 0.123'));
  expect(buildReport(folder).notices.join()).toContain('summary.json says something else');
  for (const damaged of [summary.slice(0, 99), '{', 'null', '[]', '']) {
    writeFileSync(join(folder, 'summary.json'), damaged);
    // oxlint-disable-next-line no-await-in-loop -- each catches what is written
    expect(await refused()).toContain('summary.json');
    expect(existsSync(join(folder, 'report.html'))).toBe(false);
  }
});

test('a scene that this version does not have is not drawn, and said', async () => {
  expect(buildReport(folder).views.maps.rt10?.roads.length).toBeGreaterThan(0);
  const other = await writeSyntheticRun({ episodes: [{}], sceneHash: 'f'.repeat(64) });
  const report = buildReport(other);
  expect(report.views.maps).toEqual({ rt10: null });
  expect(report.notices.join()).toContain('The map rt10 is not drawn');
  expect(reportPage(report)).toContain('The map rt10 is not drawn');
});
