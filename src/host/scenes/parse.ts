// From any value to a checked scene, or one line that says what is wrong with it.
import { UsageError } from '../errors.ts';
import { findSceneFault, type SceneFault } from './check.ts';
import { type Scene, sceneSchema } from './schema.ts';

type Path = readonly PropertyKey[];

/** `routes[0].edges[2].type`, as one would write it in JavaScript. */
function pathText(path: Path): string {
  let text = '';
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`;
    else text += text === '' ? String(key) : `.${String(key)}`;
  }
  return text === '' ? 'the whole file' : text;
}

function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const key of path) at = (at as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return at;
}

/** A short, one-line description of any JSON value. */
function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value) && value.length > 4) return `a list of ${value.length}`;
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

function firstShapeFault(value: unknown): SceneFault | undefined {
  const issue = sceneSchema.safeParse(value).error?.issues[0];
  if (issue === undefined) return undefined;
  const path = issue.path as (string | number)[];
  const found =
    issue.code === 'unrecognized_keys'
      ? `the unknown key ${describeValue(issue.keys[0])}`
      : describeValue(valueAt(value, path));
  return { path, found, allowed: issue.message };
}

/**
 * Checks a value read from JSON. `source` is named in the message, usually the file.
 *
 * @throws UsageError for the first fault: `<source>: <JSON path>: found ..., allowed is ...`, one line.
 * @example const scene = parseScene(JSON.parse(text), 'my-city.json');
 */
export function parseScene(value: unknown, source: string): Scene {
  const fault = firstShapeFault(value) ?? findSceneFault(value as Scene);
  if (fault !== undefined) {
    throw new UsageError(
      `${source}: ${pathText(fault.path)}: found ${fault.found}, allowed is ${fault.allowed}`,
    );
  }
  return sceneSchema.parse(value);
}
