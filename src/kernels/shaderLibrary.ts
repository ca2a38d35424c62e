// Puts a kernel's WGSL together from the files it is made of. Where the files come from is the caller's business (disk,
// fetch, bundle), so that a page can use the kernels as they are.

/** Gives the text of a file below `shaders/`, such as `common/numbers.wgsl`. */
export type ShaderLibrary = (path: string) => string;

/** Joins files in order into one module's text. */
export function joinShaders(library: ShaderLibrary, paths: readonly string[]): string {
  return paths.map((path) => `// ---- shaders/${path}\n${library(path)}`).join('\n');
}
