// Files that a command makes: nothing that is there is overwritten.
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { inputFault } from './jsonFault.ts';

/**
 * A path at which a file can be made.
 *
 * @throws UsageError where something is there already, or the folder is not.
 * @example const out = newFile('--out', 'route.png');
 */
export function newFile(option: string, path: string): string {
  if (existsSync(path)) throw inputFault(option, `"${path}"`, 'a file that is not there yet');
  if (!existsSync(dirname(path))) throw inputFault(option, `"${path}"`, 'a file in a folder that is there');
  return path;
}
