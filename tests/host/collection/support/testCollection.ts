// Small collections for tests, without a GPU.
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ExecutedCollection,
  executeCollection,
  type OpenEnvironment,
} from '../../../../src/host/collection/executeCollection.ts';
import {
  type CollectionOptions,
  defaultCollectionOptions,
  prepareCollection,
} from '../../../../src/host/collection/prepareCollection.ts';
import type { RunProgress } from '../../../../src/host/run/executeRun.ts';
import { openScripted } from './scriptedEnvironment.ts';

export const silent: RunProgress = { start() {}, advance() {}, stop() {} };

/** A path in a new folder; nothing is there yet. */
export function newPath(name = 'collection'): string {
  return join(mkdtempSync(join(tmpdir(), 'rtsafe-collect-')), name);
}

/** Two routes to train on and one held out; episodes of 1 to 40 steps. */
export const smallCollection: CollectionOptions = {
  ...defaultCollectionOptions,
  routes: 'rt10:0..1,rt15:16',
  episodes: '20',
  envs: '6',
  format: 'minari,lerobot,d3rlpy,npz',
};

export interface SmallOptions {
  readonly open?: OpenEnvironment;
  readonly finishEarly?: boolean;
  readonly signal?: AbortSignal;
  readonly progress?: RunProgress;
}

export async function collectSmall(
  folder: string,
  changes: Partial<CollectionOptions> = {},
  { open = openScripted(), ...others }: SmallOptions = {},
): Promise<ExecutedCollection> {
  const prepared = await prepareCollection({ ...smallCollection, ...changes });
  return executeCollection(prepared, folder, {
    open,
    progress: silent,
    writeProgress: silent,
    ...others,
  });
}

/** The files of the datasets in a folder with their bytes: neither the journal nor what tells of sessions. */
export function datasetFiles(folder: string): Map<string, Buffer> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => name.includes('/') && statSync(join(folder, name)).isFile());
  return new Map(files.map((name) => [name, readFileSync(join(folder, name))]));
}
