// The grid of a sweep from a JSON file: the options of the command line by name, each a text or a list.
import { z } from 'zod';
import { UsageError } from '../errors.ts';
import { checkJson } from '../input/jsonFault.ts';
import { optionFlag } from '../input/optionFlag.ts';
import { parseJson, readTextFile } from '../input/readTextFile.ts';
import type { RunOptions } from './prepareRun.ts';

const largestGridBytes = 16 * 1024 * 1024;

const entry = 'a text or a list of texts, as the option of that name takes them';
const names = z
  .union([z.string(), z.array(z.string({ error: 'a text' })).min(1, { error: entry })], { error: entry })
  .transform((value) => [value].flat().join(','))
  .optional();
const seedEntry = 'seeds as "0..9", or a list of them';
const seed = z.int({ error: seedEntry }).min(0, { error: seedEntry });
const seeds = z
  .union(
    [
      z.string(),
      seed,
      z.array(z.union([z.string(), seed], { error: seedEntry })).min(1, { error: seedEntry }),
    ],
    {
      error: seedEntry,
    },
  )
  .transform((value) => [value].flat().join(','))
  .optional();
const count = z.int({ error: 'a whole number' }).transform(String).optional();

const shape = {
  latency: names,
  policy: names,
  difficulty: names,
  profile: names,
  mode: names,
  routes: names,
  seeds,
  without: names,
  maxDecisions: count,
};
const keys = Object.keys(shape).map((key) => `"${key}"`);
const gridSchema = z.strictObject(shape, { error: `an object with any of the keys ${keys.join(', ')}` });

/** The options a grid file can set. */
export type GridOptions = Partial<Pick<RunOptions, keyof typeof shape>>;
export const gridOptionNames = Object.keys(shape) as (keyof typeof shape)[];

/**
 * Reads a grid such as `{ "latency": ["fixed:0", "fixed:3"], "policy": "greedy", "seeds": "0..9" }`.
 *
 * @throws UsageError naming file, JSON path, what was found and what is allowed.
 * @example const prepared = await prepareRun({ ...defaultSweepOptions, ...readGridFile('grid.json') });
 */
export function readGridFile(path: string): GridOptions {
  const value = parseJson(readTextFile(path, 'a grid in JSON', largestGridBytes), path);
  const grid = checkJson(gridSchema, value, path);
  return Object.fromEntries(Object.entries(grid).filter(([, text]) => text !== undefined));
}

/** A fault in what a grid file says, so named: `grid.json: latency: found ...` in place of `--latency: found ...`. */
export function inGridFile(path: string, grid: GridOptions, error: unknown): unknown {
  if (!(error instanceof UsageError)) return error;
  const name = Object.keys(grid).find(
    (key) => error.message.startsWith(`${optionFlag(key)}: `) || error.message.startsWith(`${key}: `),
  );
  if (name === undefined) return error;
  return new UsageError(`${path}: ${name}${error.message.slice(error.message.indexOf(': '))}`, {
    cause: error,
  });
}
