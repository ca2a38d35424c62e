// Writes HDF5 files through h5wasm: what h5wasm does not do by itself, for readers that follow h5py. Booleans are h5py's
// (an enumeration of FALSE and TRUE), and the same content gives the same bytes: no time of day gets in.
import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { File, type Group, ready } from 'h5wasm/node';
import { bytesOf, type Dtype, type NumericArray } from './dtype.ts';

/** h5wasm has no enumerations. Booleans are written as records of this one member, and made enumerations at the end. */
const placeholder = 'rtsafe-boolean-array';

const hdf5Types = {
  bool: [[placeholder, '<b']],
  uint8: '<B',
  int32: '<i',
  int64: '<q',
  float32: '<f',
  float64: '<d',
} as const satisfies Record<Dtype, unknown>;

/**
 * The body of the datatype message of such a record, and of h5py's boolean in as many bytes (HDF5 file format
 * specification, IV.A.2.d): class and version, class bits (number of members), bytes of an element, then the members.
 */
const recordMessage = Buffer.alloc(80);
recordMessage.set([0x16, 1, 0, 0, 1, 0, 0, 0]);
recordMessage.write(placeholder, 8, 'latin1');
/** A signed integer of one byte, little-endian: class and version, class bits, bytes, bit offset and bits. */
const signedByte = [0x10, 8, 0, 0, 1, 0, 0, 0, 0, 0, 8, 0];
recordMessage.set(signedByte, 64);

const booleanMessage = Buffer.alloc(recordMessage.length);
booleanMessage.set([0x18, 2, 0, 0, 1, 0, 0, 0, ...signedByte]);
booleanMessage.write('FALSE\0\0\0TRUE\0\0\0\0', 20, 'latin1');
booleanMessage.set([0, 1], 36);

const scanBytes = 4 * 1024 * 1024;

/** Makes the records enumerations. Object headers of this version have no checksum. */
function makeBooleans(path: string): void {
  const file = openSync(path, 'r+');
  try {
    const { size } = fstatSync(file);
    const chunk = Buffer.allocUnsafe(scanBytes + recordMessage.length);
    for (let start = 0; start < size; start += scanBytes) {
      const found = chunk.subarray(0, readSync(file, chunk, 0, chunk.length, start));
      let at = found.indexOf(recordMessage);
      while (at >= 0 && at < scanBytes) {
        writeSync(file, booleanMessage, 0, booleanMessage.length, start + at);
        at = found.indexOf(recordMessage, at + recordMessage.length);
      }
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Calls h5wasm. It writes the time of day into every dataset, and has no way not to: it gets a clock that stands. What it
 * throws is HDF5's stack of errors, many lines; of that, what the system said.
 */
function checked<Result>(work: () => Result): Result {
  const { now } = Date;
  Date.now = () => 0;
  try {
    return work();
  } catch (error) {
    const reason = /error message = '([^']+)'/.exec(String(error))?.[1];
    throw new Error(reason ?? 'HDF5 cannot write the file', { cause: error });
  } finally {
    Date.now = now;
  }
}

/** A number, or an array with its shape; an empty shape is a scalar. */
export interface Hdf5Data {
  readonly dtype: Dtype;
  readonly shape: readonly number[];
  readonly data: NumericArray;
}

/**
 * A new HDF5 file. Everything is written at once and nothing is held but HDF5's own cache.
 *
 * @example
 * const file = await Hdf5File.create('train.h5');
 * file.dataset('rewards_0', { dtype: 'float32', shape: [2, 1], data: new Float32Array(2) });
 * file.close();
 */
export class Hdf5File {
  readonly #path: string;
  readonly #file: File;

  private constructor(path: string) {
    this.#path = path;
    // The oldest form of each structure: every reader knows it, and it carries no checksums.
    this.#file = checked(() => new File(path, 'w', { libver: ['earliest', 'latest'] }));
  }

  /** @throws the system's error where the file cannot be created. */
  static async create(path: string): Promise<Hdf5File> {
    const library = await ready;
    library.activate_throwing_error_handler();
    closeSync(openSync(path, 'w'));
    return new Hdf5File(path);
  }

  group(path: string): void {
    checked(() => this.#file.create_group(path));
  }

  dataset(path: string, { dtype, shape, data }: Hdf5Data): void {
    const values = dtype === 'bool' ? new Map([[placeholder, bytesOf(data)]]) : data;
    const type = hdf5Types[dtype];
    checked(() =>
      this.#file.create_dataset({
        name: path,
        data: values as never,
        shape: [...shape],
        dtype: type as never,
      }),
    );
  }

  /** One text where it is a string, else a list of texts of any length. */
  text(path: string, data: string | readonly string[]): void {
    const values = typeof data === 'string' ? data : [...data];
    const shape = typeof data === 'string' ? [] : [data.length];
    checked(() => this.#file.create_dataset({ name: path, data: values, shape, dtype: 'S' }));
  }

  /** An attribute of a group: an int64 or a text. */
  attribute(group: string, name: string, value: number | string): void {
    checked(() => {
      const holder = this.#file.get(group) as Group;
      if (typeof value === 'string') holder.create_attribute(name, value, [], 'S');
      else holder.create_attribute(name, new BigInt64Array([BigInt(value)]), [], '<q');
    });
  }

  /** Completes the file. After an error there is nothing to close: what was written is no HDF5 file. */
  close(): void {
    checked(() => this.#file.close());
    makeBooleans(this.#path);
  }
}
