// How to get a faster driver than the one in use.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AdapterDescription } from './adapterReport.ts';

const systemDriverFolders = ['/etc/vulkan/icd.d', '/usr/local/share/vulkan/icd.d', '/usr/share/vulkan/icd.d'];

/** Manifests of an installed lavapipe, whether or not Dawn accepts it. */
export function installedLavapipe(folders: readonly string[] = systemDriverFolders): string[] {
  return folders.flatMap((folder) => {
    try {
      return readdirSync(folder)
        .filter((name) => /^lvp_icd.*\.json$/.test(name))
        .map((name) => join(folder, name));
    } catch {
      return [];
    }
  });
}

/** Sentences for a person, given what was found and what is installed. */
export function driverAdvice(
  found: readonly Pick<AdapterDescription, 'kind'>[],
  lavapipeManifests: readonly string[] = installedLavapipe(),
): string[] {
  const has = (kind: AdapterDescription['kind']) => found.some((adapter) => adapter.kind === kind);
  if (has('hardware')) return ['A hardware GPU is there; nothing is faster.'];
  const advice = ['A hardware GPU is used by itself once its Vulkan driver is installed.'];
  if (has('lavapipe')) return advice;
  const refused = lavapipeManifests[0];
  advice.push(
    refused
      ? `lavapipe is installed (${refused}) but Dawn refuses it: its Mesa is too old. Mesa 25 works.`
      : 'lavapipe (Mesa) is 1.4 to 7 times faster than SwiftShader; it is not installed.',
    'Debian 12: add the bookworm-backports suite, then apt-get install -t bookworm-backports mesa-vulkan-drivers.',
    'Debian 13, Ubuntu 24.04 or newer: apt-get install mesa-vulkan-drivers. Fedora: dnf install mesa-vulkan-drivers.',
  );
  return advice;
}
