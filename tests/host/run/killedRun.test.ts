// A run that is killed with SIGKILL at any moment and started again ends with the same lines.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { longerRuns, newPath, runSmall } from './testRun.ts';

const script = fileURLToPath(new URL('./runInChild.ts', import.meta.url));

function episodesText(folder: string): string {
  const path = join(folder, 'episodes.jsonl');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/**
 * Starts the run and kills it so long after it has locked the folder, or after it has added lines to those that are
 * there. True when it came to its end before.
 */
async function runAndKill(
  folder: string,
  run: string,
  after: 'lock' | 'lines',
  milliseconds: number,
): Promise<boolean> {
  const linesBefore = episodesText(folder).length;
  const child = spawn(process.execPath, ['--import', 'tsx', script, folder, run], { stdio: 'inherit' });
  const ended = once(child, 'exit') as Promise<[code: number | null]>;
  const isReached = () =>
    after === 'lock' ? existsSync(join(folder, 'run.lock')) : episodesText(folder).length > linesBefore;
  while (child.exitCode === null && !isReached()) await delay(1);
  await delay(milliseconds);
  child.kill('SIGKILL');
  const [code] = await ended;
  if (code !== null) expect(code).toBe(0);
  return code === 0;
}

test.each([
  { run: 'run', early: 3, attempts: 7 },
  { run: 'sweep', early: 1, attempts: 4 },
] as const)(
  'a $run killed again and again, at random moments',
  { timeout: 300_000 },
  async ({ run, early, attempts }) => {
    const folder = newPath();
    const kills: string[] = [];
    let partial = 0;
    let isComplete = false;
    for (let attempt = 0; attempt < attempts && !isComplete; attempt++) {
      const after = attempt < early ? 'lock' : 'lines';
      const milliseconds = Math.floor(Math.random() * 250);
      isComplete = await runAndKill(folder, run, after, milliseconds);
      kills.push(`${milliseconds} ms after ${after}`);
      if (!isComplete && episodesText(folder) !== '') partial++;
    }
    expect(partial, 'kills with lines already there').toBeGreaterThan(0);
    await runSmall(folder, longerRuns[run]);
    const whole = newPath();
    await runSmall(whole, longerRuns[run]);
    expect(episodesText(folder), `killed ${kills.join(', ')}`).toBe(episodesText(whole));
    expect(readdirSync(folder).sort()).toEqual(['config.json', 'episodes.jsonl', 'summary.json']);
  },
);
