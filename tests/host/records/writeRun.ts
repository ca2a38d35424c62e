// Writes a run folder that holds episodes only, and returns its path.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EpisodeRecord } from '../../../src/host/records/episodeRecord.ts';

export function writeRun(parent: string, name: string, records: readonly EpisodeRecord[]): string {
  const folder = join(parent, name);
  mkdirSync(folder, { recursive: true });
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join('');
  writeFileSync(join(folder, 'episodes.jsonl'), text);
  return folder;
}
