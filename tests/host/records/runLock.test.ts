import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UsageError } from '../../../src/host/errors.ts';
import { lockName, lockRunFolder } from '../../../src/host/records/runLock.ts';

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'rtsafe-lock-'));
}

function deadPid(): number {
  return spawnSync(process.execPath, ['-e', '']).pid;
}

test('a second holder is refused until the first lets go', async () => {
  const folder = newFolder();
  const lock = await lockRunFolder(folder);
  await expect(lockRunFolder(folder)).rejects.toThrow(UsageError);
  await expect(lockRunFolder(folder)).rejects.toThrow(`process ${process.pid}`);
  lock.release();
  expect(readdirSync(folder)).toEqual([]);
  (await lockRunFolder(folder)).release();
});

test.each([
  ['a process that is gone', () => ({ pid: deadPid(), host: hostname(), start: '', token: 'x' })],
  [
    'an earlier process of the same number',
    () => ({ pid: process.pid, host: hostname(), start: 'boot/1', token: 'x' }),
  ],
  ['nobody: a torn lock', () => '{"pid":'],
])('the lock of %s is taken over', async (_, holder) => {
  const folder = newFolder();
  const content = holder();
  writeFileSync(join(folder, lockName), typeof content === 'string' ? content : JSON.stringify(content));
  const lock = await lockRunFolder(folder);
  expect(readFileSync(join(folder, lockName), 'utf8')).toContain(`"pid":${process.pid}`);
  lock.release();
  expect(existsSync(join(folder, lockName))).toBe(false);
});

test('a lock from another machine is left alone', async () => {
  const folder = newFolder();
  const text = JSON.stringify({ pid: deadPid(), host: 'elsewhere', start: '', token: 'x' });
  writeFileSync(join(folder, lockName), text);
  await expect(lockRunFolder(folder)).rejects.toThrow('on elsewhere; delete run.lock if it is gone');
  expect(readFileSync(join(folder, lockName), 'utf8')).toBe(text);
});

test('of many that find a stale lock, one gets it', async () => {
  const folder = newFolder();
  writeFileSync(
    join(folder, lockName),
    JSON.stringify({ pid: deadPid(), host: hostname(), start: '', token: 'x' }),
  );
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => lockRunFolder(folder)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(readdirSync(folder)).toEqual([lockName]);
});
