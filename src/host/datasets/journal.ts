// The journal of a collection: finished episodes, one record after the other in the order in which they finished, each
// with a checksum. It is what a collection is continued from, and what the datasets are written from.
//
// A record, little-endian: 8 bytes of magic; u32 bytes of the header; u32 CRC-32 of header and arrays; u64 bytes of the
// arrays; the header, JSON padded with spaces to 8 bytes; the arrays, each at a multiple of 8 bytes. The header says where.
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeFileSync } from 'node:fs';
import { inputFault } from '../input/jsonFault.ts';
import { crc32 } from './crc32.ts';
import { bytesOf, dtypes, type NumericArray } from './dtype.ts';
import {
  type Column,
  columnsOf,
  type EpisodeData,
  type EpisodeHeader,
  type EpisodeLayout,
  type EpisodeReader,
  rowBytes,
  rowsOf,
} from './episodeData.ts';

const magic = Buffer.from('RTSAFE1\n', 'latin1');
const preambleBytes = 24;
const alignment = 8;
const maximumHeaderBytes = 1024 * 1024;

function aligned(bytes: number): number {
  return Math.ceil(bytes / alignment) * alignment;
}

interface StoredColumn {
  readonly name: string;
  readonly dtype: keyof typeof dtypes;
  readonly shape: readonly number[];
  /** Bytes after the first of the arrays. */
  readonly offset: number;
}

function storedColumns(
  columnList: readonly Column[],
  steps: number,
): { columns: StoredColumn[]; bytes: number } {
  let bytes = 0;
  const columns = columnList.map((column) => {
    const rows = rowsOf(column, steps);
    const stored = { name: column.name, dtype: column.dtype, shape: [rows, ...column.shape], offset: bytes };
    bytes = aligned(bytes + rows * rowBytes(column));
    return stored;
  });
  return { columns, bytes };
}

function encode(columnList: readonly Column[], { header, arrays }: EpisodeData): Buffer {
  const { columns, bytes } = storedColumns(columnList, header.steps);
  const text = Buffer.from(JSON.stringify({ ...header, columns }));
  const headerBytes = aligned(text.length);
  const record = Buffer.alloc(preambleBytes + headerBytes + bytes);
  record.set(magic);
  record.writeUInt32LE(headerBytes, 8);
  record.writeBigUInt64LE(BigInt(bytes), 16);
  record.fill(' ', preambleBytes, preambleBytes + headerBytes);
  record.set(text, preambleBytes);
  for (const { name, dtype, shape, offset } of columns) {
    const array = arrays[name];
    const length = shape.reduce((product, size) => product * size, 1);
    if (array?.length !== length || array.BYTES_PER_ELEMENT !== dtypes[dtype].bytes) {
      throw new RangeError(`column ${name}: ${array?.length} elements, expected ${length} of ${dtype}`);
    }
    record.set(bytesOf(array), preambleBytes + headerBytes + offset);
  }
  record.writeUInt32LE(crc32(record.subarray(preambleBytes)), 12);
  return record;
}

interface RecordPlace {
  /** Bytes before the record in the file. */
  readonly offset: number;
  readonly headerBytes: number;
  readonly steps: number;
}

/**
 * @example
 * const journal = EpisodeJournal.open('data/episodes.journal', layout, 105);
 * if (!journal.has(3)) journal.append(episode);
 * await writeMinari(folder, journal.source([3]), description);
 */
export class EpisodeJournal {
  readonly path: string;
  readonly #layout: EpisodeLayout;
  readonly #columns: readonly Column[];
  readonly #file: number;
  readonly #places = new Map<number, RecordPlace>();
  #cutOffBytes = 0;
  #bytes = 0;
  #steps = 0;

  private constructor(path: string, layout: EpisodeLayout, file: number) {
    this.path = path;
    this.#layout = layout;
    this.#columns = columnsOf(layout);
    this.#file = file;
  }

  /**
   * Opens a journal, new or with the records of an earlier session; a last record that was cut off is removed.
   *
   * @throws UsageError for a file that is damaged elsewhere or holds other episodes.
   */
  static open(path: string, layout: EpisodeLayout, planSize: number): EpisodeJournal {
    const file = openSync(path, 'a+');
    const journal = new EpisodeJournal(path, layout, file);
    try {
      journal.#takeUp(planSize);
      return journal;
    } catch (error) {
      closeSync(file);
      throw error;
    }
  }

  /** Episodes. */
  get size(): number {
    return this.#places.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Of a last record that was cut off while it was written, removed when the journal was opened. */
  get cutOffBytes(): number {
    return this.#cutOffBytes;
  }

  /** Of all episodes together. */
  get steps(): number {
    return this.#steps;
  }

  has(index: number): boolean {
    return this.#places.has(index);
  }

  /** Writes one episode whole, or nothing. */
  append(episode: EpisodeData): void {
    const record = encode(this.#columns, episode);
    try {
      writeFileSync(this.#file, record);
    } catch (error) {
      ftruncateSync(this.#file, this.#bytes);
      throw error;
    }
    this.#note(episode.header, record.readUInt32LE(8), record.length);
  }

  /** The episodes with these indexes, in this order. */
  source(indexes: readonly number[]): EpisodeReader {
    return {
      layout: this.#layout,
      size: indexes.length,
      header: (place) => this.#readHeader(indexes[place]!),
      read: (place) => this.#read(indexes[place]!),
      readColumn: (place, name) => this.#readColumn(indexes[place]!, name),
    };
  }

  /** Forces what was written to the disk. */
  sync(): void {
    fsyncSync(this.#file);
  }

  close(): void {
    closeSync(this.#file);
  }

  #note({ index, steps }: EpisodeHeader, headerBytes: number, recordBytes: number): void {
    this.#places.set(index, { offset: this.#bytes, headerBytes, steps });
    this.#bytes += recordBytes;
    this.#steps += steps;
  }

  #readBytes(target: Uint8Array, position: number): Uint8Array {
    for (let done = 0; done < target.length; ) {
      const count = readSync(this.#file, target, done, target.length - done, position + done);
      if (count === 0) throw new Error(`${this.path}: ended at byte ${position + done} while it was read`);
      done += count;
    }
    return target;
  }

  #readHeader(index: number): EpisodeHeader {
    const { offset, headerBytes } = this.#places.get(index)!;
    const text = this.#readBytes(Buffer.allocUnsafe(headerBytes), offset + preambleBytes);
    const { columns: _, ...header } = JSON.parse(text.toString()) as EpisodeHeader & { columns: unknown };
    return header;
  }

  #readColumn(index: number, name: string): NumericArray {
    const { offset, headerBytes, steps } = this.#places.get(index)!;
    const { columns } = storedColumns(this.#columns, steps);
    const column = columns.find((candidate) => candidate.name === name);
    if (column === undefined) throw new RangeError(`no column ${name}`);
    const length = column.shape.reduce((product, size) => product * size, 1);
    const array = new dtypes[column.dtype].array(length);
    this.#readBytes(bytesOf(array), offset + preambleBytes + headerBytes + column.offset);
    return array;
  }

  #read(index: number): EpisodeData {
    const arrays = this.#columns.map(({ name }) => [name, this.#readColumn(index, name)] as const);
    return { header: this.#readHeader(index), arrays: Object.fromEntries(arrays) };
  }

  /** Reads the records of an earlier session, one at a time. */
  #takeUp(planSize: number): void {
    const { size } = fstatSync(this.#file);
    const preamble = Buffer.alloc(preambleBytes);
    while (this.#bytes < size) {
      const start = this.#bytes;
      const damaged = (what: string) =>
        inputFault(`${this.path}: byte ${start}`, what, 'the journal of this collection, as it was written');
      if (size - start < preambleBytes) break;
      this.#readBytes(preamble, start);
      if (!preamble.subarray(0, magic.length).equals(magic)) throw damaged('something that is no episode');
      const headerBytes = preamble.readUInt32LE(8);
      const end = start + preambleBytes + headerBytes + Number(preamble.readBigUInt64LE(16));
      if (headerBytes > maximumHeaderBytes) throw damaged('an episode with a damaged length');
      if (end > size) break;
      const body = this.#readBytes(Buffer.allocUnsafe(end - start - preambleBytes), start + preambleBytes);
      if (crc32(body) !== preamble.readUInt32LE(12)) {
        if (end === size) break;
        throw damaged('an episode that does not match its checksum');
      }
      const header = JSON.parse(
        Buffer.from(body.buffer, body.byteOffset, headerBytes).toString(),
      ) as EpisodeHeader;
      const expected = storedColumns(this.#columns, header.steps);
      if (
        header.index >= planSize ||
        this.has(header.index) ||
        body.length - headerBytes !== expected.bytes
      ) {
        throw damaged(`the episode ${header.index}, which does not belong here`);
      }
      this.#note(header, headerBytes, end - start);
    }
    this.#cutOffBytes = size - this.#bytes;
    if (this.#cutOffBytes > 0) ftruncateSync(this.#file, this.#bytes);
  }
}
