// The smallest city: one street, nothing on it, and a route of a single edge.
import { buildCity } from '../../../src/host/scenes/city.ts';
import { compileWorld } from '../../../src/host/scenes/compile.ts';
import { parseScene } from '../../../src/host/scenes/parse.ts';
import type { WorldTables } from '../../../src/kernels/world.ts';

/** 40 m along a sidewalk; ten steps of 4 m reach its end. */
export const emptyStreetRouteCm = 4000;

export function emptyStreet(): WorldTables {
  const scene = parseScene(
    {
      format: 'rtsafe-scene',
      version: 1,
      name: 'empty-street',
      scenerySeed: 1,
      roads: [
        [
          [0, 0],
          [10_000, 0],
        ],
      ],
      routes: [
        {
          id: 0,
          start: [2_000, 700],
          end: [2_000 + emptyStreetRouteCm, 700],
          edges: [{ from: [700, 700], to: [9_300, 700], type: 'sidewalk' }],
        },
      ],
      scenery: { buildings: [], furniture: [], groundObjects: [], fallingObjects: [] },
    },
    'empty street',
  );
  return compileWorld([buildCity(scene)]);
}
