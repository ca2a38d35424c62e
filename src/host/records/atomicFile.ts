// Writing a file so that it is there whole or not at all, whenever the process is killed.
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

/** What a temporary file beside `path` is called. */
export function temporaryPath(path: string): string {
  return `${path}.tmp-${process.pid}`;
}

/** True for the names that `temporaryPath` gives, of this process or of one that was killed. */
export function isTemporaryName(name: string): boolean {
  return /\.tmp-\d+$/.test(name);
}

/** Writes beside the file and renames. `write` fills the open file. */
export function replaceFile(path: string, write: (file: number) => void): void {
  const temporary = temporaryPath(path);
  try {
    const file = openSync(temporary, 'w');
    try {
      write(file);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** @example writeTextFile('runs/first/config.json', `${JSON.stringify(config)}\n`); */
export function writeTextFile(path: string, text: string): void {
  replaceFile(path, (file) => writeSync(file, text));
}
