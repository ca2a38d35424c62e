// Keeps two processes from writing one run folder at once. The lock is a file that names its process; the lock of a
// process that is gone (killed, or from before a restart of the machine) is taken over.
import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { UsageError } from '../errors.ts';

export const lockName = 'run.lock';

interface LockHolder {
  pid: number;
  host: string;
  /** Tells a process from a later one with the same number; empty where the system does not say. */
  start: string;
  token: string;
}

/** Boot and start time of a process, on Linux; empty elsewhere or when it is gone. */
function processStart(pid: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').trim().split(' ');
    return `${boot}/${fields[19]}`;
  } catch {
    return '';
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function parseHolder(text: string): LockHolder | undefined {
  try {
    const holder = JSON.parse(text) as LockHolder;
    return Number.isInteger(holder.pid) ? holder : undefined;
  } catch {
    return undefined;
  }
}

/** A lock that cannot be read was torn by a kill while it was written: its process is gone. */
function isStale(holder: LockHolder | undefined): boolean {
  if (holder === undefined) return true;
  if (holder.host !== hostname()) return false;
  if (!isRunning(holder.pid)) return true;
  const start = processStart(holder.pid);
  return holder.start !== '' && start !== '' && holder.start !== start;
}

function readOrNothing(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export interface RunLock {
  release(): void;
}

/**
 * Locks a folder for this process until `release`.
 *
 * @throws UsageError when a living process holds it.
 */
export async function lockRunFolder(folder: string): Promise<RunLock> {
  const path = join(folder, lockName);
  const own: LockHolder = {
    pid: process.pid,
    host: hostname(),
    start: processStart(process.pid),
    token: randomUUID(),
  };
  const text = `${JSON.stringify(own)}\n`;
  for (let attempt = 0; attempt < 5; attempt++) {
    if (!createLock(path, text)) {
      const found = readOrNothing(path);
      if (found === undefined) continue;
      const holder = parseHolder(found);
      if (!isStale(holder)) throw heldByAnother(folder, holder!);
      moveAside(path, found);
      continue;
    }
    // Another process may just have moved this lock aside, taking it for the stale one: look again.
    if (attempt > 0) await delay(50);
    if (readOrNothing(path) === text) {
      return {
        release() {
          if (readOrNothing(path) === text) rmSync(path, { force: true });
        },
      };
    }
  }
  throw new UsageError(`${folder}: found another process that is starting on it, allowed is one at a time`);
}

/** False when there is one already. */
function createLock(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes a stale lock, and nothing else: a lock that took its place meanwhile is put back. */
function moveAside(path: string, stale: string): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  try {
    const moved = readFileSync(aside, 'utf8');
    if (moved !== stale) createLock(path, moved);
  } finally {
    rmSync(aside, { force: true });
  }
}

function heldByAnother(folder: string, holder: LockHolder): UsageError {
  const where = holder.host === hostname() ? '' : ` on ${holder.host}; delete ${lockName} if it is gone`;
  return new UsageError(
    `${folder}: found a run being written by process ${holder.pid}${where}, allowed is one process at a time`,
  );
}
