// The maps of a run as the page draws them: from the bundled scene when it is the recorded one, else from config.json.
import type { RunConfig } from '../records/runConfig.ts';
import { buildCity, type City } from '../scenes/city.ts';
import { sceneHash } from '../scenes/hash.ts';
import { listBundledScenes, loadBundledScene } from '../scenes/load.ts';
import { parseScene } from '../scenes/parse.ts';
import type { Scene } from '../scenes/schema.ts';
import type { MapView } from './reportData.ts';

type RecordedScene = RunConfig['scenes'][number];

/** The scene that a run was computed on; undefined when this version does not have it. */
function recordedScene({ name, source, hash, content }: RecordedScene): Scene | undefined {
  if (content !== undefined) return parseScene(content, `config.json: scene ${name}`);
  if (source !== 'bundled' || !listBundledScenes().includes(name)) return undefined;
  const scene = loadBundledScene(name);
  return sceneHash(scene) === hash ? scene : undefined;
}

interface Strip {
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
  readonly halfWidthCm: number;
}

function strip({ ax, ay, bx, by, halfWidthCm }: Strip): number[] {
  return [ax, ay, bx, by, halfWidthCm].map(Math.round);
}

function mapView(city: City): MapView {
  return {
    roads: city.roads.map(strip),
    sidewalks: city.sidewalks.map(strip),
    crosswalks: city.crosswalks.map(strip),
    buildings: city.buildings.map(({ minX, minY, maxX, maxY }) => [minX, minY, maxX, maxY].map(Math.round)),
  };
}

/** Maps by name (null: not to be had) and the points of their routes by `map:route`. */
export function mapViews(scenes: readonly RecordedScene[]): {
  maps: Record<string, MapView | null>;
  routes: Record<string, number[][]>;
} {
  const maps: Record<string, MapView | null> = {};
  const routes: Record<string, number[][]> = {};
  for (const entry of scenes) {
    const scene = recordedScene(entry);
    if (scene === undefined) {
      maps[entry.name] = null;
      continue;
    }
    const city = buildCity(scene);
    maps[entry.name] = mapView(city);
    for (const { id, points } of city.routes) {
      routes[`${entry.name}:${id}`] = points.map(([x, y]) => [Math.round(x), Math.round(y)]);
    }
  }
  return { maps, routes };
}
