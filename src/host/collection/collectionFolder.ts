// The folder of a collection: collection.json (written first), episodes.journal (grows while episodes finish), one folder
// per format (each there whole or not at all), summary.json (written last). A collection that was cut off, at any moment,
// is continued from the journal, and ends with the same datasets.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { counted } from '../counted.ts';
import type { EpisodeLayout } from '../datasets/episodeData.ts';
import { EpisodeJournal } from '../datasets/journal.ts';
import { RunError, UsageError } from '../errors.ts';
import { checkJson, describeJson, inputFault } from '../input/jsonFault.ts';
import { parseJson, readTextFile } from '../input/readTextFile.ts';
import { writeTextFile } from '../records/atomicFile.ts';
import { findRunDifference, type RunSession } from '../records/runConfig.ts';
import { errorCode, isOwnName, makeFolder } from '../records/runFolder.ts';
import { lockRunFolder, type RunLock } from '../records/runLock.ts';
import { canonicalJson } from '../scenes/hash.ts';
import { type CollectionConfig, collectionConfigSchema } from './prepareCollection.ts';

export const collectionName = 'collection.json';
export const journalName = 'episodes.journal';
export const collectionSummaryName = 'summary.json';
/** Behind the name of a dataset that is not whole yet. */
const partialSuffix = '.partial';
const maximumConfigBytes = 64 * 1024 * 1024;
const allowedFolder = 'a folder, new, empty or of the same collection';

/** The recorded config, undefined when the folder is missing or holds nothing yet. */
function examineFolder(folder: string): CollectionConfig | undefined {
  let names: string[];
  try {
    if (!statSync(folder).isDirectory()) throw inputFault(folder, 'a file', allowedFolder);
    names = readdirSync(folder);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (errorCode(error) === 'ENOENT') return undefined;
    throw inputFault(
      folder,
      `a path that cannot be read (${errorCode(error)})`,
      'a folder that can be written',
    );
  }
  if (names.includes(collectionName)) {
    const path = join(folder, collectionName);
    const config = readTextFile(path, 'the collection.json of a collection', maximumConfigBytes);
    return checkJson(collectionConfigSchema, parseJson(config, path), path);
  }
  const foreign = names.find((name) => !isOwnName(name));
  if (foreign === undefined) return undefined;
  throw inputFault(folder, `a folder that holds "${foreign}" but no collection`, allowedFolder);
}

function checkSameCollection(folder: string, recorded: CollectionConfig, wanted: CollectionConfig): void {
  const parts: { part: string; found: unknown; wanted: unknown }[] = Object.entries(wanted.collection).map(
    ([part, value]) => ({
      part,
      found: recorded.collection[part as keyof CollectionConfig['collection']],
      wanted: value,
    }),
  );
  const difference =
    parts.find(({ found, wanted: value }) => canonicalJson(found) !== canonicalJson(value)) ??
    findRunDifference(recorded.run, wanted.run);
  if (difference === undefined) return;
  const { part, found, wanted: value } = difference;
  throw inputFault(
    folder,
    `another collection (${part} is ${describeJson(found)}, here ${describeJson(value)})`,
    allowedFolder,
  );
}

/**
 * Looks at a folder without touching it.
 *
 * @throws UsageError for a file, a folder that is no collection, and another collection.
 */
export function checkCollectionFolder(folder: string, config: CollectionConfig): void {
  const recorded = examineFolder(folder);
  if (recorded !== undefined) checkSameCollection(folder, recorded, config);
}

/** What the system said, in brackets: "(ENOSPC)". */
export function failureText(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return `(${code ?? message})`;
}

/**
 * @example
 * const folder = await CollectionFolder.open('data/greedy', config, layout, 105);
 * folder.begin(session);
 * folder.journal.append(episode);
 * await folder.writeDataset('npz', (path) => writeNpz(path, folder.journal.source(indexes), ...));
 * folder.close();
 */
export class CollectionFolder {
  readonly path: string;
  readonly journal: EpisodeJournal;
  readonly #config: CollectionConfig;
  readonly #lock: RunLock;

  private constructor(path: string, config: CollectionConfig, lock: RunLock, journal: EpisodeJournal) {
    this.path = path;
    this.#config = config;
    this.#lock = lock;
    this.journal = journal;
  }

  /**
   * Locks the folder, making it when it is missing, and takes up what is there.
   *
   * @throws UsageError for all that `checkCollectionFolder` refuses, a folder that cannot be written, one that another
   * process is writing, and a damaged journal. Nothing is overwritten.
   */
  static async open(
    path: string,
    config: CollectionConfig,
    layout: EpisodeLayout,
    planSize: number,
  ): Promise<CollectionFolder> {
    checkCollectionFolder(path, config);
    const isNew = !existsSync(path);
    let lock: RunLock | undefined;
    try {
      makeFolder(resolve(path));
      lock = await lockRunFolder(path);
      const recorded = examineFolder(path);
      if (recorded !== undefined) checkSameCollection(path, recorded, config);
      const taken = recorded ?? config;
      if (recorded === undefined) writeConfig(path, taken);
      const journal = EpisodeJournal.open(join(path, journalName), layout, planSize);
      return new CollectionFolder(path, taken, lock, journal);
    } catch (error) {
      lock?.release();
      if (isNew) removeIfEmpty(path);
      if (error instanceof UsageError) throw error;
      throw inputFault(
        path,
        `a path that cannot be written ${failureText(error)}`,
        'a folder that can be written',
      );
    }
  }

  get summaryPath(): string {
    return join(this.path, collectionSummaryName);
  }

  /** The summary of a collection that is complete, as text; undefined when there is none. */
  readSummary(): string | undefined {
    return existsSync(this.summaryPath) ? readFileSync(this.summaryPath, 'utf8') : undefined;
  }

  writeSummary(text: string): void {
    this.failing(() => writeTextFile(this.summaryPath, text), 'run the same command again to continue');
  }

  /** Whether a dataset is there whole, with so many episodes. */
  hasDataset(format: string, episodes: number): boolean {
    return this.#config.datasets[format] === episodes && existsSync(join(this.path, format));
  }

  /** Adds a session to collection.json. */
  begin(session: RunSession): void {
    this.#config.run.sessions.push(session);
    this.failing(() => writeConfig(this.path, this.#config), 'run the same command again to continue');
  }

  /**
   * Has a dataset written beside its place and puts it there.
   *
   * @throws RunError where that fails; what was written of it is removed.
   */
  async writeDataset(
    format: string,
    episodes: number,
    write: (folder: string) => Promise<void>,
  ): Promise<void> {
    const place = join(this.path, format);
    const partial = `${place}${partialSuffix}`;
    try {
      rmSync(partial, { recursive: true, force: true });
      mkdirSync(partial);
      await write(partial);
      rmSync(place, { recursive: true, force: true });
      renameSync(partial, place);
      this.#config.datasets[format] = episodes;
      writeConfig(this.path, this.#config);
    } catch (error) {
      rmSync(partial, { recursive: true, force: true });
      const kept = `all ${counted(this.journal.size, 'episode')} are kept in ${journalName}`;
      throw this.#failure(place, error, `${kept}; run the same command again to continue`);
    }
  }

  /** Turns what the system throws into one line that ends with `advice`. */
  failing(work: () => void, advice: string): void {
    try {
      work();
    } catch (error) {
      throw this.#failure(this.path, error, advice);
    }
  }

  /** Gives the folder back. */
  close(): void {
    this.journal.close();
    this.#lock.release();
  }

  #failure(path: string, error: unknown, advice: string): Error {
    if (error instanceof RunError || error instanceof UsageError) return error;
    return new RunError(`${path}: writing failed ${failureText(error)}; ${advice}`, { cause: error });
  }
}

function writeConfig(folder: string, config: CollectionConfig): void {
  writeTextFile(join(folder, collectionName), `${JSON.stringify(config, null, 2)}\n`);
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Something is in it: it stays.
  }
}
