// What actions and observations can be, in the words and with the members of Gymnasium's spaces, as plain data.

/** Whole numbers from `start` to `start + n - 1`. */
export interface Discrete {
  readonly type: 'Discrete';
  readonly dtype: 'int64';
  readonly n: number;
  readonly start: number;
}

/** One Discrete space of `nvec[i]` numbers from `start[i]` on for each place. */
export interface MultiDiscrete {
  readonly type: 'MultiDiscrete';
  readonly dtype: 'int64';
  readonly nvec: readonly number[];
  readonly start: readonly number[];
}

/** An array of a shape, each element between its bounds; a bound that is one number is that of all elements. */
export interface Box {
  readonly type: 'Box';
  readonly dtype: 'float32' | 'uint8';
  readonly shape: readonly number[];
  readonly low: Float32Array | number;
  readonly high: Float32Array | number;
}

export interface Dict {
  readonly type: 'Dict';
  readonly spaces: { readonly [name: string]: Box };
}

/** The space of `count` such arrays, one after the other: `[count, ...shape]`. */
export function batchedBox(box: Box, count: number): Box {
  const repeated = (bound: Float32Array | number) => {
    if (typeof bound === 'number') return bound;
    const all = new Float32Array(count * bound.length);
    for (let place = 0; place < count; place++) all.set(bound, place * bound.length);
    return all;
  };
  return { ...box, shape: [count, ...box.shape], low: repeated(box.low), high: repeated(box.high) };
}

export function batchedDict({ type, spaces }: Dict, count: number): Dict {
  const batched = Object.entries(spaces).map(([name, box]) => [name, batchedBox(box, count)] as const);
  return { type, spaces: Object.fromEntries(batched) };
}

export function batchedDiscrete({ n, start }: Discrete, count: number): MultiDiscrete {
  return {
    type: 'MultiDiscrete',
    dtype: 'int64',
    nvec: new Array<number>(count).fill(n),
    start: new Array<number>(count).fill(start),
  };
}
