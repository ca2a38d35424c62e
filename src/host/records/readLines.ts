// Reads a file line by line in bounded memory, with each line's place, so that a torn or damaged one can be named.
import { closeSync, openSync, readSync } from 'node:fs';
import { RunError } from '../errors.ts';

export interface FileLine {
  /** From 1. */
  readonly number: number;
  /** Bytes before the line. */
  readonly offset: number;
  /** Bytes of the line with its newline. */
  readonly bytes: number;
  readonly text: string;
  /** False for a last line without a newline. */
  readonly complete: boolean;
}

const chunkBytes = 1024 * 1024;
/** Longest line that is read. An episode's line is below 1 MB. */
export const maximumLineBytes = 64 * 1024 * 1024;
const newline = 0x0a;

/**
 * Yields the lines of a file in order. Memory is bounded by the longest line.
 *
 * @throws RunError for a line that is too long.
 */
export function* readLines(path: string): Generator<FileLine> {
  const file = openSync(path, 'r');
  try {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    let pieces: Buffer[] = [];
    let pending = 0;
    let offset = 0;
    let number = 1;
    const line = (complete: boolean): FileLine => {
      const bytes = Buffer.concat(pieces);
      const text = bytes.toString('utf8', 0, complete ? bytes.length - 1 : bytes.length);
      const found = { number, offset, bytes: bytes.length, text, complete };
      number++;
      offset += bytes.length;
      pieces = [];
      pending = 0;
      return found;
    };
    for (;;) {
      const length = readSync(file, chunk, 0, chunkBytes, null);
      if (length === 0) break;
      let start = 0;
      for (;;) {
        const end = chunk.subarray(0, length).indexOf(newline, start);
        const piece = chunk.subarray(start, end < 0 ? length : end + 1);
        pending += piece.length;
        if (pending > maximumLineBytes) {
          throw new RunError(`${path}: line ${number} is longer than ${maximumLineBytes} bytes`);
        }
        if (piece.length > 0) pieces.push(Buffer.from(piece));
        if (end < 0) break;
        yield line(true);
        start = end + 1;
      }
    }
    if (pending > 0) yield line(false);
  } finally {
    closeSync(file);
  }
}
