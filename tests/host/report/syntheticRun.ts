// A run's folder written by hand: any episodes, any names, without simulating anything.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EpisodeRecord } from '../../../src/host/records/episodeRecord.ts';
import { type RunConfig, runIdentity } from '../../../src/host/records/runConfig.ts';
import { defaultRunOptions, prepareRun } from '../../../src/host/run/prepareRun.ts';
import { makeEpisode } from '../records/makeEpisode.ts';
import { newPath } from '../run/testRun.ts';

export interface SyntheticRun {
  readonly plan?: Partial<RunConfig['plan']>;
  readonly episodes: readonly Partial<EpisodeRecord>[];
  /** In place of the scene's own hash. */
  readonly sceneHash?: string;
}

/** Plans what it is told to, on bundled scenes, and writes the episodes given. */
export async function writeSyntheticRun({ plan, episodes, sceneHash }: SyntheticRun): Promise<string> {
  const { config } = await prepareRun({ ...defaultRunOptions, routes: 'rt10:0..3', latency: 'fixed:1' });
  config.plan = { ...config.plan, ...plan };
  if (sceneHash !== undefined) config.scenes[0]!.hash = sceneHash;
  const run = runIdentity(config);
  const folder = newPath();
  mkdirSync(folder);
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  writeFileSync(
    join(folder, 'episodes.jsonl'),
    episodes.map((changes) => `${JSON.stringify(makeEpisode({ ...changes, run }))}\n`).join(''),
  );
  return folder;
}
