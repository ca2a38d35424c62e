// Small runs of the policy `openai` for tests, on the CPU reference.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunSummary } from '../../../../src/host/metrics/runSummary.ts';
import type { Thought } from '../../../../src/host/policies/policy.ts';
import type { EpisodeRecord } from '../../../../src/host/records/episodeRecord.ts';
import { readEpisodes } from '../../../../src/host/records/readEpisodes.ts';
import { executeRun, type OpenSimulator } from '../../../../src/host/run/executeRun.ts';
import { prepareRun, type RunOptions } from '../../../../src/host/run/prepareRun.ts';
import { openReference } from '../../run/referenceSimulator.ts';
import { newPath, silent, smallRun } from '../../run/testRun.ts';
import type { ChatEndpoint } from './chatEndpoint.ts';

export const secretKey = 'sk-test-0123456789abcdef';
process.env.RTSAFE_TEST_KEY = secretKey;

export interface AskedRun {
  readonly folder: string;
  readonly summary: RunSummary;
  readonly records: readonly EpisodeRecord[];
  readonly decisions: EpisodeRecord['trace'];
  readonly seconds: { readonly fromFirstToLastAnswer: number };
}

/** One short route, real-time, six decisions, the latency measured. */
export async function runAsked(
  endpoint: ChatEndpoint,
  changes: Partial<RunOptions> = {},
  folder = newPath(),
  openSimulator: OpenSimulator = openReference,
): Promise<AskedRun> {
  const options: Partial<RunOptions> = {
    routes: 'rt12:8',
    mode: 'realtime',
    policy: 'openai',
    latency: 'measured',
    baseUrl: endpoint.baseUrl,
    model: 'test-model',
    apiKeyEnv: 'RTSAFE_TEST_KEY',
    warmUp: '0',
    ...changes,
  };
  const prepared = await prepareRun({ ...smallRun, ...options });
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  const thought = (answered: Thought) => {
    last = performance.now() / 1000;
    first = Math.min(first, last - answered.seconds);
  };
  const { summary } = await executeRun(prepared, folder, openSimulator, { ...silent, thought });
  const records = [...readEpisodes(join(folder, 'episodes.jsonl'))];
  return {
    folder,
    summary,
    records,
    decisions: records.flatMap(({ trace }) => trace),
    seconds: { fromFirstToLastAnswer: last - first },
  };
}

/** Everything in a run's folder, as one text. */
export function folderText(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
    .join('\n');
}
