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

/** JavaScript's name for what an object inherits from: a member so called is lost wherever objects are copied. */
const inheritedName = '__proto__';
/** Text without one of these spells no such name: most texts need no search. */
const maySpellInheritedName = /__proto__|\\u/;

function holdsInheritedName(value: unknown): boolean {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (Object.hasOwn(next, inheritedName)) return true;
    for (const member of Object.values(next)) open.push(member);
  }
  return false;
}

/** @throws UsageError for a value from the JSON `text` with a member `__proto__`, at any depth. */
export function refuseInheritedName(value: unknown, text: string, source: string): void {
  if (maySpellInheritedName.test(text) && holdsInheritedName(value))
    throw inputFault(source, `the member "${inheritedName}"`, 'any other name');
}

/**
 * JSON text to a value. `source` is named in the message.
 *
 * @throws UsageError that says where the text stops being JSON, in the parser's own words: only some name a position; and
 * for a member `__proto__`.
 * @example parseJson('{"a": 1}', 'my-profile.json') // { a: 1 }
 */
export function parseJson(text: string, source: string): unknown {
  if (text.trim() === '') throw inputFault(source, 'nothing', 'JSON');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = (error as SyntaxError).message.replaceAll(/\s+/g, ' ');
    throw inputFault(source, `text that is not JSON (${reason})`, 'valid JSON');
  }
  refuseInheritedName(value, text, source);
  return value;
}
