// Reads the list-like options of the command line. Every fault is one line: the option, what was found, what is allowed.

import {
  type ActorClass,
  actorClassNames,
  type Difficulty,
  difficultyNames,
} from '../episodes/difficulties.ts';
import { type Mode, modes } from '../episodes/modes.ts';
import { UsageError } from '../errors.ts';

/** Most seeds one run may have. */
export const maximumSeeds = 100_000;
const largestSeed = 0xffffffff;

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

function namesFrom<const Name extends string>(
  option: string,
  text: string,
  allowed: readonly Name[],
): Name[] {
  return unique(
    text.split(',').map((part) => {
      const name = allowed.find((candidate) => candidate === part.trim());
      if (name !== undefined) return name;
      throw new UsageError(
        `${option}: found "${part.trim()}", allowed is one or more of ${allowed.join(', ')}, separated by commas`,
      );
    }),
  );
}

/** @throws UsageError for a name that is no difficulty. */
export function parseDifficulties(text: string): Difficulty[] {
  return namesFrom('--difficulty', text, difficultyNames);
}

/** @throws UsageError for anything but static, realtime and both. */
export function parseModes(text: string): Mode[] {
  return unique(
    text.split(',').flatMap((part): readonly Mode[] => {
      const name = part.trim();
      if (name === 'both') return modes;
      if (name === 'static' || name === 'realtime') return [name];
      throw new UsageError(`--mode: found "${name}", allowed is static, realtime or both`);
    }),
  );
}

/**
 * The entries of a list whose entries may themselves hold numbers after commas: a comma before a plain number does not
 * part.
 *
 * @example splitForms('none,lognormal:2,0.5,fixed:3') // ['none', 'lognormal:2,0.5', 'fixed:3']
 */
export function splitForms(text: string): string[] {
  return text.split(/,(?!\s*[\d.]+\s*(?:,|$))/).map((part) => part.trim());
}

/** The classes to switch off; none for an empty text. @throws UsageError for a name that is no actor class. */
export function parseWithout(text: string): ActorClass[] {
  return text.trim() === '' ? [] : namesFrom('--without', text, actorClassNames).sort();
}

/**
 * Seeds as `0`, `0,1` or `0..9`, in the order given, each once.
 *
 * @throws UsageError for any other form, a seed beyond u32 or more than `maximumSeeds`.
 */
export function parseSeeds(text: string): number[] {
  const seeds = text.split(',').flatMap((part) => {
    const [, firstText, lastText] = /^\s*(\d{1,10})(?:\.\.(\d{1,10}))?\s*$/.exec(part) ?? [];
    const first = Number(firstText ?? Number.NaN);
    const last = lastText === undefined ? first : Number(lastText);
    if (!(first <= last && last <= largestSeed)) {
      throw new UsageError(
        `--seeds: found "${part.trim()}", allowed are seeds from 0 to ${largestSeed} as 0, 0,1 or 0..9`,
      );
    }
    if (last - first >= maximumSeeds) throw tooManySeeds(last - first + 1);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
  const distinct = unique(seeds);
  if (distinct.length > maximumSeeds) throw tooManySeeds(distinct.length);
  return distinct;
}

function tooManySeeds(count: number): UsageError {
  return new UsageError(`--seeds: found ${count} seeds, allowed are at most ${maximumSeeds}`);
}

/** @throws UsageError unless the text is a whole number from `minimum` to `maximum`. */
export function parseWholeNumber(option: string, text: string, minimum: number, maximum: number): number {
  const value = /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  throw new UsageError(
    `${option}: found "${text.trim()}", allowed is a whole number from ${minimum} to ${maximum}`,
  );
}
