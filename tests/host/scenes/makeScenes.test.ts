// The script that makes scene files from map facts.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formatScene, sceneFromFacts } from '../../../scripts/make-scenes.ts';
import { listBundledScenes, loadBundledScene } from '../../../src/host/scenes/load.ts';
import { parseScene } from '../../../src/host/scenes/parse.ts';

test('facts become a scene in cm; a connector becomes a sidewalk', () => {
  const scene = sceneFromFacts({
    name: 'rt2',
    roads: [
      [
        [0, 0],
        [-1, 0],
      ],
      [
        [0, 0],
        [1, 0],
      ],
    ],
    routes: [
      {
        id: 5,
        start: [5_000.25, 700],
        end: [-5_000, 700],
        edges: [
          [[9_300, 700], [700, 700], 'sidewalk'],
          [[700, 700], [-700, 700], 'crosswalk'],
          [[-700, 700], [-9_300, 700], 'sidewalk'],
        ],
        connectorEdges: [1],
      },
    ],
  });
  expect(scene.scenerySeed).toBe(2);
  expect(scene.roads[0]).toEqual([
    [0, 0],
    [-10_000, 0],
  ]);
  expect(scene.routes[0]!.edges.map(({ type }) => type)).toEqual(['sidewalk', 'sidewalk', 'sidewalk']);
  const text = formatScene(scene);
  expect(parseScene(JSON.parse(text), 'x')).toEqual(scene);
  expect(formatScene(parseScene(JSON.parse(text), 'x'))).toBe(text);
});

test.each(listBundledScenes())('%s.json is exactly what the script writes for its content', (name) => {
  const file = new URL(`../../../scenes/${name}.json`, import.meta.url);
  expect(formatScene(loadBundledScene(name))).toBe(readFileSync(file, 'utf8'));
});
