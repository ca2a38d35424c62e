import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UsageError } from '../../../src/host/errors.ts';
import { selectRoutes } from '../../../src/host/run/routeSelection.ts';
import { loadBundledScene } from '../../../src/host/scenes/load.ts';

function names(text: string): string[] {
  return selectRoutes(text).routes.map(({ map, route }) => `${map}:${route}`);
}

test('all: the 36 routes of the five maps', () => {
  const { scenes, routes } = selectRoutes('all');
  expect(scenes.map(({ scene }) => scene.name)).toEqual(['rt10', 'rt12', 'rt15', 'rt18', 'rt20']);
  expect(routes).toHaveLength(36);
});

test('maps, routes and ranges in a list, each route once', () => {
  const [first, second] = loadBundledScene('rt10').routes.map((route) => route.id);
  expect(names(`rt10:${first},rt10:${first}..${second}`)).toEqual([`rt10:${first}`, `rt10:${second}`]);
  expect(names('rt10')).toHaveLength(loadBundledScene('rt10').routes.length);
});

test('a scene file by path', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rtsafe-routes-'));
  const path = join(folder, 'mine.json');
  writeFileSync(path, JSON.stringify({ ...loadBundledScene('rt10'), name: 'mine' }));
  const first = loadBundledScene('rt10').routes[0]!.id;
  const { scenes, routes } = selectRoutes(`${path}:${first}`);
  expect(scenes[0]!.source).toBe(path);
  expect(routes).toEqual([{ map: 'mine', route: first }]);
  writeFileSync(path, JSON.stringify(loadBundledScene('rt10')));
  expect(() => selectRoutes(`rt10,${path}`)).toThrow(/two scenes named "rt10"/);
});

test.each([
  '',
  'rt11',
  'rt10:999',
  'rt10:0..999',
  'rt10:x',
  'rt10,,rt12',
  'all:0',
  './no-such.json',
  'rt10:-1',
])('"%s" is refused in one line', (text) => {
  expect(() => selectRoutes(text)).toThrow(UsageError);
  expect(() => selectRoutes(text)).toThrow(/^[^\n]*found[^\n]*allowed[^\n]*$/);
});
