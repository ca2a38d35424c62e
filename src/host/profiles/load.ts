// Reading profiles: those that come with the package, by name, or any file.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkJson, inputFault } from '../input/jsonFault.ts';
import { parseJson, readTextFile } from '../input/readTextFile.ts';
import { canonicalJson } from '../scenes/hash.ts';
import { type Profile, profileSchema } from './schema.ts';

/** The profile of the published protocol. */
export const defaultProfileName = 'rt-safe';

const largestProfileBytes = 1024 * 1024;
const bundledProfilesFolder = fileURLToPath(new URL('../../../scenes/profiles/', import.meta.url));

/**
 * Checks a value read from JSON. `source` is named in the message, usually the file.
 *
 * @throws UsageError for the first fault: one line with source, JSON path, found, allowed.
 * @example const profile = parseProfile(JSON.parse(text), 'my-profile.json');
 */
export function parseProfile(value: unknown, source: string): Profile {
  return checkJson(profileSchema, value, source);
}

/** The names of the profiles that come with the package, sorted. */
export function listBundledProfiles(): string[] {
  if (!existsSync(bundledProfilesFolder)) return [];
  return readdirSync(bundledProfilesFolder)
    .filter((file) => file.endsWith('.json') && !file.endsWith('.schema.json'))
    .map((file) => basename(file, '.json'))
    .sort();
}

function profilePath(nameOrPath: string): string {
  const names = listBundledProfiles();
  if (names.includes(nameOrPath)) return `${bundledProfilesFolder}${nameOrPath}.json`;
  if (nameOrPath.endsWith('.json') || /[/\\]/.test(nameOrPath)) return nameOrPath;
  throw inputFault('profile', JSON.stringify(nameOrPath), `${names.join(', ')} or the path of a .json file`);
}

/**
 * Loads a profile by the name of a bundled one or by the path of a file.
 *
 * @throws UsageError for an unknown name or a faulty file.
 * @example const profile = loadProfile('strict');
 */
export function loadProfile(nameOrPath: string): Profile {
  const path = profilePath(nameOrPath);
  return parseProfile(parseJson(readTextFile(path, 'a profile in JSON', largestProfileBytes), path), path);
}

/**
 * The SHA-256 of a profile's canonical JSON, in hex: the same however its file is laid out.
 *
 * @example profileHash(loadProfile('rt-safe')) // 64 hex digits
 */
export function profileHash(profile: Profile): string {
  return createHash('sha256').update(canonicalJson(profile)).digest('hex');
}
