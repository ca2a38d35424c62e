// Compares the words of two states and prints where they differ.

/**
 * A table of differing words (index, name, actual, expected; signed), or '' when all agree. Shows at most `limit` rows.
 *
 * @example expect(mismatchTable(episode.stateWordNames(), kernelWords, episode.stateWords())).toBe('');
 */
export function mismatchTable(
  names: readonly string[],
  actual: Uint32Array,
  expected: Uint32Array,
  limit = 40,
): string {
  const rows: string[][] = [];
  for (let index = 0; index < Math.max(actual.length, expected.length); index++) {
    if (actual[index] === expected[index]) continue;
    rows.push([String(index), names[index] ?? '?', signed(actual[index]), signed(expected[index])]);
  }
  if (rows.length === 0) return '';
  const shown = [['index', 'name', 'actual', 'expected'], ...rows.slice(0, limit)];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...shown.map((row) => row[column]!.length)));
  const lines = shown.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
  if (rows.length > limit) lines.push(`... and ${rows.length - limit} more`);
  return lines.join('\n');
}

function signed(word: number | undefined): string {
  return word === undefined ? 'missing' : String(word | 0);
}
