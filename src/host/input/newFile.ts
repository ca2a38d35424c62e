// Files that a command makes: nothing that is there is overwritten.
import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { inputFault } from './jsonFault.ts';

/**
 * A path at which a file can be made.
 *
 * @throws UsageError for an empty name, where something is there already, or the folder is not there or cannot be written.
 * @example const out = newFile('--out', 'route.png');
 */
export function newFile(option: string, path: string): string {
  if (path === '') throw inputFault(option, '""', 'the name of a file');
  if (existsSync(path)) throw inputFault(option, `"${path}"`, 'a file that is not there yet');
  const folder = dirname(path);
  if (!existsSync(folder)) throw inputFault(option, `"${path}"`, 'a file in a folder that is there');
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw inputFault(option, `"${path}"`, 'a file in a folder that can be written');
  }
  return path;
}
