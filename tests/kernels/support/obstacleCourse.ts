// A short bend of two streets with everything there is close to the start of its routes, so that random agents meet in a
// minute what they would look for in a real city: boxes that stand fast, balls, patches, a wall, a zebra with signals.
import { buildCity, type City } from '../../../src/host/scenes/city.ts';
import { parseScene } from '../../../src/host/scenes/parse.ts';

const groundObjectKinds = ['box', 'oil', 'box', 'tennis', 'box', 'bottle1', 'water', 'basketball'] as const;
const fallingObjectKinds = ['box', 'soccer'] as const;

/** Points in rows along the street, every `step` cm. */
function rows(ys: readonly number[], step: number): { x: number; y: number }[] {
  return ys.flatMap((y, row) =>
    Array.from({ length: Math.floor(7000 / step) }, (_, place) => ({ x: 2250 + row * 70 + place * step, y })),
  );
}

export function obstacleCourse(): City {
  const scattered = rows([780, 980], 310).map((point, index) => ({
    kind: groundObjectKinds[index % groundObjectKinds.length]!,
    ...point,
  }));
  // No way through between these, where they stand fast.
  const barricade = rows([420], 100).map((point) => ({ kind: 'box', ...point }));
  const fallingObjects = rows([640, 860], 900).map((point, index) => ({
    kind: fallingObjectKinds[index % fallingObjectKinds.length]!,
    ...point,
  }));
  const furniture = rows([900], 700).map((point) => ({ kind: 'trash-can', ...point }));
  return buildCity(
    parseScene(
      {
        format: 'rtsafe-scene',
        version: 1,
        name: 'obstacle-course',
        scenerySeed: 3,
        roads: [
          [
            [0, 0],
            [10_000, 0],
          ],
          [
            [10_000, 0],
            [10_000, 10_000],
          ],
        ],
        routes: [
          {
            id: 0,
            start: [2_000, 700],
            end: [5_000, 700],
            edges: [{ from: [700, 700], to: [9_300, 700], type: 'sidewalk' }],
          },
          {
            id: 1,
            start: [8_000, 700],
            end: [8_700, -700],
            edges: [
              { from: [700, 700], to: [9_300, 700], type: 'sidewalk' },
              { from: [9_300, 700], to: [9_300, -700], type: 'crosswalk' },
              { from: [9_300, -700], to: [700, -700], type: 'sidewalk' },
            ],
          },
        ],
        scenery: {
          buildings: [{ minX: 1_500, minY: 1_100, maxX: 8_500, maxY: 3_000, heightCm: 1_000 }],
          furniture,
          groundObjects: [...scattered, ...barricade],
          fallingObjects,
        },
      },
      'obstacle course',
    ),
  );
}
