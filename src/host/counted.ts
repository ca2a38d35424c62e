// A number with what it counts.

/** @example counted(1, 'episode') // '1 episode' */
export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}
