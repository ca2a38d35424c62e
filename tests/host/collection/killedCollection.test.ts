// A collection that is killed with SIGKILL, at any moment, and started again ends with the same datasets.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { collectSmall, datasetFiles, newPath } from './support/testCollection.ts';

const script = fileURLToPath(new URL('./support/collectInChild.ts', import.meta.url));
const format = 'minari,lerobot,d3rlpy,npz';

function bytesOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
}

/** Starts the collection and kills it so long after `isReached`. True when it came to its end before. */
async function collectAndKill(
  folder: string,
  isReached: () => boolean,
  milliseconds: number,
): Promise<boolean> {
  const child = spawn(process.execPath, ['--import', 'tsx', script, folder, format, '5'], {
    stdio: 'inherit',
  });
  const ended = once(child, 'exit') as Promise<[code: number | null]>;
  while (child.exitCode === null && !isReached()) await delay(1);
  await delay(milliseconds);
  child.kill('SIGKILL');
  const [code] = await ended;
  if (code !== null) expect(code).toBe(0);
  return code === 0;
}

test('killed while it plays, and while it writes each dataset', { timeout: 300_000 }, async () => {
  const folder = newPath();
  const journal = join(folder, 'episodes.journal');
  const kills: string[] = [];
  const killAt = async (when: string, isReached: () => boolean) => {
    const milliseconds = Math.floor(Math.random() * 60);
    kills.push(`${milliseconds} ms after ${when}`);
    return collectAndKill(folder, isReached, milliseconds);
  };
  for (let kill = 0; kill < 2; kill++) {
    const before = bytesOf(journal);
    await killAt('an episode', () => bytesOf(journal) > before);
  }
  expect(bytesOf(journal), `kills with episodes already there: ${kills.join(', ')}`).toBeGreaterThan(0);
  for (const name of ['lerobot', 'npz']) {
    const isDone = await killAt(name, () => existsSync(join(folder, `${name}.partial`)));
    if (isDone) break;
  }
  await collectSmall(folder, { format });
  const whole = newPath();
  await collectSmall(whole, { format });
  expect(datasetFiles(folder), `killed ${kills.join(', ')}`).toEqual(datasetFiles(whole));
});
