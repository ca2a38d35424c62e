// A number with what it counts.

/** @example counted(1, 'episode') // '1 episode' */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
