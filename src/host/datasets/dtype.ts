// The element types of dataset arrays, under NumPy's names, and what each is called in the files that are written.

/** Little-endian, as all of these formats have it. A `bool` is a byte, 0 or 1. */
export const dtypes = {
  bool: { bytes: 1, array: Uint8Array, numpy: '|b1' },
  uint8: { bytes: 1, array: Uint8Array, numpy: '|u1' },
  int32: { bytes: 4, array: Int32Array, numpy: '<i4' },
  int64: { bytes: 8, array: BigInt64Array, numpy: '<i8' },
  float32: { bytes: 4, array: Float32Array, numpy: '<f4' },
  float64: { bytes: 8, array: Float64Array, numpy: '<f8' },
} as const;

export type Dtype = keyof typeof dtypes;

export type NumericArray = Uint8Array | Int32Array | BigInt64Array | Float32Array | Float64Array;

/** A new array of zeros. */
export function makeArray(dtype: Dtype, length: number): NumericArray {
  return new dtypes[dtype].array(length);
}

/** The bytes of an array, not copied. */
export function bytesOf(array: NumericArray): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
