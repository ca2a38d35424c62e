// A small valid scene for tests: a bend of two roads, one route round the inner corner, one with a zebra.
import { parseScene } from '../../../src/host/scenes/parse.ts';
import type { Scene } from '../../../src/host/scenes/schema.ts';

/** A fresh copy each time, loosely typed, so that a test may break it. */
// biome-ignore lint/suspicious/noExplicitAny: tests put in values no type allows
export function smallSceneJson(): any {
  return {
    format: 'rtsafe-scene',
    version: 1,
    name: 'small',
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
        end: [9_300, 4_000],
        edges: [
          { from: [700, 700], to: [9_300, 700], type: 'sidewalk' },
          { from: [9_300, 9_300], to: [9_300, 700], type: 'sidewalk' },
        ],
      },
      {
        id: 7,
        start: [5_000, 700],
        end: [6_000, -700],
        edges: [
          { from: [700, 700], to: [9_300, 700], type: 'sidewalk' },
          { from: [9_300, 700], to: [9_300, -700], type: 'crosswalk' },
          { from: [9_300, -700], to: [700, -700], type: 'sidewalk' },
        ],
      },
    ],
  };
}

export function smallScene(): Scene {
  return parseScene(smallSceneJson(), 'small scene');
}
