// Plain tables for a terminal: columns as wide as their widest cell, numbers to the right.

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

/**
 * The table as lines, each ending in a newline.
 *
 * @example formatTable([{ title: 'map' }, { title: 'routes', align: 'right' }], [['rt10', '8']])
 */
export function formatTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map(({ title }, place) =>
    Math.max(title.length, ...rows.map((row) => (row[place] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    columns
      .map(({ align }, place) => {
        const cell = cells[place] ?? '';
        return align === 'right' ? cell.padStart(widths[place]!) : cell.padEnd(widths[place]!);
      })
      .join('  ')
      .trimEnd();
  const rule = '-'.repeat(widths.reduce((sum, width) => sum + width + 2, -2));
  return [line(columns.map(({ title }) => title)), rule, ...rows.map(line)]
    .map((text) => `${text}\n`)
    .join('');
}
