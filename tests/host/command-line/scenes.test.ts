import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { SceneReport } from '../../../src/host/command-line/scenes.ts';
import { loadBundledScene } from '../../../src/host/scenes/load.ts';
import { newPath } from '../run/testRun.ts';
import { runCaptured } from './captured.ts';

test('lists the 36 routes of the five maps with their lengths', async () => {
  const { exitCode, stdout, stderr } = await runCaptured('scenes', '--json');
  expect([exitCode, stderr]).toEqual([0, '']);
  const reports = JSON.parse(stdout) as SceneReport[];
  expect(reports.map(({ name }) => name)).toEqual(['rt10', 'rt12', 'rt15', 'rt18', 'rt20']);
  const routes = reports.flatMap((report) => report.routes);
  expect(routes).toHaveLength(36);
  // RT-SAFE protocol §19
  expect(routes[0]!.lengthCm).toBeCloseTo(11530.918, 3);
  expect(routes[0]!.maxDecisions).toBe(345);
});

test('as a table', async () => {
  const { stdout } = await runCaptured('scenes', 'rt10');
  expect(stdout).toMatch(/^route +length m .*\n-+\nrt10:0 +115\.3 /);
});

test('a scene file is checked; a broken one is one line and exit code 2', async () => {
  const path = newPath('mine.json');
  writeFileSync(path, JSON.stringify({ ...loadBundledScene('rt10'), name: 'mine' }));
  expect((await runCaptured('scenes', path)).stdout).toContain(`${path}:0`);
  writeFileSync(path, JSON.stringify({ ...loadBundledScene('rt10'), roads: [] }));
  const { exitCode, stdout, stderr } = await runCaptured('scenes', path);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^rtsafe: .*mine\.json: roads: found .*, allowed is .*\n$/);
});
