// `npm start`: the table, what it means, and what happens the second time.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type StartOptions, start } from '../../src/host/start.ts';
import { openReference } from './run/referenceSimulator.ts';
import { newPath, silent, smallRun } from './run/testRun.ts';

function startOptions(parent: string): StartOptions {
  return {
    run: smallRun,
    sweep: { ...smallRun, latency: 'fixed:0,fixed:1', maxDecisions: '3' },
    parent,
    openSimulator: openReference,
    progress: () => silent,
  };
}

test('prints the table and says what it shows; again, it shows what is there', async () => {
  const parent = newPath('runs');
  const options = startOptions(parent);
  const first = await start(options);
  expect(first).toContain('static  real-time\n');
  expect(first).toMatch(/When the world goes on, contacts per episode go from \d+\.\d to \d+\.\d/);
  expect(first).toContain(`Records:  ${join(parent, 'start')} `);
  expect(first).toContain('Computed: 4 episodes');
  expect(first).toContain('Computed: 8 episodes');
  const page = join(parent, 'start-sweep', 'report.html');
  expect(first).toContain(`Report:   ${page} `);
  expect(existsSync(page)).toBe(true);
  const again = await start({
    ...options,
    openSimulator: () => Promise.reject(new Error('the GPU must not be opened')),
  });
  expect(again).toContain('Computed earlier: 4 episodes');
  expect(again.slice(0, again.indexOf('Computed'))).toBe(first.slice(0, first.indexOf('Computed')));
});

test('a folder that holds something else is left alone', async () => {
  const parent = newPath('runs');
  mkdirSync(join(parent, 'start'), { recursive: true });
  writeFileSync(join(parent, 'start', 'notes.txt'), 'mine');
  const options = startOptions(parent);
  expect(await start(options)).toContain(join(parent, 'start-2'));
  expect(readdirSync(join(parent, 'start'))).toEqual(['notes.txt']);
  expect(await start({ ...options, run: { ...smallRun, seeds: '1' } })).toContain(join(parent, 'start-3'));
});
