// Verifies a run folder: its scenes and profiles are still those it was made with, every episode comes out again from its
// actions and latencies, and the summary is that of the episodes.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { RunError } from '../errors.ts';
import { readRunSummary } from '../metrics/runSummary.ts';
import { summarise } from '../metrics/summarise.ts';
import { loadProfile, parseProfile, profileHash } from '../profiles/load.ts';
import { noEpisodeFault, RecordedRun } from '../records/recordedRun.ts';
import type { RunConfig } from '../records/runConfig.ts';
import { summaryName } from '../records/runFolder.ts';
import type { OpenSimulator, RunProgress } from '../run/executeRun.ts';
import { automaticEnvironments } from '../run/prepareRun.ts';
import { buildRunWorld } from '../run/runWorld.ts';
import { sceneHash } from '../scenes/hash.ts';
import { loadBundledScene } from '../scenes/load.ts';
import { parseScene } from '../scenes/parse.ts';
import { firstDifference } from './firstDifference.ts';
import { type VerifyResult, verifyEpisodes } from './verifyEpisodes.ts';

export interface VerifiedRun extends VerifyResult {
  readonly folder: string;
  readonly plannedEpisodes: number;
  /** What differs between summary.json and the episodes; undefined when nothing does or there is none. */
  readonly summaryMismatch: string | undefined;
}

type NamedContent = RunConfig['scenes'][number];

function checkHash(folder: string, what: string, { name, hash }: NamedContent, found: string): void {
  if (hash === found) return;
  throw new RunError(
    `${folder}: the ${what} ${name} is not the one of the run: recorded hash ${hash}, here ${found}`,
  );
}

function loadScenes(folder: string, config: RunConfig) {
  return config.scenes.map((entry, place) => {
    const source = `${folder}/config.json: scenes[${place}].content`;
    const scene =
      entry.source === 'bundled' ? loadBundledScene(entry.name) : parseScene(entry.content, source);
    checkHash(folder, 'scene', entry, sceneHash(scene));
    return scene;
  });
}

function loadProfiles(folder: string, config: RunConfig) {
  return config.profiles.map((entry, place) => {
    const source = `${folder}/config.json: profiles[${place}].content`;
    const profile =
      entry.source === 'bundled' ? loadProfile(entry.name) : parseProfile(entry.content, source);
    checkHash(folder, 'profile', entry, profileHash(profile));
    return profile;
  });
}

function findSummaryMismatch(run: RecordedRun): string | undefined {
  const path = join(run.folder, summaryName);
  if (!existsSync(path)) return undefined;
  const recorded = readRunSummary(path).summary;
  const made = JSON.parse(JSON.stringify(summarise(run.episodes()))) as unknown;
  const difference = firstDifference(recorded.conditions, made, ['conditions']);
  if (difference === undefined) return undefined;
  const { field, recorded: found, simulated } = difference;
  return `${path}: ${field}: recorded ${JSON.stringify(found)}, from the episodes ${JSON.stringify(simulated)}`;
}

/**
 * @throws UsageError for a folder that is no run, a run without an episode, and a damaged file, naming the line.
 * @throws RunError for a scene or profile that is not the run's.
 */
export async function verifyRun(
  folder: string,
  openSimulator: OpenSimulator,
  progress: RunProgress,
): Promise<VerifiedRun> {
  const run = RecordedRun.read(folder, 'whole');
  const { config, plan } = run;
  const runWorld = buildRunWorld(plan, loadScenes(folder, config), loadProfiles(folder, config));
  // A first pass over the file: a damaged line is found before any GPU is opened, and the batch gets its size.
  const { episodes } = run.extent();
  if (episodes === 0) throw noEpisodeFault(folder);
  const summaryMismatch = findSummaryMismatch(run);
  const environments = Math.min(episodes, automaticEnvironments);
  const opened = await openSimulator(runWorld, environments);
  try {
    progress.start(episodes, 0);
    const result = await verifyEpisodes(opened.simulator, runWorld, run.episodes(), (decisions) =>
      progress.advance(1, decisions),
    );
    return { ...result, folder, plannedEpisodes: plan.size, summaryMismatch };
  } finally {
    progress.stop();
    await opened.close();
  }
}
