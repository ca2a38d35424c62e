// Makes scene files from a file of map facts: { maps: [{ name, roads (100 m grid), routes: [{ id, start, end, edges:
// [[x, y], [x, y], type], connectorEdges }] }] }. The bundled rt10 to rt20 were made with it. Same facts, same bytes.
//
//   npx tsx scripts/make-scenes.ts MAPS_JSON [OUT_DIR]
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { parseScene } from '../src/host/scenes/parse.ts';
import { routeEdgeTypes, type Scene } from '../src/host/scenes/schema.ts';

const gridCm = 10_000;

const pair = z.tuple([z.number(), z.number()]);
const mapFacts = z.object({
  name: z.string(),
  roads: z.array(z.tuple([pair, pair])),
  routes: z.array(
    z.object({
      id: z.int(),
      start: pair,
      end: pair,
      edges: z.array(z.tuple([pair, pair, z.enum(routeEdgeTypes)])),
      connectorEdges: z.array(z.int()),
    }),
  ),
});
const factsFile = z.object({ maps: z.array(mapFacts) });

/** The scene of one map. Its scenery seed is the number in its name. */
export function sceneFromFacts(facts: z.infer<typeof mapFacts>): Scene {
  const scene = {
    format: 'rtsafe-scene',
    version: 1,
    name: facts.name,
    scenerySeed: Number(/\d+/.exec(facts.name)?.[0] ?? 1),
    roads: facts.roads.map((road) => road.map(([x, y]) => [x * gridCm, y * gridCm])),
    routes: facts.routes.map(({ id, start, end, edges, connectorEdges }) => ({
      id,
      start,
      end,
      edges: edges.map(([from, to, type], index) => ({
        from,
        to,
        type: connectorEdges.includes(index) ? 'sidewalk' : type,
      })),
    })),
  };
  return parseScene(scene, `map ${facts.name}`);
}

const inline = (value: unknown): string =>
  JSON.stringify(value).replaceAll(',', ', ').replaceAll('":', '": ');

/** Readable JSON: a line per road and per edge. */
export function formatScene(scene: Scene): string {
  const roads = scene.roads.map((road) => `    ${inline(road)}`);
  const routes = scene.routes.map(({ id, start, end, edges }) => {
    const lines = edges.map((edge) => `        ${inline(edge)}`);
    const ends = `"id": ${id}, "start": ${inline(start)}, "end": ${inline(end)}`;
    return `    { ${ends}, "edges": [\n${lines.join(',\n')}\n    ] }`;
  });
  return `{
  "format": "${scene.format}",
  "version": ${scene.version},
  "name": "${scene.name}",
  "scenerySeed": ${scene.scenerySeed},
  "roads": [
${roads.join(',\n')}
  ],
  "routes": [
${routes.join(',\n')}
  ]
}
`;
}

function main([mapsFile, outputFolder = 'scenes']: readonly string[]): void {
  if (mapsFile === undefined) throw new Error('usage: npx tsx scripts/make-scenes.ts MAPS_JSON [OUT_DIR]');
  const { maps } = factsFile.parse(JSON.parse(readFileSync(mapsFile, 'utf8')));
  mkdirSync(outputFolder, { recursive: true });
  for (const facts of maps) {
    writeFileSync(join(outputFolder, `${facts.name}.json`), formatScene(sceneFromFacts(facts)));
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2));
