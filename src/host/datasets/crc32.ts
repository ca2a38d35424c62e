// CRC-32 as zip files have it (ISO-HDLC). `zlib.crc32` is not in every Node 20.

const table = new Uint32Array(256).map((_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/**
 * The checksum of `bytes`, or of what came before and `bytes` when that one's checksum is given.
 *
 * @example crc32(new TextEncoder().encode('123456789')) // 0xcbf43926
 */
export function crc32(bytes: Uint8Array, before = 0): number {
  let value = ~before;
  for (let index = 0; index < bytes.length; index++) {
    value = (value >>> 8) ^ table[(value ^ bytes[index]!) & 0xff]!;
  }
  return ~value >>> 0;
}
