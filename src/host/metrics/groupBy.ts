// Map.groupBy, which Node 20 does not have.

/**
 * Items by key, keys in the order in which they first appear.
 *
 * @example groupBy([1, 2, 3], (value) => value % 2) // Map { 1 => [1, 3], 0 => [2] }
 */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
