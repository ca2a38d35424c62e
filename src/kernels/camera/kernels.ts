// Which files and generated text each of the camera's kernels is made of.
import { recordReader, structLayout } from '../layout.ts';
import { joinShaders, type ShaderLibrary } from '../shaderLibrary.ts';
import { faceConstants } from './meshBuilder.ts';
import { familyConstants } from './meshes.ts';
import { paintConstants } from './paints.ts';
import { clusterSize, largeRadius } from './scene.ts';
import { classConstants } from './segmentation.ts';

/** Most views of a pass. */
export const viewLimit = 4096;
/** Most things in one view. */
export const sightLimit = 1024;
/** Triangles are taken from their list in chunks of so many. */
export const chunkTriangles = 16;
/** Chunks that a small picture may have of each list (`meshKinds`); larger pictures may have a multiple. */
export const listChunks = [96, 16, 16, 8] as const;
/** Buildings of a view that things are looked for behind. */
export const hiderLimit = 8;
/** Most polygons of a small picture, and how many of them are kept for what is no object; larger ones may have a multiple. */
export const polygonLimit = 2048;
const polygonReserve = 512;
/** Words of a polygon, and where in them what is (cameraPolygons.wgsl). */
export const polygonWords = 12;
/** Rows of a tile (cameraPaint.wgsl has them as vectors of four), and rows of a picture that a subgroup paints. */
const tileRows = 4;
export const bandRows = 64;
/** Polygons' bounds are kept in bytes, in units of so many pixels. */
export const boundPixels = tileRows;
/** Corners are on a grid of 2 ** gridShift steps a pixel: as many as every driver distinguishes. */
const gridShift = 4;
/** Step in depth from one layer of the ground to the next: below all that stands within a million metres. */
const layerStep = 2 ** -20;
/** Words of `struct Placed`. */
export const placedWords = 20;

/** Which part of the triangles' buffer each list has, in chunks a view, as far as it is shared out before it. */
export function listStart(list: number): number {
  return listChunks.slice(0, list).reduce((sum, chunks) => sum + chunks, 0);
}

function array(values: readonly number[]): string {
  return `array<u32, ${values.length}>(${values.map((value) => `${value}u`).join(', ')})`;
}

function limitConstants(): string {
  return [
    `const VIEW_LIMIT = ${viewLimit}u;`,
    `const SIGHT_LIMIT = ${sightLimit}u;`,
    `const PLACED = ${placedWords / 4}u;`,
    `const HIDER_LIMIT = ${hiderLimit}u;`,
    `const POLYGON_LIMIT = ${polygonLimit}u;`,
    `const BOUND_PIXELS = ${boundPixels}u;`,
    `const POLYGON_RESERVE = ${polygonReserve}u;`,
    `const POLYGON = ${polygonWords}u;`,
    'const LOOK = 7u;',
    'const BOUNDS = 8u;',
    'const INSTANCE = 9u;',
    'const LIST_IN_LOOK = 30u;',
    'const MARK_IN_LOOK = 24u;',
    'const MARK_MASK = 63u;',
    `const TILE_ROWS = ${tileRows}u;`,
    `const BAND_ROWS = ${bandRows}u;`,
    `const GRID_SHIFT = ${gridShift}u;`,
    `const GRID = ${2 ** gridShift};`,
    `const HALF_PIXEL = ${2 ** (gridShift - 1)};`,
    `const LAYER = ${layerStep};`,
    `const CLUSTER_THINGS = ${clusterSize}u;`,
    `const CHUNK = ${chunkTriangles}u;`,
    `const LARGE_RADIUS = ${largeRadius}.0;`,
    `const LIST_CHUNKS = ${array(listChunks)};`,
    `const LIST_STARTS = ${array(listChunks.map((_, list) => listStart(list)))};`,
    '',
  ].join('\n');
}

/** `const STATE_x`: the word of every member of EnvState. */
function stateConstants(layouts: string): string {
  const state = structLayout(layouts, 'EnvState');
  const members = state.members.map(({ name, word }) => `const STATE_${name} = ${word}u;`);
  return [...members, `const STATE_WORDS = ${state.words}u;`, ''].join('\n');
}

/** Joins a compute kernel that reads the batch's state. */
function stateKernel(library: ShaderLibrary, kernel: 'cameraSee' | 'cameraPlace'): string {
  const layouts = library('common/layout.wgsl');
  const cameraLayouts = library('common/cameraLayout.wgsl');
  const common = ['numbers', 'random', 'world', 'environment', 'cameraView', 'cameraScene', 'cameraHidden'];
  return [
    layouts,
    cameraLayouts,
    stateConstants(layouts),
    limitConstants(),
    familyConstants(),
    paintConstants(),
    classConstants(),
    recordReader(structLayout(layouts, 'Route'), 'routes'),
    recordReader(structLayout(layouts, 'Rules'), 'ruleSets'),
    cameraReader(cameraLayouts, 'Cluster'),
    cameraReader(cameraLayouts, 'Thing'),
    joinShaders(library, [...common.map((file) => `common/${file}.wgsl`), `${kernel}.wgsl`]),
  ].join('\n');
}

/** `recordReader` for a record that also has floats. */
function cameraReader(layouts: string, name: string): string {
  const layout = structLayout(layouts, name);
  const body = new RegExp(`struct\\s+${name}\\s*\\{([^}]*)\\}`).exec(layouts)![1]!;
  const vectors = Array.from(
    { length: layout.words / 4 },
    (_, vector) => `  let w${vector} = sceneWords[base + ${vector}u];`,
  );
  const values = layout.members.map((member) => {
    const text = `w${member.word >> 2}.${'xyzw'[member.word & 3]}`;
    const type = new RegExp(`\\b${member.name}\\s*:\\s*(\\w+)`).exec(body)![1]!;
    return type === 'u32' ? text : `bitcast<${type}>(${text})`;
  });
  return `
fn read${name}(index: u32) -> ${name} {
  let base = index * ${layout.words / 4}u;
${vectors.join('\n')}
  return ${name}(${values.join(', ')});
}
`;
}

export function seeSource(library: ShaderLibrary): string {
  return stateKernel(library, 'cameraSee');
}

export function placeSource(library: ShaderLibrary): string {
  return stateKernel(library, 'cameraPlace');
}

/** What cameraShape keeps what it makes as. */
export type ShapeList = 'cameraTriangles' | 'cameraPolygons';

export function shapeSource(library: ShaderLibrary, list: ShapeList): string {
  const files = [
    'common/cameraLayout.wgsl',
    'common/cameraDistance.wgsl',
    'common/cameraEdges.wgsl',
    `common/${list}.wgsl`,
    'cameraShape.wgsl',
  ];
  return [limitConstants(), familyConstants(), faceConstants(), joinShaders(library, files)].join('\n');
}

/** `most`: polygons of a view, a multiple of 32; `lanes`: of a subgroup, eight or more. */
export function paintSource(library: ShaderLibrary, lanes: number, most: number): string {
  return [
    'enable subgroups;\ndiagnostic(off, subgroup_uniformity);',
    `const POLYGONS = ${most}u;`,
    `const LANES = ${lanes}u;`,
    limitConstants(),
    familyConstants(),
    paintConstants(),
    joinShaders(library, [...surfaceFiles, 'common/cameraEdges.wgsl', 'cameraPaint.wgsl']),
  ].join('\n');
}

const surfaceFiles = ['cameraLayout', 'cameraDistance', 'cameraSurface'].map((file) => `common/${file}.wgsl`);

export type DrawingKernel =
  | 'cameraCorner'
  | 'cameraBackdrop'
  | 'cameraObject'
  | 'cameraBuilding'
  | 'cameraGround'
  | 'cameraShadow'
  | 'cameraSky';

export function drawingSource(library: ShaderLibrary, kernel: DrawingKernel): string {
  const files = [...surfaceFiles, 'common/cameraTarget.wgsl', `${kernel}.wgsl`];
  return [limitConstants(), paintConstants(), joinShaders(library, files)].join('\n');
}
