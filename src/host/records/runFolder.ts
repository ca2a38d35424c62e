// The folder of one run: config.json (written first), episodes.jsonl (one whole line per finished episode), summary.json
// (written last). A run that was cut off, at any moment, is continued: the lines that are there stay, a torn last one
// is cut off, and when all are there they are put into the plan's order, so that the bytes are those of a run that was
// never cut off.
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { RunPlan } from '../episodes/plan.ts';
import { RunError, UsageError } from '../errors.ts';
import { checkJson, describeJson, inputFault } from '../input/jsonFault.ts';
import { parseJson, readTextFile } from '../input/readTextFile.ts';
import { isTemporaryName, replaceFile, writeTextFile } from './atomicFile.ts';
import { readPlannedLines } from './plannedLines.ts';
import {
  findDifference,
  type RunConfig,
  type RunSession,
  runConfigSchema,
  runIdentity,
} from './runConfig.ts';
import { lockName, lockRunFolder, type RunLock } from './runLock.ts';

export const configName = 'config.json';
export const episodesName = 'episodes.jsonl';
export const summaryName = 'summary.json';

const maximumConfigBytes = 64 * 1024 * 1024;

/** An episode's line, without its newline. */
export interface FinishedLine {
  readonly index: number;
  readonly line: string;
}

/**
 * @throws UsageError for a missing or faulty config.json.
 */
export function readRunConfig(folder: string): RunConfig {
  const path = join(folder, configName);
  const text = readTextFile(path, 'the config.json of a run', maximumConfigBytes);
  return checkJson(runConfigSchema, parseJson(text, path), path);
}

/** The system's code of an error; its text where it has none. */
export function errorCode(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}

/** Like `mkdirSync` with `recursive`, which on Node 20 never returns where a parent can be neither found nor made. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/** True for what a process leaves in a folder that is written: its lock, and files that are not whole yet. */
export function isOwnName(name: string): boolean {
  return name === lockName || name.startsWith(`${lockName}.`) || isTemporaryName(name);
}

function findContinued(folder: string, wanted: RunConfig): RunConfig | undefined {
  const recorded = readRunConfig(folder);
  const difference = findDifference(recorded, wanted);
  if (difference === undefined) return recorded;
  const episodes = statSync(join(folder, episodesName), { throwIfNoEntry: false });
  if ((episodes?.size ?? 0) === 0) return undefined;
  throw inputFault(
    folder,
    `another run (${difference.part} is ${describeJson(difference.found)}, here ${describeJson(difference.wanted)})`,
    'a folder, new, empty or of the same run',
  );
}

/**
 * The config of the run that this one continues; undefined when the folder is missing or holds no run yet, or one that broke
 * off before it had an episode: another may take its place, as after a wrong --base-url.
 */
function examineFolder(folder: string, wanted: RunConfig): RunConfig | undefined {
  let names: string[];
  try {
    if (!statSync(folder).isDirectory()) {
      throw inputFault(folder, 'a file', 'a folder, new, empty or of the same run');
    }
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
  if (names.includes(configName)) return findContinued(folder, wanted);
  const foreign = names.find((name) => !isOwnName(name));
  if (foreign === undefined) return undefined;
  throw inputFault(
    folder,
    `a folder that holds "${foreign}" but no run`,
    'a folder, new, empty or of the same run',
  );
}

/**
 * Looks at a folder without touching it.
 *
 * @throws UsageError for a file, a folder that is no run, and another run.
 */
export function checkRunFolder(folder: string, config: RunConfig): void {
  examineFolder(folder, config);
}

/**
 * @example
 * const folder = await RunFolder.open('runs/first', config, plan);
 * folder.begin(session);
 * folder.append([{ index: 0, line: JSON.stringify(record) }]);
 * folder.finish(() => summaryText);
 * folder.close();
 */
export class RunFolder {
  readonly path: string;
  readonly #plan: RunPlan;
  readonly #config: RunConfig;
  readonly #lock: RunLock;
  readonly #isNew: boolean;
  /** Where each episode's line begins in the file; -1: not there. [episode] */
  readonly #offsets: Float64Array;
  readonly #bytes: Uint32Array;
  #doneCount = 0;
  #fileBytes = 0;
  #cutOffBytes = 0;
  #inOrder = true;
  #lastIndex = -1;
  #file: number | undefined;

  private constructor(path: string, plan: RunPlan, config: RunConfig, lock: RunLock, isNew: boolean) {
    this.path = path;
    this.#plan = plan;
    this.#config = config;
    this.#lock = lock;
    this.#isNew = isNew;
    this.#offsets = new Float64Array(plan.gridSize).fill(-1);
    this.#bytes = new Uint32Array(plan.gridSize);
  }

  /**
   * Locks the folder, making it when it is missing, and takes up what is there.
   *
   * @throws UsageError for all that `checkRunFolder` refuses, a folder that cannot be written, one that another
   * process is writing, and a damaged episodes.jsonl. Nothing is overwritten.
   */
  static async open(path: string, config: RunConfig, plan: RunPlan): Promise<RunFolder> {
    checkRunFolder(path, config);
    const isNew = !existsSync(path);
    let lock: RunLock;
    try {
      makeFolder(resolve(path));
      lock = await lockRunFolder(path);
    } catch (error) {
      if (error instanceof UsageError) throw error;
      throw inputFault(
        path,
        `a path that cannot be written (${errorCode(error)})`,
        'a folder that can be written',
      );
    }
    try {
      const recorded = examineFolder(path, config);
      const folder = new RunFolder(path, plan, recorded ?? config, lock, isNew);
      if (recorded !== undefined) folder.#takeUp();
      return folder;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  get episodesPath(): string {
    return join(this.path, episodesName);
  }

  get summaryPath(): string {
    return join(this.path, summaryName);
  }

  get doneCount(): number {
    return this.#doneCount;
  }

  /** Of a last line that was cut off while it was written, removed when the folder was opened. */
  get cutOffBytes(): number {
    return this.#cutOffBytes;
  }

  isDone(index: number): boolean {
    return this.#offsets[index]! >= 0;
  }

  /** True when all episodes are there, and a summary of them. */
  get isFinished(): boolean {
    return this.#doneCount === this.#plan.size && existsSync(this.summaryPath);
  }

  /** Writes config.json with these sessions added and opens episodes.jsonl. */
  begin(...sessions: readonly RunSession[]): void {
    this.#failing(() => {
      for (const name of readdirSync(this.path)) {
        if (isTemporaryName(name)) rmSync(join(this.path, name), { force: true });
      }
      this.#config.sessions.push(...sessions);
      writeTextFile(join(this.path, configName), `${JSON.stringify(this.#config, null, 2)}\n`);
      this.#file = openSync(this.episodesPath, 'a');
    });
  }

  /** Appends whole lines. */
  append(finished: readonly FinishedLine[]): void {
    if (finished.length === 0) return;
    const lines = finished.map(({ line }) => Buffer.from(`${line}\n`));
    this.#failing(() => {
      try {
        writeFileSync(this.#file!, Buffer.concat(lines));
      } catch (error) {
        truncateSync(this.episodesPath, this.#fileBytes);
        throw error;
      }
    });
    for (const [place, { index }] of finished.entries()) this.#note(index, lines[place]!.length);
  }

  /**
   * Puts the lines into the plan's order and writes the summary that `summarise` makes of them. To be called when all
   * episodes are there.
   */
  finish(summarise: () => string): void {
    this.#failing(() => {
      this.#closeFile();
      if (!this.#inOrder) this.#sortLines();
      writeTextFile(this.summaryPath, summarise());
    });
  }

  /** Gives the folder back. One that was made for this run and holds nothing is removed. */
  close(): void {
    this.#closeFile();
    this.#lock.release();
    if (this.#isNew && !existsSync(join(this.path, configName))) {
      try {
        rmdirSync(this.path);
      } catch {
        // Something else is in it by now: it stays.
      }
    }
  }

  #closeFile(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #failing(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (error instanceof RunError || error instanceof UsageError) throw error;
      throw new RunError(
        `${this.path}: writing failed (${errorCode(error)}); run the same command again to continue`,
        { cause: error },
      );
    }
  }

  #note(index: number, bytes: number): void {
    this.#offsets[index] = this.#fileBytes;
    this.#bytes[index] = bytes;
    this.#fileBytes += bytes;
    this.#doneCount++;
    if (index < this.#lastIndex) this.#inOrder = false;
    this.#lastIndex = index;
  }

  /** Reads the lines of an earlier session and cuts a torn last one off. */
  #takeUp(): void {
    if (!existsSync(this.episodesPath)) return;
    const run = runIdentity(this.#config);
    for (const line of readPlannedLines(this.episodesPath, this.#plan, run, 'cut-off-allowed')) {
      if (line.record === undefined) {
        this.#cutOffBytes = line.bytes;
        truncateSync(this.episodesPath, line.offset);
      } else this.#note(line.index, line.bytes);
    }
  }

  #sortLines(): void {
    const source = openSync(this.episodesPath, 'r');
    try {
      replaceFile(this.episodesPath, (target) => {
        for (let index = 0; index < this.#plan.gridSize; index++) {
          if (!this.isDone(index)) continue;
          const line = Buffer.allocUnsafe(this.#bytes[index]!);
          const read = readSync(source, line, 0, line.length, this.#offsets[index]!);
          if (read !== line.length)
            throw new RunError(`${this.episodesPath}: changed while the run wrote it`);
          writeFileSync(target, line);
        }
      });
      this.#inOrder = true;
    } finally {
      closeSync(source);
    }
  }
}
