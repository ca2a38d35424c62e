// Which routes a run takes: `all`, a map (`rt10`), one of its routes (`rt15:16`) or several (`rt10:0..3`), or a scene
// file by path (`./my.json`, `./my.json:3`); any of these in a list.
import { UsageError } from '../errors.ts';
import { listBundledScenes, loadBundledScene, loadScene } from '../scenes/load.ts';
import type { Scene } from '../scenes/schema.ts';

/** A scene and where it came from. */
export interface SelectedScene {
  readonly scene: Scene;
  /** `bundled`, or the path of the file. */
  readonly source: string;
}

export interface RouteSelection {
  /** Each scene once, in the order first named. */
  readonly scenes: readonly SelectedScene[];
  /** Each route once: `map` is the scene's name. */
  readonly routes: readonly { readonly map: string; readonly route: number }[];
}

const allowed =
  'all, a map as rt10, a route as rt10:0 or rt10:0..3, or a scene file as ./my.json or ./my.json:3';

function isPath(name: string): boolean {
  return name.includes('/') || name.includes('\\') || name.endsWith('.json');
}

function splitRouteIds(part: string): { name: string; first?: number; last?: number } {
  const [, name, first, last] = /^(.*?):(\d{1,9})(?:\.\.(\d{1,9}))?$/.exec(part) ?? [];
  if (name === undefined) return { name: part };
  return { name, first: Number(first), last: Number(last ?? first) };
}

/**
 * Reads `--routes`, or another option of that form, and loads the scenes it names.
 *
 * @throws UsageError for an unknown map or route, a faulty scene file, or two scenes of one name.
 * @example const { scenes, routes } = selectRoutes('rt10:0,rt15:16');
 */
export function selectRoutes(text: string, option = '--routes'): RouteSelection {
  const bundled = listBundledScenes();
  const scenes = new Map<string, SelectedScene>();
  const routes = new Map<string, { map: string; route: number }>();

  const sceneFrom = (name: string): Scene => {
    const source = isPath(name) ? name : 'bundled';
    if (source === 'bundled' && !bundled.includes(name)) {
      throw new UsageError(
        `${option}: found "${name}", allowed is ${allowed}; maps are ${bundled.join(', ')}`,
      );
    }
    const known = [...scenes.values()].find((entry) =>
      source === 'bundled' ? entry.source === source && entry.scene.name === name : entry.source === source,
    );
    if (known !== undefined) return known.scene;
    const scene = source === 'bundled' ? loadBundledScene(name) : loadScene(name);
    const other = scenes.get(scene.name);
    if (other !== undefined) {
      throw new UsageError(
        `${option}: found two scenes named "${scene.name}" (${other.source} and ${source}), allowed is one of each name`,
      );
    }
    scenes.set(scene.name, { scene, source });
    return scene;
  };

  for (const part of text.split(',').map((entry) => entry.trim())) {
    if (part === '') throw new UsageError(`${option}: found "${text}", allowed is ${allowed}`);
    const { name, first, last } = splitRouteIds(part);
    for (const sceneName of name === 'all' && first === undefined ? bundled : [name]) {
      const scene = sceneFrom(sceneName);
      const ids = scene.routes.map((route) => route.id);
      const wanted =
        first === undefined || last === undefined ? ids : ids.filter((id) => id >= first && id <= last);
      const complete = first === undefined || (wanted.includes(first) && wanted.includes(last ?? first));
      if (!complete || wanted.length === 0) {
        throw new UsageError(
          `${option}: found "${part}", allowed for the map ${scene.name} are the routes ${ids.join(', ')}`,
        );
      }
      for (const route of wanted) routes.set(`${scene.name}:${route}`, { map: scene.name, route });
    }
  }
  return { scenes: [...scenes.values()], routes: [...routes.values()] };
}
