// NumPy's .npz: `<folder>/<split>.npz`, all episodes of a dataset in one array per column, one after the other.
import { join } from 'node:path';
import type { DatasetWriter } from './datasetWriter.ts';
import { bytesOf, dtypes } from './dtype.ts';
import { columnsOf, type EpisodeReader, observationPrefix, rowBytes, rowsOf } from './episodeData.ts';
import { ZipFile } from './zipFile.ts';

const npyAlignment = 64;
const npyPreamble = Buffer.from('\x93NUMPY\x01\x00', 'latin1');

/** The header of a .npy file, format 1.0 (NumPy's lib.format). */
function npyHeader(descr: string, shape: readonly number[]): Buffer {
  const shapeText = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(', ')})`;
  const text = `{'descr': '${descr}', 'fortran_order': False, 'shape': ${shapeText}, }`;
  const before = npyPreamble.length + 2;
  const padding = (npyAlignment - ((before + text.length + 1) % npyAlignment)) % npyAlignment;
  const length = Buffer.alloc(2);
  length.writeUInt16LE(text.length + padding + 1);
  return Buffer.concat([npyPreamble, length, Buffer.from(`${text}${' '.repeat(padding)}\n`, 'latin1')]);
}

function addArray(
  zip: ZipFile,
  name: string,
  descr: string,
  shape: readonly number[],
  bytes: number,
  pieces: Iterable<Uint8Array>,
): void {
  const header = npyHeader(descr, shape);
  zip.member(`${name}.npy`, header.length + bytes, chain(header, pieces));
}

function* chain(first: Uint8Array, others: Iterable<Uint8Array>): Generator<Uint8Array> {
  yield first;
  yield* others;
}

function addNumbers(zip: ZipFile, name: string, values: BigInt64Array): void {
  addArray(zip, name, dtypes.int64.numpy, [values.length], values.byteLength, [bytesOf(values)]);
}

/** Texts as NumPy has them: UTF-32, all as long as the longest. */
function addTexts(zip: ZipFile, name: string, texts: readonly string[]): void {
  const codes = texts.map((text) => Array.from(text, (character) => character.codePointAt(0)!));
  const longest = codes.reduce((length, text) => Math.max(length, text.length), 1);
  const values = new Uint32Array(texts.length * longest);
  for (const [row, text] of codes.entries()) values.set(text, row * longest);
  const bytes = new Uint8Array(values.buffer);
  addArray(zip, name, `<U${longest}`, [texts.length], bytes.length, [bytes]);
}

/** `observations`, or `observations_state` where there are several; `infos_clock_seconds`. */
function memberName(column: string, observations: number): string {
  if (observations === 1 && column.startsWith(observationPrefix)) return 'observations';
  return column.replace('/', '_');
}

function* columnPieces(source: EpisodeReader, name: string): Generator<Uint8Array> {
  for (let place = 0; place < source.size; place++) yield bytesOf(source.readColumn(place, name));
}

export const writeNpz: DatasetWriter = async (folder, source, { split }, onEpisode) => {
  const { layout, size } = source;
  const headers = Array.from({ length: size }, (_, place) => source.header(place));
  const steps = headers.reduce((sum, header) => sum + header.steps, 0);
  const zip = new ZipFile(join(folder, `${split}.npz`));
  for (const column of columnsOf(layout)) {
    const rows = headers.reduce((sum, header) => sum + rowsOf(column, header.steps), 0);
    const name = memberName(column.name, layout.observations.length);
    const shape = [rows, ...column.shape];
    const pieces = columnPieces(source, column.name);
    addArray(zip, name, dtypes[column.dtype].numpy, shape, rows * rowBytes(column), pieces);
  }
  const observationIndex = new BigInt64Array(steps);
  const episodeStart = new BigInt64Array(size + 1);
  let step = 0;
  for (const [place, header] of headers.entries()) {
    // Every episode before has one observation more than it has steps.
    for (const end = step + header.steps; step < end; step++) observationIndex[step] = BigInt(step + place);
    episodeStart[place + 1] = BigInt(step);
    onEpisode();
  }
  addNumbers(zip, 'observation_index', observationIndex);
  addNumbers(zip, 'episode_start', episodeStart);
  addNumbers(zip, 'episode_seed', numbersOf(headers.map(({ seed }) => seed)));
  addNumbers(zip, 'episode_route', numbersOf(headers.map(({ route }) => route)));
  addTexts(
    zip,
    'episode_map',
    headers.map(({ map }) => map),
  );
  addTexts(
    zip,
    'episode_outcome',
    headers.map(({ outcome }) => outcome),
  );
  zip.close();
};

function numbersOf(values: readonly number[]): BigInt64Array {
  return BigInt64Array.from(values, BigInt);
}
