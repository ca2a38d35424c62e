// Reads the WGSL files that ship with the package. A browser page would fetch the same files instead.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ShaderLibrary } from '../kernels/shaderLibrary.ts';

// Two folders up from src/host and from dist/host alike.
const shaderFolder = fileURLToPath(new URL('../../shaders/', import.meta.url));
const cache = new Map<string, string>();

/** The text of one file below `shaders/`. */
export const readShader: ShaderLibrary = (path) => {
  const known = cache.get(path);
  if (known !== undefined) return known;
  const text = readFileSync(`${shaderFolder}${path}`, 'utf8');
  cache.set(path, text);
  return text;
};

/** The shared record layout, `shaders/common/layout.wgsl`. */
export function layoutSource(): string {
  return readShader('common/layout.wgsl');
}
