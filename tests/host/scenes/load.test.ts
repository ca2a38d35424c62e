// Scene files: the bundled ones load, every broken one gives one clear line, hashes follow the content.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UsageError } from '../../../src/host/errors.ts';
import { canonicalJson, sceneHash } from '../../../src/host/scenes/hash.ts';
import {
  listBundledScenes,
  loadBundledScene,
  loadScene,
  maximumSceneFileBytes,
} from '../../../src/host/scenes/load.ts';
import { parseScene } from '../../../src/host/scenes/parse.ts';
import type { Scene } from '../../../src/host/scenes/schema.ts';
import { smallSceneJson } from './smallScene.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rtsafe-scenes-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function failureOf(action: () => unknown): Error {
  try {
    action();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}

function expectOneLine(error: Error, source: string): void {
  expect(error).toBeInstanceOf(UsageError);
  expect(error.message).not.toContain('\n');
  expect(error.message).toContain(source);
  expect(error.message).toMatch(/found .+, allowed is .+/);
}

test('the bundled scenes are the five maps, and each loads', () => {
  expect(listBundledScenes()).toEqual(['rt10', 'rt12', 'rt15', 'rt18', 'rt20']);
  for (const name of listBundledScenes()) expect(loadBundledScene(name).name).toBe(name);
});

test('an unknown bundled scene is refused with the names there are', () => {
  for (const name of ['rt11', '', '../package', 'rt10.json']) {
    const error = failureOf(() => loadBundledScene(name));
    expectOneLine(error, JSON.stringify(name));
    expect(error.message).toContain('rt10, rt12, rt15, rt18, rt20');
  }
});

/** Files that do not even hold a JSON value. */
const brokenFiles: [what: string, content: string | Uint8Array, expected: RegExp][] = [
  ['empty', '', /an empty file/],
  ['only white space', ' \n\t\n', /an empty file/],
  ['truncated', JSON.stringify(smallSceneJson()).slice(0, 200), /not JSON at (its end|line 1, column 201),/],
  ['NaN', '{\n  "version": NaN }', /not JSON/],
  ['Infinity', '{ "version": -Infinity }', /not JSON/],
  ['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe]), /not UTF-8/],
  ['a list', '[]', /the whole file: found \[\], allowed is an object with the keys/],
  ['null', 'null', /the whole file: found null/],
  [
    'overflowing number',
    JSON.stringify(smallSceneJson()).replace('2000', '1e999'),
    /start\[0\]: found Infinity/,
  ],
  ['deep nesting', '['.repeat(100_000), /found/],
];

test.each(brokenFiles)('a broken file is refused: %s', (what, content, expected) => {
  const file = join(folder, `${what.replaceAll(' ', '-')}.json`);
  writeFileSync(file, content);
  const error = failureOf(() => loadScene(file));
  expectOneLine(error, file);
  expect(error.message).toMatch(expected);
});

test('a missing file, a folder and a huge file are refused without reading', () => {
  const missing = join(folder, 'no-such.json');
  const missingError = failureOf(() => loadScene(missing));
  expectOneLine(missingError, missing);
  expect(missingError.message).toContain('no such file');

  const directory = join(folder, 'directory.json');
  mkdirSync(directory);
  const directoryError = failureOf(() => loadScene(directory));
  expectOneLine(directoryError, directory);
  expect(directoryError.message).toContain('a folder');

  const huge = join(folder, 'huge.json');
  writeFileSync(huge, '{');
  truncateSync(huge, 300 * 1024 * 1024);
  const hugeError = failureOf(() => loadScene(huge));
  expectOneLine(hugeError, huge);
  expect(hugeError.message).toContain(`at most ${maximumSceneFileBytes} bytes`);

  expectOneLine(
    failureOf(() => loadScene('/dev/null')),
    '/dev/null',
  );
});

// biome-ignore lint/suspicious/noExplicitAny: a broken scene has no type
type Break = (scene: any) => void;

/** A valid scene with one thing wrong: where it is found, and what the line must say. */
const brokenScenes: [what: string, breakIt: Break, path: string, expected: RegExp][] = [
  ['wrong format', (scene) => (scene.format = 'sumo'), 'format', /"sumo", allowed is "rtsafe-scene"/],
  ['wrong version', (scene) => (scene.version = 2), 'version', /found 2, allowed is 1/],
  ['no version', (scene) => delete scene.version, 'version', /found nothing/],
  ['name with a slash', (scene) => (scene.name = '../x'), 'name', /letters, digits and hyphens/],
  ['name is no text', (scene) => (scene.name = 7), 'name', /found 7/],
  [
    'negative seed',
    (scene) => (scene.scenerySeed = -1),
    'scenerySeed',
    /found -1, allowed is a whole number/,
  ],
  ['fractional seed', (scene) => (scene.scenerySeed = 1.5), 'scenerySeed', /found 1.5/],
  ['unknown key', (scene) => (scene.weather = 'rain'), 'the whole file', /unknown key "weather"/],
  ['unknown route key', (scene) => (scene.routes[1].speed = 1), 'routes[1]', /unknown key "speed"/],
  ['no roads', (scene) => (scene.roads = []), 'roads', /a list of 1 to 256 roads/],
  ['no routes', (scene) => (scene.routes = []), 'routes', /a list of 1 to 256 routes/],
  ['road of one point', (scene) => scene.roads[1].pop(), 'roads[1]', /a road \[\[x, y\], \[x, y\]\]/],
  ['point of three', (scene) => scene.roads[1][0].push(1), 'roads[1][0]', /a point \[x, y\]/],
  ['text coordinate', (scene) => (scene.roads[0][1][0] = '1'), 'roads[0][1][0]', /found "1"/],
  ['NaN coordinate', (scene) => (scene.roads[0][1][0] = Number.NaN), 'roads[0][1][0]', /found NaN/],
  [
    'infinite coordinate',
    (scene) => (scene.routes[0].end[1] = Number.POSITIVE_INFINITY),
    'routes[0].end[1]',
    /Infinity/,
  ],
  [
    'coordinate out of range',
    (scene) => (scene.routes[0].start[0] = 1e9),
    'routes[0].start[0]',
    /found 1000000000, allowed is a number of centimetres from -1000000 to 1000000/,
  ],
  ['road of no length', (scene) => (scene.roads[1][1] = [10_000, 0]), 'roads[1]', /no length/],
  ['road too short', (scene) => (scene.roads[1][1] = [10_000, 1_500]), 'roads[1]', /1500 cm/],
  ['road too long', (scene) => (scene.roads[1][1] = [10_000, 900_000]), 'roads[1]', /2000 to 100000 cm/],
  [
    'same road twice',
    (scene) => scene.roads.push([...scene.roads[0]].reverse()),
    'roads[2]',
    /the same road as roads\[0\]/,
  ],
  ['negative id', (scene) => (scene.routes[0].id = -1), 'routes[0].id', /found -1/],
  ['duplicate id', (scene) => (scene.routes[1].id = 0), 'routes[1].id', /the id of routes\[0\]/],
  ['no edges', (scene) => (scene.routes[0].edges = []), 'routes[0].edges', /1 to 64 edges/],
  [
    '65 edges',
    (scene) => (scene.routes[0].edges = Array(65).fill(scene.routes[0].edges[0])),
    'routes[0].edges',
    /found a list of 65, allowed is a list of 1 to 64 edges/,
  ],
  [
    'unknown edge type',
    (scene) => (scene.routes[0].edges[1].type = 'road'),
    'routes[0].edges[1].type',
    /found "road", allowed is one of "sidewalk", "crosswalk"/,
  ],
  [
    'edge of no length',
    (scene) => (scene.routes[0].edges[1].from = [9_300, 700.5]),
    'routes[0].edges[1]',
    /no length/,
  ],
  [
    'edge that joins nothing',
    (scene) => (scene.routes[0].edges[1].to = [9_300, 702]),
    'routes[0].edges[1]',
    /does not join/,
  ],
  [
    'edge that shares both ends',
    (scene) => (scene.routes[0].edges[1] = scene.routes[0].edges[0]),
    'routes[0].edges[1]',
    /exactly one end/,
  ],
  [
    'crosswalk with no zebra',
    (scene) => (scene.routes[0].edges[0].type = 'crosswalk'),
    'routes[0].edges[0]',
    /no zebra/,
  ],
  [
    'start off its edge',
    (scene) => (scene.routes[0].start = [2_000, 702]),
    'routes[0].start',
    /off the first/,
  ],
  ['end off its edge', (scene) => (scene.routes[0].end = [9_300, 9_302]), 'routes[0].end', /off the last/],
  ['start on the joint', (scene) => (scene.routes[0].start = [9_300, 700]), 'routes[0]', /edges\[0\]/],
  [
    'edge entered and left at one point',
    (scene) =>
      scene.routes[0].edges.splice(1, 0, { from: [9_300, 700], to: [9_300, -700], type: 'crosswalk' }),
    'routes[0]',
    /edges\[1\]/,
  ],
  [
    'unknown object kind',
    (scene) => (scene.scenery = { groundObjects: [{ kind: 'banana', x: 0, y: 0 }] }),
    'scenery.groundObjects[0].kind',
    /found "banana"/,
  ],
  [
    'unknown scenery list',
    (scene) => (scene.scenery = { clouds: [] }),
    'scenery',
    /unknown key "clouds", allowed is an object with the keys "buildings"/,
  ],
  [
    'building of no area',
    (scene) => (scene.scenery = { buildings: [{ minX: 1, minY: 1, maxX: 1, maxY: 2, heightCm: 5 }] }),
    'scenery.buildings[0]',
    /no area/,
  ],
];

test.each(brokenScenes)('a broken scene is refused: %s', (_what, breakIt, path, expected) => {
  const scene = smallSceneJson();
  breakIt(scene);
  const error = failureOf(() => parseScene(scene, 'my-city.json'));
  expectOneLine(error, 'my-city.json');
  expect(error.message.startsWith(`my-city.json: ${path}: found `), error.message).toBe(true);
  expect(error.message).toMatch(expected);
});

test('a key named __proto__ is refused or ignored, never used', () => {
  const text = JSON.stringify(smallSceneJson()).replace('{', '{"__proto__": {"scenery": {"buildings": 1}},');
  const value: unknown = JSON.parse(text);
  let scene: Scene | undefined;
  try {
    scene = parseScene(value, 'x');
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
  }
  expect(scene?.scenery).toBeUndefined();
});

test('boundaries are accepted: one edge, 64 edges, ends at the far ends, coordinates at the limit', () => {
  const scene = smallSceneJson();
  const [sidewalk] = scene.routes[0].edges;
  scene.routes[0] = { id: 0, start: [700, 700], end: [9_300, 700], edges: [sidewalk] };
  const round = [
    { from: [700, 700], to: [9_300, 700], type: 'sidewalk' },
    { from: [9_300, 700], to: [9_300, -700], type: 'crosswalk' },
    { from: [9_300, -700], to: [700, -700], type: 'sidewalk' },
    { from: [700, -700], to: [700, 700], type: 'crosswalk' },
  ];
  const edges = Array.from({ length: 16 }, () => round).flat();
  scene.routes[1] = { id: 1, start: [5_000, 700], end: [700, 0], edges };
  scene.roads.push([
    [1_000_000, -1_000_000],
    [1_000_000, -990_000],
  ]);
  expect(parseScene(scene, 'x').routes[1]!.edges).toHaveLength(64);
});

test('a list of millions of faults is refused quickly', () => {
  const scene = smallSceneJson();
  scene.roads = Array(4_000_000).fill(1);
  const error = failureOf(() => parseScene(scene, 'x'));
  expect(error.message).toBe('x: roads: found a list of 4000000, allowed is a list of 1 to 256 roads');
}, 5_000);

test('the same content has the same hash, however the file is laid out', () => {
  const scene = parseScene(smallSceneJson(), 'x');
  const { roads, ...rest } = smallSceneJson();
  expect(sceneHash(parseScene({ roads, ...rest }, 'x'))).toBe(sceneHash(scene));
  expect(sceneHash(scene)).toMatch(/^[0-9a-f]{64}$/);
  expect(sceneHash({ ...scene, scenerySeed: 4 })).not.toBe(sceneHash(scene));
  expect(canonicalJson({ b: [1, -0, { d: null, c: 'x' }], a: undefined })).toBe(
    '{"b":[1,0,{"c":"x","d":null}]}',
  );
  const hashes = listBundledScenes().map((name) => sceneHash(loadBundledScene(name)));
  expect(new Set(hashes).size).toBe(5);
});

test('the golden ground objects are a scenery list the schema takes', () => {
  const fixture = new URL('../../fixtures/rt10-route0-ground-objects.json', import.meta.url);
  const scenery: unknown = JSON.parse(readFileSync(fixture, 'utf8'));
  const scene = parseScene({ ...loadBundledScene('rt10'), scenery }, 'x');
  expect(scene.scenery?.groundObjects).toHaveLength(19);
});
