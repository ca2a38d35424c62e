// `rtsafe scenes`: the maps and routes there are, or the check of a scene file.
import type { Command } from 'commander';
import { buildCity } from '../scenes/city.ts';
import { sceneHash } from '../scenes/hash.ts';
import { listBundledScenes, loadBundledScene, loadScene } from '../scenes/load.ts';
import type { Scene } from '../scenes/schema.ts';
import { formatTable } from '../table.ts';
import { registerScenesRender } from './scenesRender.ts';

export interface SceneReport {
  name: string;
  /** `bundled`, or the path of the file. */
  source: string;
  hash: string;
  roads: number;
  buildings: number;
  groundObjects: number;
  routes: {
    route: number;
    lengthCm: number;
    sidewalks: number;
    crosswalks: number;
    pedestriansHard: number;
    maxDecisions: number;
  }[];
}

/** What there is to know of a scene before a run. The scene must be a checked one. */
export function describeScene(scene: Scene, source: string): SceneReport {
  const city = buildCity(scene);
  return {
    name: scene.name,
    source,
    hash: sceneHash(scene),
    roads: scene.roads.length,
    buildings: city.buildings.length,
    groundObjects: city.groundObjects.length,
    routes: city.routes.map((route) => ({
      route: route.id,
      lengthCm: route.lengthCm,
      sidewalks: route.edges.filter(({ type }) => type === 'sidewalk').length,
      crosswalks: route.edges.filter(({ type }) => type === 'crosswalk').length,
      pedestriansHard: route.pedestriansHard,
      maxDecisions: route.maxDecisions,
    })),
  };
}

function format(reports: readonly SceneReport[]): string {
  const columns = [
    { title: 'route' },
    ...['length m', 'sidewalks', 'crosswalks', 'pedestrians', 'decisions at most'].map((title) => ({
      title,
      align: 'right' as const,
    })),
  ];
  const rows = reports.flatMap((report) =>
    report.routes.map((route) => [
      `${report.source === 'bundled' ? report.name : report.source}:${route.route}`,
      (route.lengthCm / 100).toFixed(1),
      String(route.sidewalks),
      String(route.crosswalks),
      String(route.pedestriansHard),
      String(route.maxDecisions),
    ]),
  );
  return formatTable(columns, rows);
}

export function registerScenes(program: Command): void {
  const scenes = program
    .command('scenes')
    .description('List maps and routes with their lengths; given scene files, check and list those')
    .argument('[files...]', 'scene files, or names of bundled maps')
    .option('--json', 'print one JSON list')
    .action((files: string[], options: { json?: true }) => {
      const bundled = listBundledScenes();
      const names = files.length === 0 ? bundled : files;
      const reports = names.map((name) =>
        bundled.includes(name)
          ? describeScene(loadBundledScene(name), 'bundled')
          : describeScene(loadScene(name), name),
      );
      process.stdout.write(options.json ? `${JSON.stringify(reports, null, 2)}\n` : format(reports));
    });
  registerScenesRender(scenes);
}
