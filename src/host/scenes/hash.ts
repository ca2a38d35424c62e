// A scene's fingerprint, kept in every record so that a run can be matched to the scene it ran on.
import { createHash } from 'node:crypto';
import type { Scene } from './schema.ts';

/** JSON with sorted keys and no white space: one text per value, however its file was laid out. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([first], [second]) => (first < second ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

/**
 * The SHA-256 of a scene's canonical JSON, in hex.
 *
 * @example sceneHash(loadBundledScene('rt10')) // 64 hex digits
 */
export function sceneHash(scene: Scene): string {
  return createHash('sha256').update(canonicalJson(scene)).digest('hex');
}
