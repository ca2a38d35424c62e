// Writes parquet files a row group at a time, with the column types that Arrow's readers make of them: every column may
// be null, lists have three levels, an image is a struct of its encoded bytes and a path.
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';
import type { Dtype } from './dtype.ts';

/** A list of `depth` levels where that is above 0. */
export interface ParquetField {
  readonly name: string;
  readonly type: Dtype | 'text' | 'image';
  readonly depth?: number;
}

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

const scalarTypes = {
  bool: { type: 'BOOLEAN' },
  uint8: { type: 'INT32', converted_type: 'UINT_8' },
  int32: { type: 'INT32' },
  int64: { type: 'INT64' },
  float32: { type: 'FLOAT' },
  float64: { type: 'DOUBLE' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
} as const satisfies Record<string, Partial<SchemaElement>>;

function schemaOf({ name, type, depth = 0 }: ParquetField): SchemaElement[] {
  if (depth > 0) {
    return [
      {
        name,
        repetition_type: 'OPTIONAL',
        num_children: 1,
        converted_type: 'LIST',
        logical_type: { type: 'LIST' },
      },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      ...schemaOf({ name: 'element', type, depth: depth - 1 }),
    ];
  }
  if (type === 'image') {
    return [
      { name, repetition_type: 'OPTIONAL', num_children: 2 },
      { name: 'bytes', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
      { name: 'path', repetition_type: 'OPTIONAL', ...scalarTypes.text },
    ];
  }
  return [{ name, repetition_type: 'OPTIONAL', ...scalarTypes[type] }];
}

/**
 * Values of one column, a row each: numbers, bigints for int64, booleans, texts, arrays of these, or
 * `{ bytes, path }` for images.
 */
export type ParquetColumn = readonly unknown[];

/**
 * @example
 * const file = new ParquetFile('tasks.parquet', [{ name: 'task_index', type: 'int64' }]);
 * file.writeRowGroup([[0n, 1n]]);
 * file.close();
 */
export class ParquetFile {
  readonly #path: string;
  readonly #fields: readonly ParquetField[];
  readonly #writer: ParquetWriter;

  /**
   * `metadata` is kept in the file's footer.
   *
   * @throws the system's error where the file cannot be created.
   */
  constructor(
    path: string,
    fields: readonly ParquetField[],
    metadata: Readonly<Record<string, string>> = {},
  ) {
    this.#path = path;
    this.#fields = fields;
    this.#writer = new ParquetWriter({
      writer: fileWriter(path),
      schema: [{ name: 'schema', num_children: fields.length }, ...fields.flatMap(schemaOf)],
      kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
      createdBy: 'rtsafe',
    });
  }

  /** So far. */
  get bytes(): number {
    return this.#writer.writer.offset;
  }

  /** Columns in the order of the fields, all of one length. */
  writeRowGroup(columns: readonly ParquetColumn[]): void {
    const rows = columns[0]?.length ?? 0;
    if (rows === 0) return;
    // The writer is a synchronous one, so this is done when it returns.
    void this.#writer.write({
      // Nobody looks for rows by what is in a list.
      columnData: this.#fields.map(({ name, depth = 0 }, place) => ({
        name,
        data: [...columns[place]!],
        statistics: depth === 0,
      })),
      rowGroupSize: rows,
    });
  }

  close(): void {
    void this.#writer.finish();
    const file = openSync(this.#path, 'r+');
    fsyncSync(file);
    closeSync(file);
  }
}
