// From the options of `rtsafe run` to a run that can start. Everything a user can get wrong is found here, before any
// GPU is opened and anything is written.
import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { LatencyModel } from '../latency/latencyModel.ts';
import { parseLatency } from '../latency/parseLatency.ts';
import { parsePolicy } from '../policies/parsePolicy.ts';
import type { Policy } from '../policies/policy.ts';
import { listBundledProfiles, loadProfile, profileHash } from '../profiles/load.ts';
import type { RunConfig } from '../records/runConfig.ts';
import { sceneHash } from '../scenes/hash.ts';
import { parseDifficulties, parseModes, parseSeeds, parseWholeNumber, parseWithout } from './optionLists.ts';
import { type PlannedEpisode, RunPlan } from './plan.ts';
import { selectRoutes } from './routeSelection.ts';
import { buildRunWorld, type RunWorld } from './runWorld.ts';
import { simulatorVersions } from './versions.ts';

/** Largest batch that `--envs auto` chooses. */
export const automaticEnvironments = 4096;
/** Largest batch that can be asked for. */
export const maximumEnvironments = 1_048_576;
const maximumDecisionCap = 1_000_000;

/** As the command line gives them. */
export interface RunOptions {
  readonly routes: string;
  readonly difficulty: string;
  readonly mode: string;
  readonly profile: string;
  readonly policy: string;
  readonly latency: string;
  readonly seeds: string;
  readonly envs: string;
  readonly maxDecisions?: string;
  readonly without?: string;
}

export const defaultRunOptions: RunOptions = {
  routes: 'all',
  difficulty: 'hard',
  mode: 'both',
  profile: 'rt-safe',
  policy: 'greedy',
  latency: 'fixed:3',
  seeds: '0',
  envs: 'auto',
};

export interface PreparedRun {
  readonly plan: RunPlan;
  /** Without a session yet. */
  readonly config: RunConfig;
  readonly runWorld: RunWorld;
  readonly policies: ReadonlyMap<string, Policy>;
  readonly latencies: ReadonlyMap<string, LatencyModel>;
  readonly environments: number;
}

function* allEpisodes(plan: RunPlan): Generator<PlannedEpisode> {
  for (let index = 0; index < plan.size; index++) yield plan.at(index);
}

function environmentsFor(text: string, episodes: number): number {
  const most =
    text.trim() === 'auto' ? automaticEnvironments : parseWholeNumber('--envs', text, 1, maximumEnvironments);
  return Math.min(most, episodes);
}

/** The SHA-256 of the file that a `trace:` policy or latency replays. */
async function replayedFile(name: string): Promise<{ name: string; hash: string }> {
  const path = name.slice('trace:'.length);
  const file = statSync(path).isDirectory() ? join(path, 'episodes.jsonl') : path;
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return { name, hash: hash.digest('hex') };
}

/**
 * Reads and checks all options.
 *
 * @throws UsageError for the first that is wrong, in one line.
 */
export async function prepareRun(options: RunOptions): Promise<PreparedRun> {
  const selection = selectRoutes(options.routes);
  const difficulties = parseDifficulties(options.difficulty);
  const modes = parseModes(options.mode);
  const seeds = parseSeeds(options.seeds);
  const without = parseWithout(options.without ?? '');
  const maxDecisions =
    options.maxDecisions === undefined
      ? null
      : parseWholeNumber('--max-decisions', options.maxDecisions, 1, maximumDecisionCap);
  const profile = loadProfile(options.profile);
  const policy = parsePolicy(options.policy);
  const latency = parseLatency(options.latency);
  const plan = new RunPlan({
    profiles: [profile.name],
    policies: [policy.name],
    latencies: [latency.name],
    difficulties,
    modes,
    seeds,
    routes: selection.routes,
    maxDecisions,
    without,
  });
  const environments = environmentsFor(options.envs, plan.size);
  policy.checkEpisodes?.(allEpisodes(plan));
  latency.checkEpisodes?.(allEpisodes(plan));
  const traces = [policy.name, latency.name].filter((name) => name.startsWith('trace:'));
  const isBundledProfile = listBundledProfiles().includes(options.profile);
  const config: RunConfig = {
    format: 'rtsafe-run',
    version: 1,
    simulator: simulatorVersions(),
    plan: structuredClone(plan.axes) as RunConfig['plan'],
    scenes: selection.scenes.map(({ scene, source }) => ({
      name: scene.name,
      source,
      hash: sceneHash(scene),
      ...(source === 'bundled' ? {} : { content: scene }),
    })),
    profiles: [
      {
        name: profile.name,
        source: isBundledProfile ? 'bundled' : options.profile,
        hash: profileHash(profile),
        ...(isBundledProfile ? {} : { content: profile }),
      },
    ],
    replayed: await Promise.all([...new Set(traces)].map(replayedFile)),
    sessions: [],
  };
  const scenes = selection.scenes.map(({ scene }) => scene);
  return {
    plan,
    config,
    runWorld: buildRunWorld(plan, scenes, [profile]),
    policies: new Map([[policy.name, policy]]),
    latencies: new Map([[latency.name, latency]]),
    environments,
  };
}
