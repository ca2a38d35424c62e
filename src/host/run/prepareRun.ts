// From the options of `rtsafe run` or `rtsafe sweep` to a run that can start. Everything a user can get wrong is found here, before any
// GPU is opened and anything is written.

import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { counted } from '../counted.ts';
import { type PlanAxes, type PlannedEpisode, RunPlan } from '../episodes/plan.ts';
import { parseShard } from '../episodes/shard.ts';
import { UsageError } from '../errors.ts';
import { inputFault } from '../input/jsonFault.ts';
import { optionFlag } from '../input/optionFlag.ts';
import type { LatencyModel } from '../latency/latencyModel.ts';
import { parseLatency } from '../latency/parseLatency.ts';
import { type OpenaiOptions, openaiOptionNames } from '../policies/openai/settings.ts';
import { parsePolicy } from '../policies/parsePolicy.ts';
import type { Policy } from '../policies/policy.ts';
import { listBundledProfiles, loadProfile, profileHash } from '../profiles/load.ts';
import type { Profile } from '../profiles/schema.ts';
import type { RunConfig } from '../records/runConfig.ts';
import { sceneHash } from '../scenes/hash.ts';
import {
  parseDifficulties,
  parseModes,
  parseSeeds,
  parseWholeNumber,
  parseWithout,
  splitForms,
} from './optionLists.ts';
import { selectRoutes } from './routeSelection.ts';
import { buildRunWorld, type RunWorld } from './runWorld.ts';
import { simulatorVersions } from './versions.ts';

/** Largest batch that `--envs auto` chooses. */
export const automaticEnvironments = 4096;
/** Largest batch that can be asked for. */
export const maximumEnvironments = 1_048_576;
const maximumDecisionCap = 1_000_000;
/** Most episodes of one run, all its shards together. */
export const maximumEpisodes = 10_000_000;

/** As the command line gives them; all but `envs`, `maxDecisions`, `shard` and those of a policy are lists. */
export interface RunOptions extends OpenaiOptions {
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
  /** Writes what policies that are asked were told and shown. */
  readonly keepPrompts?: boolean;
  /** `0/3`: the first of three parts. */
  readonly shard?: string;
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
  /** What policies that are asked are told and shown is to be kept in the run's folder. */
  readonly keepsPrompts: boolean;
}

/** Loaded profiles with the names or paths they came by, each profile once. */
function loadProfiles(text: string): { profile: Profile; source: string }[] {
  const loaded = new Map<string, { profile: Profile; source: string; hash: string }>();
  for (const source of splitForms(text)) {
    const profile = loadProfile(source);
    const hash = profileHash(profile);
    const other = loaded.get(profile.name);
    if (other === undefined) loaded.set(profile.name, { profile, source, hash });
    else if (other.hash !== hash) {
      throw new UsageError(
        `--profile: found two profiles named "${profile.name}" (${other.source} and ${source}), allowed is one of each name`,
      );
    }
  }
  return [...loaded.values()];
}

function byName<Named extends { readonly name: string }>(items: readonly Named[]): Map<string, Named> {
  return new Map(items.map((item) => [item.name, item]));
}

/** @throws UsageError for a product that is too large. */
function checkSize({ profiles, policies, latencies, difficulties, modes, seeds, routes }: PlanAxes): void {
  const axes = { profiles, policies, latencies, difficulties, modes, seeds, routes };
  const episodes = Object.values(axes).reduce((product, { length }) => product * length, 1);
  if (episodes <= maximumEpisodes) return;
  const lengths = [
    counted(profiles.length, 'profile'),
    counted(policies.length, 'policy', 'policies'),
    counted(latencies.length, 'latency', 'latencies'),
    counted(difficulties.length, 'difficulty', 'difficulties'),
    counted(modes.length, 'mode'),
    counted(seeds.length, 'seed'),
    counted(routes.length, 'route'),
  ];
  throw new UsageError(
    `the grid: found ${episodes} episodes (${lengths.join(' x ')}), allowed are at most ${maximumEpisodes}`,
  );
}

function* filtered(plan: RunPlan, isWanted: (episode: PlannedEpisode) => boolean): Generator<PlannedEpisode> {
  for (const episode of plan.episodes()) if (isWanted(episode)) yield episode;
}

/** @throws UsageError for the first episode that a policy or a latency has nothing for. */
function checkEpisodes(plan: RunPlan, policies: Iterable<Policy>, latencies: Iterable<LatencyModel>): void {
  for (const policy of policies)
    policy.checkEpisodes?.(filtered(plan, (episode) => episode.policy === policy.name));
  for (const latency of latencies)
    latency.checkEpisodes?.(filtered(plan, (episode) => episode.latency === latency.name));
}

/** @throws UsageError for a latency made of what asking took, beside a policy that is not asked. */
function checkLatencies(policies: Iterable<Policy>, latencies: Iterable<LatencyModel>): void {
  const measuring = [...latencies].find(({ needsThought }) => needsThought === true);
  const silent = [...policies].find((policy) => policy.ask === undefined);
  if (measuring === undefined || silent === undefined) return;
  throw inputFault(
    `--latency ${measuring.name}`,
    `the policy ${silent.name}, which answers at once`,
    'a policy that is asked: openai, onnx',
  );
}

/** @throws UsageError for an option of `openai` that does nothing, since none of the policies takes it. */
function checkOpenaiOptions(options: RunOptions, policies: ReadonlyMap<string, Policy>): void {
  const names = [...openaiOptionNames, 'keepPrompts'] as const;
  const named = names.find((name) => options[name] !== undefined && options[name] !== false);
  const isAsked = [...policies.values()].some(({ writesPrompts }) => writesPrompts === true);
  if (named !== undefined && !isAsked)
    throw inputFault(optionFlag(named), `the policy ${[...policies.keys()].join(', ')}`, 'the policy openai');
  const forms = splitForms(options.policy);
  if (isAsked && options.model !== undefined && !forms.includes('openai'))
    throw inputFault('--model', `a model in --policy ${forms.join(',')} too`, 'either');
}

/** The settings of policies that have any, for config.json. */
function policySettings(policies: Iterable<Policy>): Pick<RunConfig, 'policySettings'> {
  const entries = [...policies].flatMap(({ name, settings }) =>
    settings === undefined ? [] : [{ name, settings: structuredClone(settings) }],
  );
  return entries.length === 0 ? {} : { policySettings: entries };
}

/** `auto` chooses no more than the busiest policy can take: more environments would only keep pictures waiting. */
function environmentsFor(text: string, episodes: number, policies: Iterable<Policy>): number {
  if (text.trim() !== 'auto')
    return Math.min(parseWholeNumber('--envs', text, 1, maximumEnvironments), episodes);
  const useful = Array.from(policies, ({ mostAtOnce = automaticEnvironments }) => mostAtOnce);
  return Math.min(automaticEnvironments, Math.max(...useful), episodes);
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
  const profiles = loadProfiles(options.profile);
  const policies = byName(splitForms(options.policy).map((name) => parsePolicy(name, options)));
  checkOpenaiOptions(options, policies);
  await Promise.all([...policies.values()].map(async (policy) => policy.load?.()));
  const latencies = byName(splitForms(options.latency).map((name) => parseLatency(name)));
  const axes: PlanAxes = {
    profiles: profiles.map(({ profile }) => profile.name),
    policies: [...policies.keys()],
    latencies: [...latencies.keys()],
    difficulties,
    modes,
    seeds,
    routes: selection.routes,
    maxDecisions,
    without,
  };
  checkSize(axes);
  const whole = new RunPlan(axes);
  const plan =
    options.shard === undefined ? whole : new RunPlan(axes, parseShard(options.shard, whole.gridSize));
  const environments = environmentsFor(options.envs, plan.size, policies.values());
  checkLatencies(policies.values(), latencies.values());
  checkEpisodes(plan, policies.values(), latencies.values());
  const traces = [...policies.keys(), ...latencies.keys()].filter((name) => name.startsWith('trace:'));
  const bundledProfiles = listBundledProfiles();
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
    profiles: profiles.map(({ profile, source }) => {
      const isBundled = bundledProfiles.includes(source);
      return {
        name: profile.name,
        source: isBundled ? 'bundled' : source,
        hash: profileHash(profile),
        ...(isBundled ? {} : { content: profile }),
      };
    }),
    replayed: await Promise.all([...new Set(traces)].map(replayedFile)),
    ...policySettings(policies.values()),
    ...(plan.shard === undefined ? {} : { shard: plan.shard }),
    sessions: [],
  };
  const scenes = selection.scenes.map(({ scene }) => scene);
  return {
    plan,
    config,
    runWorld: buildRunWorld(
      plan,
      scenes,
      profiles.map(({ profile }) => profile),
    ),
    policies,
    latencies,
    environments,
    keepsPrompts: options.keepPrompts === true,
  };
}
