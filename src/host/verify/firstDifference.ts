// Finds the first place in which a recorded value and a simulated one differ.
import { jsonPathText } from '../input/jsonFault.ts';

export interface Difference {
  /** As one would write it in JavaScript: `contacts.human.active`. */
  readonly field: string;
  readonly recorded: unknown;
  readonly simulated: unknown;
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/**
 * Compares two values of the kind JSON can hold, member by member in the order of the recorded one.
 *
 * @example firstDifference({ a: 1, b: 2 }, { a: 1, b: 3 }) // { field: 'b', recorded: 2, simulated: 3 }
 */
export function firstDifference(
  recorded: unknown,
  simulated: unknown,
  path: readonly PropertyKey[] = [],
): Difference | undefined {
  if (!isContainer(recorded) || !isContainer(simulated)) {
    if (Object.is(recorded, simulated)) return undefined;
    return { field: jsonPathText(path), recorded, simulated };
  }
  for (const key of new Set([...Object.keys(recorded), ...Object.keys(simulated)])) {
    const place = Array.isArray(recorded) ? Number(key) : key;
    const difference = firstDifference(recorded[key], simulated[key], [...path, place]);
    if (difference !== undefined) return difference;
  }
  return undefined;
}
