// DuckDB as a reader of parquet files that this project did not write.
import { DuckDBInstance, type DuckDBValue } from '@duckdb/node-api';

export type Row = Record<string, unknown>;

/** Lists, structs and blobs as plain values. */
function plain(value: DuckDBValue): unknown {
  if (value === null || typeof value !== 'object') return value;
  if ('items' in value) return (value.items as DuckDBValue[]).map(plain);
  if ('entries' in value) {
    const entries = Object.entries(value.entries as unknown as Record<string, DuckDBValue>);
    return Object.fromEntries(entries.map(([name, entry]) => [name, plain(entry)]));
  }
  return 'bytes' in value ? value.bytes : value;
}

/** Rows of a query, each with its columns by name. */
export async function query(sql: string): Promise<Row[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    const reader = await connection.runAndReadAll(sql);
    return reader.getRowObjects().map((row) => {
      const columns = Object.entries(row).map(([name, value]) => [name, plain(value)] as const);
      return Object.fromEntries(columns);
    });
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Columns of parquet files and their types, in order. */
export async function columnTypes(path: string): Promise<[name: string, type: string][]> {
  const rows = await query(`DESCRIBE SELECT * FROM read_parquet('${path}')`);
  return rows.map((row) => [row.column_name as string, row.column_type as string]);
}
