// Which files and generated text each of the camera's kernels is made of.
import { recordReader, structLayout } from '../layout.ts';
import { joinShaders, type ShaderLibrary } from '../shaderLibrary.ts';
import { familyConstants } from './meshes.ts';
import { paintConstants } from './paints.ts';
import { classConstants } from './segmentation.ts';

/** How views share an atlas: all in one draw cut by clip distances, or one by one with a viewport each. */
export type Tiling = 'clip-distances' | 'viewport';

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
  const common = ['numbers', 'random', 'world', 'environment', 'cameraView', 'cameraScene'];
  return [
    layouts,
    cameraLayouts,
    stateConstants(layouts),
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

export function offsetsSource(library: ShaderLibrary): string {
  return [familyConstants(), joinShaders(library, ['common/cameraLayout.wgsl', 'cameraOffsets.wgsl'])].join(
    '\n',
  );
}

function joinDrawing(library: ShaderLibrary, tile: string, kernel: string): string {
  const common = ['cameraLayout', 'cameraTarget', tile].map((file) => `common/${file}.wgsl`);
  return joinShaders(library, [...common, `${kernel}.wgsl`]);
}

export type VertexKernel = 'cameraVertex' | 'cameraBackdrop';

export function vertexSource(library: ShaderLibrary, tiling: Tiling, kernel: VertexKernel): string {
  return tiling === 'clip-distances'
    ? `enable clip_distances;\n${joinDrawing(library, 'cameraClipTile', kernel)}`
    : joinDrawing(library, 'cameraViewportTile', kernel);
}

export type FragmentKernel =
  | 'cameraObject'
  | 'cameraBuilding'
  | 'cameraGround'
  | 'cameraShadow'
  | 'cameraSky';

/** The same for both tilings: a fragment does not see clip distances. */
export function fragmentSource(library: ShaderLibrary, kernel: FragmentKernel): string {
  return joinDrawing(library, 'cameraViewportTile', kernel);
}
