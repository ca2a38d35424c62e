// Verifies a run folder: its scenes and profiles are still those it was made with, every episode comes out again from its
// actions and latencies, and the summary is that of the episodes.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RunError } from '../errors.ts';
import { inputFault } from '../input/jsonFault.ts';
import { parseJson } from '../input/readTextFile.ts';
import { loadProfile, parseProfile, profileHash } from '../profiles/load.ts';
import type { EpisodeRecord } from '../records/episodeRecord.ts';
import { readEpisodeLines } from '../records/readEpisodes.ts';
import type { RunConfig } from '../records/runConfig.ts';
import { episodesName, readRunConfig, summaryName } from '../records/runFolder.ts';
import { summariseEpisodes } from '../records/runSummary.ts';
import type { OpenSimulator, RunProgress } from '../run/executeRun.ts';
import { episodeName, RunPlan } from '../run/plan.ts';
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

/** The episodes of a file, each checked to be one of the plan and there once. */
function* plannedRecords(path: string, plan: RunPlan): Generator<EpisodeRecord> {
  const seen = new Set<number>();
  for (const { record, number } of readEpisodeLines(path)) {
    if (record === undefined) continue;
    const index = plan.indexOf(record);
    const place = `${path}: line ${number}`;
    if (index === undefined) {
      throw inputFault(place, `the episode ${episodeName(record)}`, 'an episode that config.json plans');
    }
    if (seen.has(index)) {
      throw inputFault(place, `the episode ${episodeName(record)} again`, 'each episode once');
    }
    seen.add(index);
    yield record;
  }
}

function findSummaryMismatch(folder: string, episodesPath: string, plan: RunPlan): string | undefined {
  const path = join(folder, summaryName);
  if (!existsSync(path)) return undefined;
  const recorded = parseJson(readFileSync(path, 'utf8'), path) as { conditions?: unknown } | null;
  const made = JSON.parse(JSON.stringify(summariseEpisodes(plannedRecords(episodesPath, plan)))) as unknown;
  const difference = firstDifference(recorded?.conditions, made, ['conditions']);
  if (difference === undefined) return undefined;
  const { field, recorded: found, simulated } = difference;
  return `${path}: ${field}: recorded ${JSON.stringify(found)}, from the episodes ${JSON.stringify(simulated)}`;
}

/**
 * @throws UsageError for a folder that is no run and for a damaged file, naming the line.
 * @throws RunError for a scene or profile that is not the run's.
 */
export async function verifyRun(
  folder: string,
  openSimulator: OpenSimulator,
  progress: RunProgress,
): Promise<VerifiedRun> {
  const config = readRunConfig(folder);
  const plan = new RunPlan(config.plan);
  const runWorld = buildRunWorld(plan, loadScenes(folder, config), loadProfiles(folder, config));
  const episodesPath = join(folder, episodesName);
  // A first pass over the file: a damaged line is found before any GPU is opened, and the batch gets its size.
  let episodes = 0;
  for (const _ of plannedRecords(episodesPath, plan)) episodes++;
  const summaryMismatch = findSummaryMismatch(folder, episodesPath, plan);
  const environments = Math.max(1, Math.min(episodes, automaticEnvironments));
  const opened = await openSimulator(runWorld, environments);
  try {
    progress.start(episodes, 0);
    const result = await verifyEpisodes(
      opened.simulator,
      runWorld,
      plannedRecords(episodesPath, plan),
      (decisions) => progress.advance(1, decisions),
    );
    return { ...result, folder, plannedEpisodes: plan.size, summaryMismatch };
  } finally {
    progress.stop();
    await opened.close();
  }
}
