// The page in a browser: headless Chromium opens it in light and dark, on a phone and in print. Skipped where there is no
// /usr/bin/chromium; `.ci/run` installs it.
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeReport } from '../../../src/host/report/writeReport.ts';
import { newPath, runSmall } from '../run/testRun.ts';

const executablePath = '/usr/bin/chromium';
const isThere = existsSync(executablePath);
const browserFlags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let browser: Browser;
let address: string;
/** What pages said that they should not have. */
const complaints: string[] = [];

async function open(options: Parameters<Browser['newPage']>[0]): Promise<Page> {
  const page = await browser.newPage(options);
  page.on('console', (message) => complaints.push(`console ${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (request.url() !== address && !request.url().startsWith('data:'))
      complaints.push(`request: ${request.url()}`);
  });
  await page.goto(address);
  return page;
}

function isWiderThanItsWindow(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
}

function background(page: Page): Promise<string> {
  return page.evaluate('getComputedStyle(document.body).backgroundColor');
}

describe.skipIf(!isThere)(
  `in ${executablePath}${isThere ? '' : ', which is not there: .ci/run installs it'}`,
  () => {
    beforeAll(async () => {
      const folder = newPath();
      await runSmall(folder, { difficulty: 'hard', latency: 'fixed:0,fixed:4', maxDecisions: '10' });
      const {
        paths: [path],
      } = await writeReport(folder);
      address = pathToFileURL(path!).href;
      browser = await chromium.launch({ executablePath, headless: true, args: browserFlags });
    });

    afterAll(async () => {
      await browser?.close();
    });

    test('light and dark: the colours of the reader’s choice', async () => {
      const light = await open({ colorScheme: 'light', viewport: { width: 1100, height: 900 } });
      expect(await background(light)).toBe('rgb(255, 255, 255)');
      expect(await light.locator('svg.plot').count()).toBeGreaterThanOrEqual(6);
      expect(await isWiderThanItsWindow(light)).toBe(false);
      const dark = await open({ colorScheme: 'dark', viewport: { width: 1100, height: 900 } });
      expect(await background(dark)).toBe('rgb(20, 24, 29)');
      await Promise.all([light.close(), dark.close()]);
      expect(complaints).toEqual([]);
    });

    test('a phone of 390 pixels: nothing sticks out', async () => {
      const page = await open({ colorScheme: 'light', viewport: { width: 390, height: 800 } });
      expect(await isWiderThanItsWindow(page)).toBe(false);
      const sizes = await page
        .locator('svg.plot:visible')
        .evaluateAll((figures) =>
          figures.map((figure) => (figure as unknown as { clientWidth: number }).clientWidth),
        );
      expect(Math.max(...sizes)).toBeLessThanOrEqual(390);
      expect(Math.min(...sizes)).toBeGreaterThan(250);
      await page.close();
      expect(complaints).toEqual([]);
    });

    test('print: ink on white even from dark, without what can only be clicked', async () => {
      const page = await open({ colorScheme: 'dark', viewport: { width: 800, height: 1000 } });
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      expect(await background(page)).toBe('rgb(255, 255, 255)');
      expect(await page.locator('tr[data-place]').first().isVisible()).toBe(false);
      expect(await page.locator('#path svg').isVisible()).toBe(true);
      expect((await page.pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-');
      await page.close();
      expect(complaints).toEqual([]);
    });

    test('choosing an episode changes path, timeline, events and name; the filter hides rows', async () => {
      const page = await open({ viewport: { width: 1100, height: 900 } });
      const rows = page.locator('tr[data-place]');
      expect(await rows.count()).toBe(8);
      const parts = ['#path', '#timeline', '#shown'] as const;
      const content = () => Promise.all(parts.map((part) => page.locator(part).innerHTML()));
      const before = await content();
      expect(await page.locator('tr[aria-current=true]').count()).toBe(1);
      const other = page.locator('tr[data-place]:not([aria-current])').last();
      const place = await other.getAttribute('data-place');
      await other.locator('button').click();
      expect(await page.locator('tr[aria-current=true]').getAttribute('data-place')).toBe(place);
      for (const [index, html] of (await content()).entries()) expect(html).not.toBe(before[index]);
      expect(await page.locator('#path svg polyline').count()).toBe(2);
      expect(await page.locator('#path svg rect').count()).toBeGreaterThan(0);
      await page.selectOption('#condition', '1');
      expect(await page.locator('tr[data-place]:visible').count()).toBe(2);
      await page.close();
      expect(complaints).toEqual([]);
    });

    test('without scripts the first episode is drawn all the same', async () => {
      const page = await open({ javaScriptEnabled: false });
      expect(await page.locator('#path svg').isVisible()).toBe(true);
      expect(await page.locator('#timeline svg').isVisible()).toBe(true);
      await page.close();
    });
  },
);
