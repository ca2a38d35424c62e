// Zip archives of stored members, as NumPy's .npz are: written front to back with members of any size. A member's bytes
// come in pieces; its checksum is put into its header afterwards. Layouts are those of PKWARE's APPNOTE, 4.3 and 4.5.
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { crc32 } from './crc32.ts';

/** Without a time of day: 1 January 1980, the first that the format has. */
const firstDosDate = 0x21;
/** Readers need version 4.5 of the format, for members beyond 4 GiB. */
const versionNeeded = 45;
const zip64Tag = 1;
const limit32 = 0xffffffff;
const crcOffset = 14;

interface Member {
  readonly name: Buffer;
  readonly offset: number;
  readonly bytes: number;
  checksum: number;
}

/** The last 26 bytes that the two kinds of header have in common, and the extra field with sizes of 64 bits. */
function commonHeader({ name, checksum }: Member, extraBytes: number): Buffer {
  const header = Buffer.alloc(26);
  header.writeUInt16LE(versionNeeded, 0);
  header.writeUInt16LE(firstDosDate, 8);
  header.writeUInt32LE(checksum, 10);
  // Both sizes are in the extra field, whatever they are.
  header.writeUInt32LE(limit32, 14);
  header.writeUInt32LE(limit32, 18);
  header.writeUInt16LE(name.length, 22);
  header.writeUInt16LE(extraBytes, 24);
  return header;
}

function extraField(values: readonly number[]): Buffer {
  const extra = Buffer.alloc(4 + 8 * values.length);
  extra.writeUInt16LE(zip64Tag, 0);
  extra.writeUInt16LE(8 * values.length, 2);
  for (const [place, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + 8 * place);
  return extra;
}

/** Calls `writeSync` until all is written. */
function writeAt(file: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(file, bytes, done, bytes.length - done, position + done);
  }
}

/**
 * @example
 * const zip = new ZipFile('train.npz');
 * zip.member('a.npy', 3, [new Uint8Array([1, 2, 3])]);
 * zip.close();
 */
export class ZipFile {
  readonly #file: number;
  readonly #members: Member[] = [];
  #bytes = 0;

  /** @throws the system's error where the file cannot be created. */
  constructor(path: string) {
    this.#file = openSync(path, 'w');
  }

  /**
   * Writes a member of so many bytes.
   *
   * @throws RangeError when the pieces are more or fewer bytes.
   */
  member(name: string, bytes: number, pieces: Iterable<Uint8Array>): void {
    const member = { name: Buffer.from(name), offset: this.#bytes, bytes, checksum: 0 };
    const extra = extraField([bytes, bytes]);
    this.#append(Buffer.from('PK\x03\x04', 'latin1'));
    this.#append(commonHeader(member, extra.length));
    this.#append(member.name);
    this.#append(extra);
    const start = this.#bytes;
    for (const piece of pieces) {
      member.checksum = crc32(piece, member.checksum);
      this.#append(piece);
    }
    if (this.#bytes - start !== bytes) {
      throw new RangeError(`${name}: ${this.#bytes - start} bytes, expected ${bytes}`);
    }
    const checksum = Buffer.alloc(4);
    checksum.writeUInt32LE(member.checksum);
    writeAt(this.#file, checksum, member.offset + crcOffset);
    this.#members.push(member);
  }

  /** Writes the directory of the members, and closes the file. */
  close(): void {
    const start = this.#bytes;
    for (const member of this.#members) {
      const extra = extraField([member.bytes, member.bytes, member.offset]);
      const rest = Buffer.alloc(14);
      rest.writeUInt32LE(limit32, 10);
      this.#append(Buffer.from('PK\x01\x02', 'latin1'));
      this.#append(Buffer.from([versionNeeded, 0]));
      this.#append(commonHeader(member, extra.length));
      this.#append(rest);
      this.#append(member.name);
      this.#append(extra);
    }
    this.#append(this.#endOfDirectory(start, this.#bytes - start));
    fsyncSync(this.#file);
    closeSync(this.#file);
  }

  #append(bytes: Uint8Array): void {
    writeAt(this.#file, bytes, this.#bytes);
    this.#bytes += bytes.length;
  }

  /** The end of the directory with 64 bits, where to find it, and the end that every reader looks for. */
  #endOfDirectory(start: number, bytes: number): Buffer {
    const count = this.#members.length;
    const end = Buffer.alloc(56 + 20 + 22);
    end.write('PK\x06\x06', 0, 'latin1');
    end.writeBigUInt64LE(44n, 4);
    end.writeUInt16LE(versionNeeded, 12);
    end.writeUInt16LE(versionNeeded, 14);
    end.writeBigUInt64LE(BigInt(count), 24);
    end.writeBigUInt64LE(BigInt(count), 32);
    end.writeBigUInt64LE(BigInt(bytes), 40);
    end.writeBigUInt64LE(BigInt(start), 48);
    end.write('PK\x06\x07', 56, 'latin1');
    end.writeBigUInt64LE(BigInt(start + bytes), 64);
    end.writeUInt32LE(1, 72);
    end.write('PK\x05\x06', 76, 'latin1');
    end.writeUInt16LE(count, 84);
    end.writeUInt16LE(count, 86);
    end.writeUInt32LE(limit32, 88);
    end.writeUInt32LE(limit32, 92);
    return end;
  }
}
