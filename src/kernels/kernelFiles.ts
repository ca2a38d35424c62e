// Which files and generated accessors each kernel is made of.
import { stateConstants } from './environment/stateFields.ts';
import { addressByWord, recordReader, signedWords, structLayout } from './layout.ts';
import { joinShaders, type ShaderLibrary } from './shaderLibrary.ts';

/** How the ticks of an environment are run: by a workgroup (a GPU) or by one thread (a driver on a CPU). */
export type Teamwork = 'team' | 'solo';

interface KernelParts {
  readonly kernel: string;
  readonly common: readonly string[];
  /** Records of read-only buffers that the kernel reads whole: struct name and buffer. */
  readonly records: Readonly<Record<string, string>>;
}

/** Members of `env` up to the trail, which only one rule needs and which stays in storage. */
function environmentConstants(layouts: string): string {
  const state = structLayout(layouts, 'EnvState');
  const words = state.word('trail');
  return [
    `const STATE_WORDS = ${state.words}u;`,
    `const ENV_WORDS = ${words}u;`,
    `const SIGNED_WORDS = ${signedWords(state, words)};`,
    `const HASHED_WORD = ${state.word('status')}u;`,
    `const HASH_WORD = ${state.word('stateHash')}u;`,
    `const SUMMARY_WORD = ${state.word('status')}u;`,
    `const SUMMARY_WORDS = ${structLayout(layouts, 'Summary').words}u;`,
    '',
  ].join('\n');
}

function joinKernel(library: ShaderLibrary, { kernel, common, records }: KernelParts): string {
  const layouts = library('common/layout.wgsl');
  const files = [...common.map((file) => `common/${file}.wgsl`), `${kernel}.wgsl`];
  const readers = Object.entries(records).map(([name, buffer]) =>
    recordReader(structLayout(layouts, name), buffer),
  );
  const text = addressByWord(joinShaders(library, files), 'env', structLayout(layouts, 'EnvState'));
  return [environmentConstants(layouts), ...readers, library('common/layout.wgsl'), text].join('\n');
}

const worldRecords = { Route: 'routes', Shape: 'shapes', PathSegment: 'segments', Rules: 'ruleSets' };
const worldFiles = ['numbers', 'random', 'world', 'environment', 'agent'];

export function resetSource(library: ShaderLibrary): string {
  return joinKernel(library, {
    kernel: 'reset',
    common: [...worldFiles, 'ownEnvironment', 'coarse'],
    records: { ...worldRecords, ResetRequest: 'requests' },
  });
}

export function settleSource(library: ShaderLibrary): string {
  return joinKernel(library, {
    kernel: 'settle',
    common: [...worldFiles, 'ownEnvironment', 'route', 'moves', 'crossing', 'decision'],
    records: { ...worldRecords, Decision: 'decisions' },
  });
}

export function advanceSource(library: ShaderLibrary, teamwork: Teamwork): string {
  const own = teamwork === 'team' ? [] : ['ownEnvironment'];
  return joinKernel(library, {
    kernel: teamwork === 'team' ? 'advanceTeam' : 'advanceSolo',
    common: [
      ...worldFiles,
      ...own,
      'crossing',
      'chunk',
      'conflicts',
      'surroundings',
      'coarse',
      'looking',
      'walkers',
      'objects',
      ...(teamwork === 'team' ? ['team'] : ['solo', 'pairs']),
    ],
    records: worldRecords,
  });
}

export function observeSource(library: ShaderLibrary): string {
  const kernel = joinKernel(library, {
    kernel: 'observe',
    common: [...worldFiles, 'ownEnvironment', 'route', 'moves', 'nearest'],
    records: worldRecords,
  });
  return stateConstants() + kernel;
}

export function summarizeSource(library: ShaderLibrary): string {
  return joinKernel(library, {
    kernel: 'summarize',
    common: ['numbers', 'random', 'environment', 'ownEnvironment'],
    records: {},
  });
}
