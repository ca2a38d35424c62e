// What an endpoint says about a request that it refuses, in a form that fits into a line and a record.
import { redact } from './redact.ts';

/** Characters of it that are kept. */
const longestWords = 200;

/** Where servers put it: `{"error": {"message": ...}}`, `{"error": ...}`, `{"message": ...}`, `{"detail": ...}`. */
const places = ['error', 'message', 'detail'] as const;
const deepest = 2;

function findWords(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || depth === deepest) return undefined;
  for (const place of places) {
    if (!Object.hasOwn(value, place)) continue;
    const words = findWords((value as Record<string, unknown>)[place], depth + 1);
    if (words !== undefined) return words;
  }
  return undefined;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/**
 * The endpoint's explanation on one line, without the key; the body itself where it has no known form.
 *
 * @example endpointWords('{"error":{"message":"no such model"}}', 'sk-1') // 'no such model'
 */
export function endpointWords(body: string, key: string): string {
  const words = redact(findWords(parsed(body)) ?? body, key)
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim();
  if (words.length <= longestWords) return words;
  // Half a character may be left at the cut.
  return `${words.slice(0, longestWords - 3).replace(/\p{Surrogate}$/u, '')}...`;
}
