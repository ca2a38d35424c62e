// Reading a text file that a user named: every way it can fail is one line.
import { readFileSync, type Stats, statSync } from 'node:fs';
import { inputFault } from './jsonFault.ts';

/**
 * The text of a file. `what` names what it should be: "a profile", "a recorded run".
 *
 * @throws UsageError for a missing, oversized or unreadable file, and for bytes that are not UTF-8.
 * @example const text = readTextFile('my-profile.json', 'a profile', 1024 * 1024);
 */
export function readTextFile(path: string, what: string, maximumBytes: number): string {
  let status: Stats;
  try {
    status = statSync(path);
  } catch {
    throw inputFault(path, 'no such file', what);
  }
  if (!status.isFile()) {
    throw inputFault(path, status.isDirectory() ? 'a folder' : 'something that is not a file', what);
  }
  if (status.size > maximumBytes) {
    throw inputFault(path, `a file of ${status.size} bytes`, `at most ${maximumBytes} bytes`);
  }
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw inputFault(path, `a file that cannot be read (${reason})`, what);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw inputFault(path, 'bytes that are not UTF-8', 'text in UTF-8');
  }
}

/**
 * JSON text to a value. `source` is named in the message.
 *
 * @throws UsageError that says where the text stops being JSON, in the parser's own words: only some name a position.
 * @example parseJson('{"a": 1}', 'my-profile.json') // { a: 1 }
 */
export function parseJson(text: string, source: string): unknown {
  if (text.trim() === '') throw inputFault(source, 'nothing', 'JSON');
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = (error as SyntaxError).message.replaceAll(/\s+/g, ' ');
    throw inputFault(source, `text that is not JSON (${reason})`, 'valid JSON');
  }
}
