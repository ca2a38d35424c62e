// The city built from a scene: the released maps' numbers, the rules of the scenery, determinism.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildCity, type City } from '../../../src/host/scenes/city.ts';
import { rectanglesOverlap, segmentMeetsRectangle } from '../../../src/host/scenes/geometry.ts';
import { canonicalJson } from '../../../src/host/scenes/hash.ts';
import { listBundledScenes, loadBundledScene } from '../../../src/host/scenes/load.ts';
import { parseScene } from '../../../src/host/scenes/parse.ts';
import type { Scene } from '../../../src/host/scenes/schema.ts';
import { smallScene, smallSceneJson } from './smallScene.ts';

interface PublishedMap {
  readonly name: string;
  readonly roads: number;
  readonly deadEnds: number;
  readonly signalised: number;
  readonly vehicleGroups: number;
  readonly buildings: number;
  /** [id, length cm, most decisions, crosswalk hops, dog routes, falling objects, pedestrians at hard] */
  readonly routes: readonly (readonly [number, number, number, number, number, number, number])[];
}

/** Facts of the released maps and routes. */
const published: readonly PublishedMap[] = [
  {
    name: 'rt10',
    roads: 10,
    deadEnds: 6,
    signalised: 5,
    vehicleGroups: 9,
    buildings: 43,
    routes: [
      [0, 11530.9, 345, 0, 20, 20, 40],
      [1, 6066.1, 180, 1, 20, 20, 60],
      [2, 22833.9, 684, 0, 30, 30, 80],
      [3, 18614.1, 558, 1, 30, 30, 80],
    ],
  },
  {
    name: 'rt12',
    roads: 12,
    deadEnds: 5,
    signalised: 8,
    vehicleGroups: 14,
    buildings: 40,
    routes: [
      [8, 3537.1, 105, 0, 20, 20, 40],
      [9, 7376.9, 219, 0, 20, 20, 40],
      [10, 15256.8, 456, 0, 20, 20, 40],
      [11, 7318.8, 219, 1, 20, 20, 60],
      [12, 15991.2, 477, 1, 20, 20, 60],
      [13, 10926.7, 327, 1, 20, 20, 60],
      [14, 10657.3, 318, 1, 20, 20, 80],
      [15, 7654.8, 228, 1, 20, 20, 60],
    ],
  },
  {
    name: 'rt15',
    roads: 15,
    deadEnds: 6,
    signalised: 10,
    vehicleGroups: 18,
    buildings: 63,
    routes: [
      [16, 13909.0, 417, 0, 20, 20, 40],
      [17, 9288.6, 276, 0, 20, 20, 40],
      [18, 5571.9, 165, 0, 20, 20, 40],
      [19, 8509.8, 255, 1, 20, 20, 60],
      [20, 7048.9, 210, 0, 20, 20, 60],
      [21, 8252.5, 246, 1, 20, 20, 60],
      [22, 12731.5, 381, 1, 20, 20, 60],
      [23, 10135.4, 303, 1, 20, 20, 80],
    ],
  },
  {
    name: 'rt18',
    roads: 18,
    deadEnds: 6,
    signalised: 13,
    vehicleGroups: 22,
    buildings: 69,
    routes: [
      [24, 10331.2, 309, 0, 20, 20, 40],
      [25, 10030.6, 300, 0, 20, 20, 40],
      [26, 10727.2, 321, 0, 20, 20, 40],
      [27, 14970.2, 447, 1, 20, 20, 60],
      [28, 8912.1, 267, 1, 20, 20, 60],
      [29, 10497.2, 312, 1, 20, 20, 60],
      [30, 14853.3, 444, 1, 20, 20, 80],
      [31, 11590.8, 345, 1, 30, 30, 80],
    ],
  },
  {
    name: 'rt20',
    roads: 20,
    deadEnds: 7,
    signalised: 14,
    vehicleGroups: 24,
    buildings: 73,
    routes: [
      [32, 3998.0, 117, 0, 20, 20, 40],
      [33, 12364.2, 369, 0, 20, 20, 40],
      [34, 9880.1, 294, 0, 20, 20, 40],
      [35, 2239.6, 66, 1, 20, 20, 60],
      [36, 13217.5, 396, 1, 20, 20, 60],
      [37, 7447.6, 222, 1, 20, 20, 60],
      [38, 3727.0, 111, 1, 20, 20, 80],
      [39, 5761.7, 171, 1, 20, 20, 80],
    ],
  },
];

const cities = new Map(listBundledScenes().map((name) => [name, buildCity(loadBundledScene(name))]));
const cityOf = (name: string): City => cities.get(name)!;

/** Distance along a road from its start, and to the right of it. */
function inRoadFrame(city: City, road: number, x: number, y: number) {
  const { ax, ay, bx, by } = city.roads[road]!;
  const length = Math.abs(bx - ax) + Math.abs(by - ay);
  const [unitX, unitY] = [(bx - ax) / length, (by - ay) / length];
  return {
    along: (x - ax) * unitX + (y - ay) * unitY,
    right: (y - ay) * unitX - (x - ax) * unitY + 0,
    length,
  };
}

test.each(published)('$name has the published routes', ({ name, routes }) => {
  const city = cityOf(name);
  expect(
    city.routes.map((route) => [
      route.id,
      Number(route.lengthCm.toFixed(1)),
      route.maxDecisions,
      route.edges.filter((edge) => edge.crosswalk >= 0).length,
      route.dogRoutes.length,
      route.fallingObjects.length,
      route.pedestriansHard,
    ]),
  ).toEqual(routes);
});

test('route 0 of rt10 is as long as the published run found it', () => {
  const route = cityOf('rt10').routes[0]!;
  expect(Math.abs(route.lengthCm - 11_530.918)).toBeLessThan(1e-3);
  expect(route.points).toEqual([
    [9300, -4473.2925],
    [9300, -9300],
    [2595.7893, -9300],
  ]);
});

test.each(published)('$name has the published counts of everything', (map) => {
  const city = cityOf(map.name);
  const { roads, deadEnds, signalised, vehicleGroups } = map;
  expect(city.roads).toHaveLength(roads);
  expect(city.sidewalks).toHaveLength(2 * roads);
  expect(city.crosswalks).toHaveLength(2 * roads);
  expect(city.groundObjects).toHaveLength(26 * roads);
  expect(city.fallingObjects).toHaveLength(20 * roads);
  expect(city.furniture.filter(({ kind }) => kind === 'tree')).toHaveLength(15 * roads);
  expect(city.furniture).toHaveLength(30 * roads);
  expect(city.junctions.filter(({ degree }) => degree === 1)).toHaveLength(deadEnds);
  expect(city.junctions.filter((junction) => junction.signalised)).toHaveLength(signalised);
  expect(city.junctions.flatMap((junction) => junction.vehicleGroups)).toHaveLength(vehicleGroups);
  expect(city.junctions.reduce((sum, { degree }) => sum + degree, 0)).toBe(2 * roads);
  // Buildings are packed anew, not copied: about as many as the released maps have.
  expect(city.buildings.length / map.buildings).toBeGreaterThan(0.8);
  expect(city.buildings.length / map.buildings).toBeLessThan(1.5);
});

test.each(listBundledScenes())('%s: streets have the RT-SAFE cross-section', (name) => {
  const city = cityOf(name);
  for (const sidewalk of city.sidewalks) {
    const start = inRoadFrame(city, sidewalk.road, sidewalk.ax, sidewalk.ay);
    const end = inRoadFrame(city, sidewalk.road, sidewalk.bx, sidewalk.by);
    const isRight = sidewalk.side === 'right';
    expect([start.along, start.right]).toEqual(isRight ? [700, 700] : [9_300, -700]);
    expect([end.along, end.right]).toEqual(isRight ? [9_300, 700] : [700, -700]);
  }
  for (const [index, crosswalk] of city.crosswalks.entries()) {
    const left = inRoadFrame(city, crosswalk.road, crosswalk.ax, crosswalk.ay);
    const right = inRoadFrame(city, crosswalk.road, crosswalk.bx, crosswalk.by);
    const along = index % 2 === 0 ? 700 : 9_300;
    expect([left.along, left.right, right.along, right.right]).toEqual([along, -700, along, 700]);
    const junction = city.junctions[crosswalk.junction]!;
    expect(inRoadFrame(city, crosswalk.road, junction.x, junction.y)).toMatchObject({
      along: index % 2 === 0 ? 0 : 10_000,
      right: 0,
    });
    expect(crosswalk.signalised).toBe(junction.degree >= 2);
  }
});

test('vehicle groups: opposite approaches together, in clockwise order from +x', () => {
  const { junctions, roads } = cityOf('rt10');
  const at = (x: number, y: number) => junctions.find((junction) => junction.x === x && junction.y === y)!;
  expect(at(0, 0)).toMatchObject({ degree: 2, signalised: true, roads: [0, 1], vehicleGroups: [[0, 1]] });
  // T at (100 m, 0): roads to +x, -x and -y.
  expect(at(10_000, 0)).toMatchObject({ roads: [2, 0, 3], vehicleGroups: [[2, 0], [3]] });
  expect(at(30_000, 0)).toMatchObject({ degree: 1, signalised: false, roads: [6], vehicleGroups: [] });
  expect(roads[2]).toMatchObject({ halfWidthCm: 500, ax: 10_000, bx: 20_000 });
  expect(junctions[roads[2]!.startJunction]).toBe(at(10_000, 0));
  expect(junctions[roads[2]!.endJunction]).toBe(at(20_000, 0));
});

test('a four-way crossing has two vehicle groups', () => {
  const scene = smallSceneJson();
  for (const end of [
    [20_000, 0],
    [10_000, -10_000],
  ]) {
    scene.roads.push([[10_000, 0], end]);
  }
  const city = buildCity(parseScene(scene, 'x'));
  expect(city.junctions.find(({ degree }) => degree === 4)!.vehicleGroups).toEqual([
    [2, 0],
    [1, 3],
  ]);
});

test.each(listBundledScenes())('%s: buildings keep clear of roads, routes and each other', (name) => {
  const city = cityOf(name);
  for (const [index, building] of city.buildings.entries()) {
    for (const road of city.roads) expect(segmentMeetsRectangle(road, building, 1_100)).toBe(false);
    for (const { edges } of city.routes) {
      for (const { fromX, fromY, toX, toY } of edges) {
        const edge = { ax: fromX, ay: fromY, bx: toX, by: toY };
        expect(segmentMeetsRectangle(edge, building, 200 + 100)).toBe(false);
      }
    }
    for (const other of city.buildings.slice(index + 1))
      expect(rectanglesOverlap(building, other, 0)).toBe(false);
    const sides = [building.maxX - building.minX, building.maxY - building.minY];
    expect(Math.min(...sides)).toBeGreaterThanOrEqual(1_270);
    expect(Math.max(...sides)).toBeLessThanOrEqual(8_600);
    expect(building.heightCm).toBeGreaterThanOrEqual(1_200);
    expect(building.heightCm).toBeLessThanOrEqual(44_000);
  }
});

test.each(listBundledScenes())(
  '%s: facades line both sides of every road and close its dead ends',
  (name) => {
    const city = cityOf(name);
    const built = (x: number, y: number) =>
      city.buildings.some(({ minX, minY, maxX, maxY }) => x > minX && x < maxX && y > minY && y < maxY);
    for (const [index, road] of city.roads.entries()) {
      const { length } = inRoadFrame(city, index, road.ax, road.ay);
      const [unitX, unitY] = [(road.bx - road.ax) / length, (road.by - road.ay) / length];
      for (const side of [1, -1]) {
        let covered = 0;
        for (let along = 1_200; along < 8_800; along += 50) {
          const right = side * 1_101;
          if (built(road.ax + along * unitX - right * unitY, road.ay + along * unitY + right * unitX))
            covered++;
        }
        expect(covered / 152).toBeGreaterThan(0.7);
      }
    }
    for (const { x, y, degree, roads } of city.junctions) {
      if (degree !== 1) continue;
      const road = city.roads[roads[0]!]!;
      const [otherX, otherY] = [road.ax + road.bx - x, road.ay + road.by - y];
      expect(built(x + Math.sign(x - otherX) * 1_101, y + Math.sign(y - otherY) * 1_101)).toBe(true);
    }
  },
);

test.each(listBundledScenes())('%s: objects lie where the cross-section puts them', (name) => {
  const city = cityOf(name);
  for (const [index, object] of city.groundObjects.entries()) {
    const { along, right } = inRoadFrame(city, Math.floor(index / 26), object.x, object.y);
    expect(Math.abs(Math.abs(right) - 700)).toBeLessThanOrEqual(185.01);
    const fromStart = right > 0 ? along - 700 : 9_300 - along;
    const slot = Math.round(fromStart / 600);
    expect(slot).toBe((index % 13) + 1);
    expect(Math.abs(fromStart - 600 * slot)).toBeLessThanOrEqual(5.01);
  }
  for (const [index, piece] of city.furniture.entries()) {
    const road = Math.floor(index / 15) % city.roads.length;
    const { right } = inRoadFrame(city, road, piece.x, piece.y);
    const line = piece.kind === 'tree' ? 940 : 460;
    expect(Math.abs(Math.abs(right) - line)).toBeLessThanOrEqual(5.01);
  }
  for (const object of city.fallingObjects) {
    const { along, right } = inRoadFrame(city, city.sidewalks[object.sidewalk]!.road, object.x, object.y);
    expect(Math.abs(Math.abs(right) - 700)).toBeLessThanOrEqual(300.01);
    const fromStart = right > 0 ? along - 700 : 9_300 - along;
    expect(Math.abs(fromStart % 500)).toBe(0);
    expect(fromStart / 500).toBeGreaterThanOrEqual(1);
    expect(fromStart / 500).toBeLessThanOrEqual(16);
  }
  const places = [...city.groundObjects, ...city.furniture, ...city.fallingObjects].map(
    ({ x, y }) => `${x},${y}`,
  );
  expect(new Set(places).size).toBe(places.length);
});

function tally(kinds: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

test('kinds are about uniform over the five maps, and both sides of roads are used alike', () => {
  const all = [...cities.values()];
  const lists: [string[], number][] = [
    [all.flatMap((city) => city.groundObjects.map(({ kind }) => kind)), 8],
    [all.flatMap((city) => city.fallingObjects.map(({ kind }) => kind)), 4],
    [all.flatMap((city) => city.furniture.map(({ kind }) => kind)).filter((kind) => kind !== 'tree'), 3],
  ];
  for (const [kinds, kindCount] of lists) {
    const counts = tally(kinds);
    expect(counts.size).toBe(kindCount);
    const expected = kinds.length / kindCount;
    let chiSquare = 0;
    for (const count of counts.values()) chiSquare += (count - expected) ** 2 / expected;
    expect(chiSquare).toBeLessThan(25);
  }
  const rights = all.flatMap((city) =>
    city.furniture.map(
      ({ x, y }, index) => inRoadFrame(city, Math.floor(index / 15) % city.roads.length, x, y).right > 0,
    ),
  );
  expect(Math.abs(rights.filter(Boolean).length / rights.length - 0.5)).toBeLessThan(0.04);
  const laterals = all.flatMap((city) =>
    city.groundObjects.map(
      ({ x, y }, index) => Math.abs(inRoadFrame(city, Math.floor(index / 26), x, y).right) - 700,
    ),
  );
  const mean = laterals.reduce((sum, lateral) => sum + lateral, 0) / laterals.length;
  expect(Math.abs(mean)).toBeLessThan(10);
  const variance = laterals.reduce((sum, lateral) => sum + lateral ** 2, 0) / laterals.length;
  expect(Math.abs(Math.sqrt(variance) - 180 / Math.sqrt(3))).toBeLessThan(5);
});

test.each(listBundledScenes())('%s: every route edge is a zebra, a sidewalk or a 14 m connector', (name) => {
  const city = cityOf(name);
  for (const route of city.routes) {
    expect(route.points).toHaveLength(route.edges.length + 1);
    for (const [index, edge] of route.edges.entries()) {
      expect([edge.ax, edge.ay, edge.bx, edge.by]).toEqual([
        ...route.points[index]!,
        ...route.points[index + 1]!,
      ]);
      expect(edge.crosswalk >= 0).toBe(edge.type === 'crosswalk');
      if (edge.crosswalk < 0 && edge.sidewalk < 0) {
        expect(Math.abs(edge.toX - edge.fromX) + Math.abs(edge.toY - edge.fromY)).toBe(1_400);
      }
    }
  }
});

test.each(listBundledScenes())('%s: robot dogs zig-zag between the lines 4 m to each side', (name) => {
  const city = cityOf(name);
  for (const route of city.routes) {
    expect(new Set(route.dogRoutes.map(String)).size).toBe(route.dogRoutes.length);
    const sidewalks = route.edges.map((edge) => edge.sidewalk).filter((sidewalk) => sidewalk >= 0);
    for (const [index, nodes] of route.dogRoutes.entries()) {
      const { road } = city.sidewalks[sidewalks[Math.floor(index / 10)]!]!;
      expect(nodes.length).toBeGreaterThanOrEqual(2);
      expect(nodes.length).toBeLessThanOrEqual(6);
      expect(new Set(nodes.map(String)).size).toBe(nodes.length);
      const frames = nodes.map(([x, y]) => inRoadFrame(city, road, x, y));
      for (const [node, { along, right }] of frames.entries()) {
        expect([300, 1_100]).toContain(Math.abs(right));
        expect(along).toBeGreaterThanOrEqual(700);
        expect(along).toBeLessThanOrEqual(9_300);
        const previous = frames[node - 1];
        if (previous === undefined) continue;
        expect(Math.abs(right - previous.right)).toBe(800);
        expect([0, 500]).toContain(Math.abs(along - previous.along));
      }
    }
  }
});

test.each(listBundledScenes())('%s: pedestrian routes walk on sidewalks, zebras and connectors', (name) => {
  const city = cityOf(name);
  const ways = new Set<string>();
  for (const { ax, ay, bx, by } of [...city.sidewalks, ...city.crosswalks]) {
    ways.add(`${ax},${ay}>${bx},${by}`).add(`${bx},${by}>${ax},${ay}`);
  }
  const corners = new Set([...ways].map((way) => way.split('>')[0]!));
  for (const route of city.routes) {
    const { pedestrianRoutes, edges } = route;
    expect(pedestrianRoutes.length).toBeGreaterThanOrEqual(8);
    expect(pedestrianRoutes.length).toBeLessThanOrEqual(16);
    const texts = pedestrianRoutes.map((walk) => JSON.stringify(walk));
    expect(new Set(texts).size).toBe(texts.length);
    expect(pedestrianRoutes.some(({ isLoop }) => isLoop)).toBe(true);
    expect(pedestrianRoutes.some(({ points }) => points.length >= 5)).toBe(true);
    for (const { points, isLoop } of pedestrianRoutes) {
      if (isLoop) expect(points).toHaveLength(4);
      expect(points.length).toBeGreaterThanOrEqual(2);
      expect(points.length).toBeLessThanOrEqual(8);
      expect(new Set(points.map(String)).size).toBe(points.length);
      for (const [index, point] of points.entries()) {
        expect(corners).toContain(String(point));
        const next = points[index + 1] ?? (isLoop ? points[0] : undefined);
        if (next === undefined) continue;
        const length = Math.abs(next[0] - point[0]) + Math.abs(next[1] - point[1]);
        expect(ways.has(`${point.join()}>${next.join()}`) || length === 1_400).toBe(true);
        expect(next[0] === point[0] || next[1] === point[1]).toBe(true);
      }
    }
    const whole = pedestrianRoutes.at(-1)!.points;
    expect(whole).toHaveLength(edges.length + 1);
    expect(whole.slice(1, -1)).toEqual(route.points.slice(1, -1));
  }
});

/** Changes here change every episode on the bundled scenes: recorded runs would no longer verify. */
const goldenCityHashes = {
  rt10: '807f3028fcecfc73dfbe258428457ba02fd137b77c0374f5ec2d9bfdb6d5e1f7',
  rt12: 'fc07b5b41a0c3fbee921e08fef296af12f149959d3abd2fd31b5c5b668cf0d19',
  rt15: 'ca3e078952c4a804a0f072fb18824d9e50a771af4386a7088b6098ba5a37a06c',
  rt18: '4d8a3f725f697a24f7200855d61bf85231bf7ad7fa5790523d4ca480f0fd0b2f',
  rt20: 'b079887d946c53e64daf421737fc816a8f3573cc8d44c8cd66f6384a369c865a',
};

test.each(Object.entries(goldenCityHashes))('%s is the same city on every machine', (name, expected) => {
  expect(
    createHash('sha256')
      .update(canonicalJson(cityOf(name)))
      .digest('hex'),
  ).toBe(expected);
});

test('the same scene gives the same city; another seed moves the scenery only', () => {
  for (const name of listBundledScenes()) {
    expect(JSON.stringify(buildCity(loadBundledScene(name)))).toBe(JSON.stringify(cityOf(name)));
  }
  const scene = loadBundledScene('rt10');
  const other = buildCity({ ...scene, scenerySeed: scene.scenerySeed + 1 });
  const city = cityOf('rt10');
  for (const list of ['buildings', 'furniture', 'groundObjects', 'fallingObjects'] as const) {
    expect(other[list]).not.toEqual(city[list]);
  }
  for (const list of ['junctions', 'roads', 'sidewalks', 'crosswalks'] as const) {
    expect(other[list]).toEqual(city[list]);
  }
  expect(other.routes.map(({ points }) => points)).toEqual(city.routes.map(({ points }) => points));
  expect(other.routes[0]!.dogRoutes).not.toEqual(city.routes[0]!.dogRoutes);
  expect(other.routes[0]!.pedestrianRoutes).not.toEqual(city.routes[0]!.pedestrianRoutes);
});

test('nothing generated has more than one decimal', () => {
  for (const { groundObjects, furniture, fallingObjects } of cities.values()) {
    for (const { x, y } of [...groundObjects, ...furniture, ...fallingObjects]) {
      expect([Number(x.toFixed(1)), Number(y.toFixed(1))]).toEqual([x, y]);
    }
  }
});

test('spelled-out scenery takes the place of the generated list, and only of that one', () => {
  const fixture = new URL('../../fixtures/rt10-route0-ground-objects.json', import.meta.url);
  const { groundObjects } = JSON.parse(readFileSync(fixture, 'utf8')) as Pick<
    NonNullable<Scene['scenery']>,
    'groundObjects'
  >;
  const scenery = {
    groundObjects,
    buildings: [],
    furniture: [{ kind: 'hydrant', x: 1, y: 2 }],
    fallingObjects: [{ kind: 'box2', x: 9_200, y: -5_000 }],
  };
  const city = buildCity(parseScene({ ...loadBundledScene('rt10'), scenery }, 'x'));
  expect(city.groundObjects).toEqual(groundObjects);
  expect(city.buildings).toEqual([]);
  expect(city.furniture).toEqual([{ kind: 'hydrant', x: 1, y: 2, radiusCm: 15 }]);
  expect(city.routes[0]!.fallingObjects).toEqual([{ kind: 'box2', x: 9_200, y: -5_000, sidewalk: 7 }]);
  expect(city.routes[1]!.fallingObjects).toEqual([]);
  const withoutGround = buildCity(
    parseScene({ ...loadBundledScene('rt10'), scenery: { groundObjects: [] } }, 'x'),
  );
  expect(withoutGround.furniture).toEqual(cityOf('rt10').furniture);
});

test('the released ground objects lie on the grid the generator uses', () => {
  const fixture = new URL('../../fixtures/rt10-route0-ground-objects.json', import.meta.url);
  const { groundObjects } = JSON.parse(readFileSync(fixture, 'utf8')) as {
    groundObjects: { x: number; y: number }[];
  };
  const city = cityOf('rt10');
  const sidewalks = city.routes[0]!.edges.map((edge) => city.sidewalks[edge.sidewalk]!);
  for (const { x, y } of groundObjects) {
    const onGrid = sidewalks.filter(({ ax, ay, bx, by }) => {
      const along = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / 8_600;
      const lateral = ((y - ay) * (bx - ax) - (x - ax) * (by - ay)) / 8_600;
      const slot = Math.round(along / 600);
      return slot >= 1 && slot <= 13 && Math.abs(along - 600 * slot) <= 5 && Math.abs(lateral) <= 185;
    });
    expect(onGrid).toHaveLength(1);
  }
});

test('unusual cities are built too: a slanted road, a shortest road, a route off every sidewalk', () => {
  const scene = smallSceneJson();
  scene.roads.push([
    [0, 0],
    [-6_000, -8_000],
  ]);
  scene.roads.push([
    [10_000, 10_000],
    [12_000, 10_000],
  ]);
  scene.routes.push({
    id: 9,
    start: [50_000, 50_000],
    end: [50_000, 50_050],
    edges: [{ from: [50_000, 50_000], to: [50_000, 51_000], type: 'sidewalk' }],
  });
  const city = buildCity(parseScene(scene, 'x'));
  const plaza = city.routes.at(-1)!;
  expect(plaza).toMatchObject({
    lengthCm: 50,
    maxDecisions: 1,
    totalHops: 1,
    dogRoutes: [],
    fallingObjects: [],
  });
  expect(plaza.pedestrianRoutes).toEqual([
    {
      points: [
        [50_000, 50_000],
        [50_000, 51_000],
      ],
      isLoop: false,
    },
  ]);
  expect(plaza.edges[0]).toMatchObject({ sidewalk: -1, crosswalk: -1 });
  for (const building of city.buildings) {
    for (const road of city.roads) expect(segmentMeetsRectangle(road, building, 1_100)).toBe(false);
  }
  const slanted = city.crosswalks[4]!;
  expect([slanted.ax, slanted.ay, slanted.bx, slanted.by]).toEqual([-980, -140, 140, -980]);
});

test('a city with one straight road alone has loops and its own sidewalks', () => {
  const scene = smallScene();
  const city = buildCity(parseScene({ ...scene, roads: [scene.roads[0]], routes: [scene.routes[1]] }, 'x'));
  const { pedestrianRoutes } = city.routes[0]!;
  expect(pedestrianRoutes.filter(({ isLoop }) => isLoop).length).toBeGreaterThan(4);
  expect(city.crosswalks.every(({ signalised }) => !signalised)).toBe(true);
});
