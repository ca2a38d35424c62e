// Which files each kernel is made of.
import { structLayout, wordConstants } from './layout.ts';
import { joinShaders, type ShaderLibrary } from './shaderLibrary.ts';

/** How the ticks of an environment are run: by a workgroup (a GPU) or by one thread (a driver on a CPU). */
export type Teamwork = 'team' | 'solo';

function joinKernel(library: ShaderLibrary, kernel: string, parts: readonly string[]): string {
  const files = ['layout', 'numbers', 'random', 'world', 'environment', ...parts];
  return joinShaders(library, [...files.map((file) => `common/${file}.wgsl`), `${kernel}.wgsl`]);
}

export function resetSource(library: ShaderLibrary): string {
  const state = structLayout(library('common/layout.wgsl'), 'EnvState');
  return `${wordConstants('STATE', state)}\n${joinKernel(library, 'reset', [])}`;
}

export function settleSource(library: ShaderLibrary): string {
  return joinKernel(library, 'settle', ['crossing', 'decision']);
}

export function advanceSource(library: ShaderLibrary, teamwork: Teamwork): string {
  const kernel = teamwork === 'team' ? 'advanceTeam' : 'advanceSolo';
  return joinKernel(library, kernel, ['crossing', 'tick', teamwork]);
}

/** Summary holds members of EnvState by the same names; the copying is made from both layouts. */
export function summarizeSource(library: ShaderLibrary): string {
  const layouts = library('common/layout.wgsl');
  const state = structLayout(layouts, 'EnvState');
  const summary = structLayout(layouts, 'Summary');
  const copies = summary.members.map(
    ({ name, words }) => `  copyWords(state + STATE_${name}, summary + SUMMARY_${name}, ${words}u);`,
  );
  return [
    wordConstants('STATE', state),
    wordConstants('SUMMARY', summary),
    joinShaders(library, ['common/random.wgsl', 'summarize.wgsl']).replace('  // COPY', copies.join('\n')),
  ].join('\n');
}
