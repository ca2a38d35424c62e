// A report says what the records say: recomputed here from the lines of episodes.jsonl; and every number of the page is in
// the JSON beside it.
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseHTML } from 'linkedom';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildReport } from '../../../src/host/report/buildReport.ts';
import { chooseEpisodes } from '../../../src/host/report/episodeViews.ts';
import { escapeHtml, jsonForScript } from '../../../src/host/report/escapeHtml.ts';
import { type NumberForm, numberText, valueAt } from '../../../src/host/report/numberText.ts';
import { reportPage } from '../../../src/host/report/page.ts';
import type { Report } from '../../../src/host/report/reportData.ts';
import { writeReport } from '../../../src/host/report/writeReport.ts';
import { newPath, runSmall } from '../run/testRun.ts';
import { writeSyntheticRun } from './syntheticRun.ts';

// Parsed lines are looked at as they are, without the program's types.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Json = any;

let folder: string;
let lines: Json[];
let report: Report;
let page: string;

beforeAll(async () => {
  folder = newPath();
  await runSmall(folder, {
    difficulty: 'hard',
    latency: 'fixed:0,fixed:2,fixed:5',
    seeds: '0,1',
    maxDecisions: '10',
  });
  lines = readFileSync(join(folder, 'episodes.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  await writeReport(folder);
  report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report;
  page = readFileSync(join(folder, 'report.html'), 'utf8');
});

function total(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

function contactsIn(line: Json, interval?: string): number {
  return total(
    line.trace
      .flatMap(({ events }: Json) => events)
      .filter((event: Json) => event.kind === 'contact' && (interval ?? event.interval) === event.interval)
      .map(({ count }: Json) => count),
  );
}

test('each condition: means, shares and progress as recomputed from the lines', () => {
  expect(report.conditions).toHaveLength(6);
  for (const { summary, estimates, routes, seeds, seedSpread } of report.conditions) {
    const own = lines.filter(
      (line) =>
        line.latency === summary.latency && line.mode === summary.mode && line.policy === summary.policy,
    );
    const mean = (value: (line: Json) => number) => total(own.map(value)) / own.length;
    expect([own.length, routes, seeds]).toEqual([4, 2, 2]);
    expect(estimates.contacts.value).toBeCloseTo(
      mean((line) => contactsIn(line)),
      10,
    );
    expect(estimates.activeContacts.value).toBeCloseTo(
      mean((line) => contactsIn(line, 'active')),
      10,
    );
    expect(estimates.passiveContacts.value).toBeCloseTo(
      mean((line) => contactsIn(line, 'passive')),
      10,
    );
    expect(estimates.contacts.value).toBeCloseTo(summary.contactsPerEpisode, 10);
    expect(estimates.success.value).toBe(mean((line) => (line.outcome === 'success' ? 1 : 0)));
    expect(estimates.safeSuccess.value).toBe(mean((line) => (line.safeSuccess ? 1 : 0)));
    expect(estimates.progressMetresPerDecision.value).toBeCloseTo(
      total(own.map((line) => line.netProgressCm)) / 100 / total(own.map((line) => line.trace.length)),
      10,
    );
    const bySeed = [0, 1].map(
      (seed) => total(own.filter((line) => line.seed === seed).map((line) => contactsIn(line))) / 2,
    );
    expect(seedSpread.contacts?.standardDeviation).toBeCloseTo(
      Math.abs(bySeed[0]! - bySeed[1]!) / Math.SQRT2,
      10,
    );
    for (const { value, low, high } of Object.values(estimates)) {
      expect(low).toBeLessThanOrEqual(value!);
      expect(high).toBeGreaterThanOrEqual(value!);
    }
  }
});

test('pairs: real-time less static on the same routes and seeds', () => {
  expect(report.pairs.map(({ label }) => label)).toEqual(['fixed:0', 'fixed:2', 'fixed:5']);
  for (const pair of report.pairs) {
    const side = (mode: string) => lines.filter((line) => line.latency === pair.label && line.mode === mode);
    const [still, moving] = [side('static'), side('realtime')].map((own) =>
      total(own.map((line) => contactsIn(line))),
    );
    expect(pair.contacts.value).toBeCloseTo((moving! - still!) / 4, 10);
    expect(pair.contactRatio).toBe(still === 0 ? null : moving! / still!);
    for (const { route, difference } of pair.routes) {
      const on = (mode: string) =>
        total(
          side(mode)
            .filter((line) => `${line.map}:${line.route}` === route)
            .map((line) => contactsIn(line)),
        ) / 2;
      expect(difference).toBeCloseTo(on('realtime') - on('static'), 10);
    }
  }
  expect(report.pairs[0]!.contacts).toEqual({ value: 0, low: 0, high: 0 });
});

test('the exposure fit goes through the real-time conditions', () => {
  const moving = report.conditions.filter(({ summary }) => summary.mode === 'realtime');
  const { slope, intercept, n } = report.exposureFit!;
  expect(n).toBe(3);
  const residuals = moving.map(
    ({ summary }) => summary.contactsPerEpisode - intercept - slope * summary.exposurePerEpisode,
  );
  expect(total(residuals)).toBeCloseTo(0, 8);
  expect(
    total(residuals.map((residual, place) => residual * moving[place]!.summary.exposurePerEpisode)),
  ).toBeCloseTo(0, 6);
});

test('every number of the page is in report.json, in the form it is shown', () => {
  const { document } = parseHTML(page);
  const numbers = [...document.querySelectorAll('data')];
  expect(numbers.length).toBeGreaterThan(300);
  for (const element of numbers) {
    const value = valueAt(report, element.getAttribute('data-json')) as number | null | undefined;
    expect(element.textContent).toBe(numberText(value, element.getAttribute('data-form') as NumberForm));
    expect(element.getAttribute('value')).toBe(String(value ?? ''));
  }
});

test('no cell holds a number that is not marked, but those of the chosen episodes', () => {
  const { document } = parseHTML(page);
  const plain = [...document.querySelectorAll('section:not([aria-labelledby=episodes]) td')].filter(
    (cell) => cell.querySelector('data') === null && /^[\d.]+/.test(cell.textContent ?? ''),
  );
  expect(plain.map((cell) => cell.textContent)).toEqual([]);
  const rows = [...document.querySelectorAll('tr[data-place]')];
  expect(rows).toHaveLength(report.views.episodes.length);
  for (const [place, row] of rows.entries()) {
    const line = lines[report.views.episodes[place]!.episode];
    const cells = [...row.querySelectorAll('td')].map((cell) => cell.textContent);
    expect(cells[0]).toBe(String(line.seed));
    expect(cells.slice(3, 7)).toEqual([
      String(line.decisions),
      line.simSeconds.toFixed(1),
      String(contactsIn(line, 'active')),
      String(contactsIn(line, 'passive')),
    ]);
  }
});

test('the views hold the paths and events of the lines', () => {
  for (const { episode, trace } of report.views.episodes) {
    const line = lines[episode];
    expect(trace.map(([x, y, clock, latency]) => [x, y, clock, latency])).toEqual(
      line.trace.map((decision: Json) => [
        Math.round(decision.xCm),
        Math.round(decision.yCm),
        decision.clockSeconds,
        decision.latencySeconds,
      ]),
    );
    const counts = trace.map((entry) => total(entry.slice(5).filter((_, place) => place % 2 === 1)));
    const recorded = line.trace.map(({ events }: Json) =>
      total(events.filter((event: Json) => event.kind !== 'incident').map(({ count }: Json) => count)),
    );
    expect(counts).toEqual(recorded);
  }
});

test('the page needs nothing else: no address, no import, no file', () => {
  expect(page).not.toMatch(/https?:|\/\/[a-z0-9.-]+\.[a-z]{2,}|@import|url\(/i);
  const { document } = parseHTML(page);
  expect([
    ...document.querySelectorAll('[src], link[href]:not([href="data:,"]), iframe, object, embed'),
  ]).toEqual([]);
});

test('headings, names and captions for readers that do not see', () => {
  const { document } = parseHTML(page);
  expect(document.querySelectorAll('h1')).toHaveLength(1);
  for (const svg of document.querySelectorAll('svg')) {
    expect(svg.getAttribute('aria-hidden') === 'true' || svg.getAttribute('aria-label')).toBeTruthy();
  }
  for (const figure of document.querySelectorAll('figure'))
    expect(figure.querySelector('figcaption')?.textContent).toBeTruthy();
  for (const section of document.querySelectorAll('section')) {
    expect(document.getElementById(section.getAttribute('aria-labelledby'))?.tagName).toBe('H2');
  }
});

test('the same run gives the same bytes, made again and from another folder', async () => {
  expect(reportPage(buildReport(folder))).toBe(page);
  const copy = newPath();
  for (const name of ['config.json', 'episodes.jsonl', 'summary.json'])
    cpSync(join(folder, name), join(copy, name));
  await writeReport(copy);
  for (const name of ['report.html', 'report.json']) {
    expect(readFileSync(join(copy, name)).equals(readFileSync(join(folder, name)))).toBe(true);
  }
});

describe('names that are code', () => {
  const policy = '<script>alert("x")</script>';
  const latency = `fixed:1'"><img src=x onerror=alert(1)>&`;

  test('stay text in the page, whole in the JSON', async () => {
    const hostile = await writeSyntheticRun({
      plan: { policies: [policy], latencies: [latency, 'fixed:1'] },
      episodes: [
        { policy, latency, mode: 'static' },
        { policy, latency, mode: 'realtime' },
        { policy, latency: 'fixed:1', mode: 'realtime' },
      ],
    });
    const made = buildReport(hostile);
    const html = reportPage(made);
    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain('<img');
    const { document } = parseHTML(html);
    expect(document.querySelectorAll('script')).toHaveLength(2);
    expect(document.querySelector('title')?.textContent).toContain(policy);
    expect(document.querySelector('h1')?.textContent).toContain(policy);
    expect(made.conditions[0]?.summary.latency).toBe(latency);
    expect(made.notices).toContain('The run has no summary.json: it is not finished.');
  });

  test('escaping', () => {
    expect(escapeHtml(`<a b="c" d='e'>&`)).toBe('&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;');
    const text = jsonForScript({ text: '</script><!-- \u2028' });
    expect(text).not.toMatch(/[<>\u2028]/);
    expect(JSON.parse(text)).toEqual({ text: '</script><!-- \u2028' });
  });
});

describe('which episodes can be shown', () => {
  test('all, while they are few', () => {
    expect(chooseEpisodes([[0, 1, 2], [3]], () => 10)).toEqual({ chosen: [0, 1, 2, 3], perCondition: 3 });
  });

  test('the same number of each condition, evenly spread, beyond 200', () => {
    const groups = [0, 1].map((group) => Array.from({ length: 300 }, (_, place) => group * 300 + place));
    const { chosen, perCondition } = chooseEpisodes(groups, () => 10);
    expect([chosen.length, perCondition]).toEqual([200, 100]);
    expect(chosen.slice(0, 4)).toEqual([0, 3, 6, 9]);
    expect(chosen.slice(100).map((place) => place - 300)).toEqual(chosen.slice(0, 100));
  });

  test('fewer when their decisions are many, and never more conditions than 200', () => {
    const groups = [0, 1].map((group) => Array.from({ length: 100 }, (_, place) => group * 100 + place));
    expect(chooseEpisodes(groups, () => 1000).chosen).toHaveLength(24);
    const many = Array.from({ length: 300 }, (_, place) => [place]);
    expect(chooseEpisodes(many, () => 1).chosen).toHaveLength(200);
  });
});

test('one route gives values without intervals', async () => {
  const alone = await writeSyntheticRun({ episodes: [{ mode: 'static' }, { mode: 'realtime' }] });
  const made = buildReport(alone);
  expect(made.conditions[0]!.estimates.success).toEqual({ value: 1, low: null, high: null });
  expect(reportPage(made)).toContain('rt10:0');
  expect(made.exposureFit).toBeNull();
  const one = await writeSyntheticRun({ episodes: [{}] });
  expect(buildReport(one).views.rule).toBe('The one episode can be shown.');
});
