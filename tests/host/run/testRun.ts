// Small runs for tests, on the CPU reference.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ExecutedRun,
  executeRun,
  type OpenSimulator,
  type RunProgress,
} from '../../../src/host/run/executeRun.ts';
import { defaultRunOptions, prepareRun, type RunOptions } from '../../../src/host/run/prepareRun.ts';
import { openReference } from './referenceSimulator.ts';

export const silent: RunProgress = { start() {}, advance() {}, stop() {} };

/** A path in a new folder; nothing is there yet. */
export function newPath(name = 'run'): string {
  return join(mkdtempSync(join(tmpdir(), 'rtsafe-run-')), name);
}

/** Two short routes, both modes, few decisions: 4 episodes. */
export const smallRun: RunOptions = {
  ...defaultRunOptions,
  routes: 'rt10:0,rt12:8',
  difficulty: 'easy',
  latency: 'lognormal:2,0.5',
  maxDecisions: '6',
};

export async function runSmall(
  folder: string,
  changes: Partial<RunOptions> = {},
  openSimulator: OpenSimulator = openReference,
): Promise<ExecutedRun> {
  const prepared = await prepareRun({ ...smallRun, ...changes });
  return executeRun(prepared, folder, openSimulator, silent);
}

/** What changes `smallRun` to one of 48 episodes, a second or two of work. */
export const longerRuns = {
  run: { seeds: '0..11', maxDecisions: '8' },
  /** Half of a sweep of 96. */
  sweep: {
    latency: 'fixed:0,lognormal:2,0.5,fixed:4',
    policy: 'greedy,wait',
    mode: 'realtime',
    seeds: '0..7',
    maxDecisions: '8',
    shard: '1/2',
  },
} satisfies Record<string, Partial<RunOptions>>;
