// The formats that datasets are written in, by the names that the command line has for them.
import { inputFault } from '../input/jsonFault.ts';
import { writeD3rlpy } from './d3rlpy.ts';
import type { DatasetWriter } from './datasetWriter.ts';
import { writeLerobot } from './lerobot.ts';
import { writeMinari } from './minari.ts';
import { writeNpz } from './npz.ts';

export const datasetFormats = {
  minari: writeMinari,
  lerobot: writeLerobot,
  d3rlpy: writeD3rlpy,
  npz: writeNpz,
} as const satisfies Record<string, DatasetWriter>;

export type DatasetFormat = keyof typeof datasetFormats;

export const datasetFormatNames = Object.keys(datasetFormats) as DatasetFormat[];

/**
 * Reads `--format`.
 *
 * @throws UsageError for a name that is no format.
 * @example parseFormats('minari,npz') // ['minari', 'npz']
 */
export function parseFormats(text: string): DatasetFormat[] {
  const names = text.split(',').map((part) => {
    const name = datasetFormatNames.find((candidate) => candidate === part.trim());
    if (name !== undefined) return name;
    const allowed = `one or more of ${datasetFormatNames.join(', ')}, separated by commas`;
    throw inputFault('--format', `"${part.trim()}"`, allowed);
  });
  return [...new Set(names)];
}
