// The bundled maps, compiled once for all tests of one file.
import { buildCity, type City } from '../../../src/host/scenes/city.ts';
import { compileWorld } from '../../../src/host/scenes/compile.ts';
import { listBundledScenes, loadBundledScene } from '../../../src/host/scenes/load.ts';
import type { ResetRequest } from '../../../src/kernels/batchSimulator.ts';
import type { WorldTables } from '../../../src/kernels/world.ts';
import { ReferenceEpisode } from '../../reference/episode.ts';
import { obstacleCourse } from './obstacleCourse.ts';
import { testProfiles } from './testProfiles.ts';

const cities = new Map<string, City>();
const worlds = new Map<string, WorldTables>();
let scenarios: WorldTables | undefined;

function cityOf(map: string): City {
  const known = cities.get(map) ?? buildCity(loadBundledScene(map));
  cities.set(map, known);
  return known;
}

/** The tables of some bundled maps in the given order, of all of them by default; the same object for the same maps. */
export function bundledWorld(maps: readonly string[] = listBundledScenes()): WorldTables {
  const key = maps.join();
  const known = worlds.get(key) ?? compileWorld(maps.map(cityOf));
  worlds.set(key, known);
  return known;
}

/** The bundled maps, and one more where everything is close together. */
export function scenarioWorld(): WorldTables {
  scenarios ??= compileWorld([...listBundledScenes().map(cityOf), obstacleCourse()]);
  return scenarios;
}

/** Index of a route in `world.routeList`. */
export function routeIndex(world: WorldTables, map: string, id: number): number {
  const index = world.routeList.findIndex((route) => route.map === map && route.id === id);
  if (index < 0) throw new RangeError(`no route ${map}:${id} in this world`);
  return index;
}

/** The episode that a request to a batch starts, on the CPU reference. */
export function referenceEpisode(world: WorldTables, request: Omit<ResetRequest, 'env'>): ReferenceEpisode {
  const mode = request.mode === 'realtime' ? 1 : 0;
  return new ReferenceEpisode(world, testProfiles[request.rules]!.rules, { ...request, mode });
}
