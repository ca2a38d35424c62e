// Lowest, highest, mean and standard deviation of columns of numbers, of parts that are put together.

/** Of `width` elements each. */
export interface Moments {
  /** Rows. */
  count: number;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly mean: Float64Array;
  /** Sum of squared deviations from the mean. */
  readonly squares: Float64Array;
}

export function noMoments(width: number): Moments {
  return {
    count: 0,
    min: new Float64Array(width).fill(Number.POSITIVE_INFINITY),
    max: new Float64Array(width).fill(Number.NEGATIVE_INFINITY),
    mean: new Float64Array(width),
    squares: new Float64Array(width),
  };
}

/**
 * Moments of [row, element] numbers, each times `scale`.
 *
 * @example momentsOf([1, 10, 3, 20], 2).mean // Float64Array [2, 15]
 */
export function momentsOf(values: ArrayLike<number | bigint | boolean>, width: number, scale = 1): Moments {
  const moments = noMoments(width);
  const rows = values.length / width;
  for (let element = 0; element < width; element++) {
    let sum = 0;
    for (let row = 0; row < rows; row++) {
      const value = Number(values[row * width + element]) * scale;
      sum += value;
      if (value < moments.min[element]!) moments.min[element] = value;
      if (value > moments.max[element]!) moments.max[element] = value;
    }
    const mean = rows > 0 ? sum / rows : 0;
    let squares = 0;
    for (let row = 0; row < rows; row++) {
      squares += (Number(values[row * width + element]) * scale - mean) ** 2;
    }
    moments.mean[element] = mean;
    moments.squares[element] = squares;
  }
  moments.count = rows;
  return moments;
}

/** Adds a part to a total (Chan, Golub and LeVeque 1979). */
export function addMoments(total: Moments, part: Moments): void {
  const count = total.count + part.count;
  if (part.count === 0) return;
  for (let element = 0; element < total.mean.length; element++) {
    const difference = part.mean[element]! - total.mean[element]!;
    total.min[element] = Math.min(total.min[element]!, part.min[element]!);
    total.max[element] = Math.max(total.max[element]!, part.max[element]!);
    total.squares[element]! += part.squares[element]! + (difference ** 2 * total.count * part.count) / count;
    total.mean[element]! += (difference * part.count) / count;
  }
  total.count = count;
}

/** Of a population, as NumPy's `std` has it. */
export function standardDeviations({ count, squares }: Moments): Float64Array {
  return squares.map((sum) => Math.sqrt(sum / Math.max(1, count)));
}
