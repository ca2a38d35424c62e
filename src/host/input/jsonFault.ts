// One clear line for whatever is wrong with a value that came from JSON: where, what was found, what is allowed.
import type { z } from 'zod';
import { UsageError } from '../errors.ts';

/**
 * A path into a JSON value as one would write it in JavaScript.
 *
 * @example jsonPathText(['routes', 0, 'edges']) // 'routes[0].edges'
 */
export function jsonPathText(path: readonly PropertyKey[]): string {
  let text = '';
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`;
    else text += text === '' ? String(key) : `.${String(key)}`;
  }
  return text === '' ? 'the whole file' : text;
}

/** A short, one-line description of any value that JSON can hold. */
export function describeJson(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value) && value.length > 4) return `a list of ${value.length}`;
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** The one line of every message about bad input. */
export function inputFault(source: string, found: string, allowed: string): UsageError {
  return new UsageError(`${source}: found ${found}, allowed is ${allowed}`);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const key of path) at = (at as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return at;
}

type SchemaIssue = Parameters<z.core.$ZodErrorMap>[0];

const kindNames: Readonly<Partial<Record<string, string>>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a text',
};

/** What is allowed where a schema has no words of its own: never those of the package that checks it. */
function allowedBy(issue: SchemaIssue): string {
  if (issue.code === 'invalid_type') return kindNames[issue.expected] ?? issue.expected;
  if (issue.code === 'invalid_value') return issue.values.map((value) => describeJson(value)).join(' or ');
  if (issue.code === 'too_small') return `at least ${issue.minimum}`;
  if (issue.code === 'too_big') return `at most ${issue.maximum}`;
  return 'a value of another form';
}

/**
 * Checks a value against a schema whose messages complete the sentence "allowed is ..."; where it has none, the kind of the
 * value does. `source` is named in the message, usually the file.
 *
 * @throws UsageError for the first fault: `<source>: <JSON path>: found ..., allowed is ...`, one line.
 * @example const profile = checkJson(profileSchema, JSON.parse(text), 'my-profile.json');
 */
export function checkJson<Schema extends z.ZodType>(schema: Schema, value: unknown, source: string) {
  const result = schema.safeParse(value, { error: allowedBy });
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const found =
    issue.code === 'unrecognized_keys'
      ? `the unknown key ${describeJson(issue.keys[0])}`
      : describeJson(valueAt(value, issue.path));
  throw inputFault(`${source}: ${jsonPathText(issue.path)}`, found, issue.message);
}
