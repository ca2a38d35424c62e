// Reads a tar archive held in memory: regular files only, which is all the embedded driver's archive has.

const blockBytes = 512;

function textField(block: Uint8Array, offset: number, length: number): string {
  const bytes = block.subarray(offset, offset + length);
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
}

/**
 * The regular files of an archive by name, leading "./" removed.
 *
 * @throws Error when the archive is cut off or is not a tar archive.
 * @example readTar(bytes).get('libvulkan.so.1');
 */
export function readTar(archive: Uint8Array): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (let offset = 0; offset + blockBytes <= archive.length; ) {
    const header = archive.subarray(offset, offset + blockBytes);
    const name = textField(header, 0, 100);
    if (name === '') break;
    const size = Number.parseInt(textField(header, 124, 12).trim() || '0', 8);
    if (textField(header, 257, 5) !== 'ustar' || !Number.isSafeInteger(size))
      throw new Error('not a tar archive');
    offset += blockBytes;
    if (offset + size > archive.length) throw new Error(`the tar archive is cut off within "${name}"`);
    const type = textField(header, 156, 1);
    if (type === '' || type === '0') {
      files.set(name.replace(/^\.\//, ''), archive.subarray(offset, offset + size));
    }
    offset += Math.ceil(size / blockBytes) * blockBytes;
  }
  return files;
}
