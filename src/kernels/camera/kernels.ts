// Which files and generated text each of the camera's kernels is made of.
import { recordReader, structLayout } from '../layout.ts';
import { joinShaders, type ShaderLibrary } from '../shaderLibrary.ts';
import { faceConstants } from './meshBuilder.ts';
import { familyConstants } from './meshes.ts';
import { paintConstants } from './paints.ts';
import { largeRadius } from './scene.ts';
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

export function shapeSource(library: ShaderLibrary): string {
  const files = ['common/cameraLayout.wgsl', 'common/cameraDistance.wgsl', 'cameraShape.wgsl'];
  return [limitConstants(), familyConstants(), faceConstants(), joinShaders(library, files)].join('\n');
}

export type DrawingKernel =
  | 'cameraCorner'
  | 'cameraBackdrop'
  | 'cameraObject'
  | 'cameraBuilding'
  | 'cameraGround'
  | 'cameraShadow'
  | 'cameraSky';

export function drawingSource(library: ShaderLibrary, kernel: DrawingKernel): string {
  const common = ['cameraLayout', 'cameraDistance', 'cameraTarget'].map((file) => `common/${file}.wgsl`);
  return [limitConstants(), paintConstants(), joinShaders(library, [...common, `${kernel}.wgsl`])].join('\n');
}
