// Percentiles by linear interpolation, as the published benchmark takes them (RT-SAFE protocol §12).

/**
 * The value at rank (n - 1) · percent / 100 of ascending values, at least one.
 *
 * @example percentile([1, 2, 3, 4], 50) // 2.5
 */
export function percentile(ascending: ArrayLike<number>, percent: number): number {
  const rank = ((ascending.length - 1) * percent) / 100;
  const below = Math.floor(rank);
  const low = ascending[below]!;
  const high = ascending[Math.min(below + 1, ascending.length - 1)]!;
  return low + (high - low) * (rank - below);
}
