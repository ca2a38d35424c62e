// From the options of `rtsafe collect` to a collection that can start. Everything a user can get wrong is found here, before
// any GPU is opened and anything is written.
import { z } from 'zod';
import { namedReward, type RewardChoice } from '../../kernels/environment/reward.ts';
import type { EpisodeLayout } from '../datasets/episodeData.ts';
import { type DatasetFormat, parseFormats } from '../datasets/formats.ts';
import type { PlannedEpisode, RunPlan } from '../episodes/plan.ts';
import { inputFault } from '../input/jsonFault.ts';
import type { LatencyModel } from '../latency/latencyModel.ts';
import type { Policy } from '../policies/policy.ts';
import { runConfigSchema } from '../records/runConfig.ts';
import { parseWholeNumber, splitForms } from '../run/optionLists.ts';
import { defaultRunOptions, maximumEnvironments, prepareRun, type RunOptions } from '../run/prepareRun.ts';
import { selectRoutes } from '../run/routeSelection.ts';
import type { RunWorld } from '../run/runWorld.ts';
import { listBundledScenes } from '../scenes/load.ts';
import { collectionLayout, parseObservation } from './collectionLayout.ts';

/** As the command line gives them. */
export interface CollectionOptions
  extends Pick<RunOptions, 'routes' | 'difficulty' | 'mode' | 'profile' | 'policy' | 'latency' | 'envs'> {
  /** One of each route where it is not given. */
  readonly episodes?: string;
  readonly firstSeed: string;
  readonly observation: string;
  readonly reward: string;
  readonly format: string;
  readonly split: string;
  readonly validation: string;
  readonly maxDecisions?: string;
  readonly without?: string;
}

export const splitNames = ['train', 'validation'] as const;
export type Split = (typeof splitNames)[number];

export const defaultCollectionOptions: CollectionOptions = {
  ...defaultRunOptions,
  mode: 'realtime',
  firstSeed: '0',
  observation: 'state',
  reward: 'protocol',
  format: 'minari',
  split: 'all',
  validation: 'rt15,rt20',
};

/** Most episodes of one collection: each is held by its place in the journal. */
const maximumCollected = 1_000_000;
const largestSeed = 0xffffffff;
/** Environments of `--envs auto`; fewer with images, whose episodes under way take more memory. */
const automaticEnvironments = { state: 1024, image: 128 } as const;
const rewardNames = ['protocol', 'score'] as const satisfies readonly RewardChoice['name'][];

const text = z.string({ error: 'a text' });
const count = z.int({ error: 'a whole number' }).min(0, { error: 'a whole number from 0' });

/** collection.json: everything needed to collect again. `run` has the plan whose first episodes are collected. */
export const collectionConfigSchema = z.object({
  format: z.literal('rtsafe-collection', { error: '"rtsafe-collection"' }),
  version: z.literal(1, { error: '1' }),
  collection: z.object({
    episodes: count,
    split: text,
    validation: z.array(text),
    observation: text,
    reward: z.object({ name: text, weights: z.record(z.string(), z.number()) }),
  }),
  run: runConfigSchema,
  /** The datasets that are there whole: how many episodes each holds. */
  datasets: z.record(z.string(), count),
});

export type CollectionConfig = z.infer<typeof collectionConfigSchema>;

export interface PreparedCollection {
  readonly plan: RunPlan;
  /** Places in the plan of the episodes of each split, in the plan's order. */
  readonly splits: Readonly<Record<Split, readonly number[]>>;
  /** Of both splits together. */
  readonly episodes: number;
  /** Without a session yet. */
  readonly config: CollectionConfig;
  readonly runWorld: RunWorld;
  readonly policy: Policy;
  readonly latency: LatencyModel;
  readonly reward: RewardChoice;
  readonly layout: EpisodeLayout;
  readonly imagePixels: number;
  readonly formats: readonly DatasetFormat[];
  readonly environments: number;
}

function oneOf<const Name extends string>(option: string, name: string, allowed: readonly Name[]): Name {
  const found = allowed.find((candidate) => candidate === name.trim());
  if (found !== undefined) return found;
  throw inputFault(option, `"${name}"`, `one of ${allowed.join(', ')}`);
}

/** The only entry of an axis of the plan. */
function only<Value>(option: string, values: Iterable<Value>): Value {
  const [first, ...others] = values;
  if (first !== undefined && others.length === 0) return first;
  throw inputFault(option, `${others.length + 1} of them`, 'one for a collection');
}

/** Maps that come with the package, or that the routes are on. */
function parseMaps(option: string, list: string, ofRoutes: Iterable<string>): string[] {
  const maps = list.split(',').map((map) => map.trim());
  const known = new Set([...listBundledScenes(), ...ofRoutes]);
  const unknown = maps.find((map) => !known.has(map));
  if (unknown === undefined) return [...new Set(maps)];
  throw inputFault(option, `"${unknown}"`, `maps by name, as rt15,rt20; there are ${[...known].join(', ')}`);
}

function environmentsFor(envs: string, hasImages: boolean, episodes: number): number {
  const most =
    envs.trim() === 'auto'
      ? automaticEnvironments[hasImages ? 'image' : 'state']
      : parseWholeNumber('--envs', envs, 1, maximumEnvironments);
  return Math.max(1, Math.min(most, episodes));
}

/**
 * Reads and checks all options. The plan has all routes for one seed after the other; a collection is its first episodes,
 * those on maps of the other split left out.
 *
 * @throws UsageError for the first that is wrong, in one line.
 */
export async function prepareCollection(options: CollectionOptions): Promise<PreparedCollection> {
  const formats = parseFormats(options.format);
  const observation = parseObservation(options.observation);
  if (splitForms(options.policy).some((name) => /^openai(:|$)/.test(name)))
    throw inputFault(
      '--policy',
      `"${options.policy}"`,
      'a policy that answers at once, of which openai is none',
    );
  const reward: RewardChoice = { name: oneOf('--reward', options.reward, rewardNames) };
  const split = oneOf('--split', options.split, ['all', ...splitNames]);
  const { routes } = selectRoutes(options.routes);
  const validation = parseMaps(
    '--validation',
    options.validation,
    routes.map(({ map }) => map),
  );
  const splitOf = (map: string): Split => (validation.includes(map) ? 'validation' : 'train');
  const isWanted = ({ map }: { readonly map: string }) => split === 'all' || splitOf(map) === split;
  const routesWanted = routes.filter(isWanted).length;
  if (routesWanted === 0) {
    throw inputFault(
      '--split',
      `"${split}", of which --routes has no map`,
      `a split of the maps in --routes; those held out for validation are ${validation.join(', ')}`,
    );
  }
  const episodes =
    options.episodes === undefined
      ? routesWanted
      : parseWholeNumber('--episodes', options.episodes, 0, maximumCollected);
  const firstSeed = parseWholeNumber('--first-seed', options.firstSeed, 0, largestSeed);
  const seeds = Math.max(1, Math.ceil(episodes / routesWanted));
  const prepared = await prepareRun({
    ...options,
    envs: '1',
    seeds: `${firstSeed}..${firstSeed + seeds - 1}`,
  });
  const { plan, runWorld } = prepared;
  only('--profile', plan.axes.profiles);
  only('--difficulty', plan.axes.difficulties);
  only('--mode', plan.axes.modes);
  const policy = only('--policy', prepared.policies.values());
  const latency = only('--latency', prepared.latencies.values());
  if (policy.ask !== undefined) {
    throw inputFault('--policy', policy.name, 'a policy that answers at once');
  }
  const places: Record<Split, number[]> = { train: [], validation: [] };
  let chosen = 0;
  for (const episode of plan.episodes()) {
    if (chosen === episodes) break;
    if (!isWanted(episode)) continue;
    places[splitOf(episode.map)].push(episode.index);
    chosen++;
  }
  const { name, weights } = namedReward(reward);
  return {
    plan,
    splits: places,
    episodes,
    config: {
      format: 'rtsafe-collection',
      version: 1,
      collection: {
        episodes,
        split,
        validation,
        observation: options.observation,
        reward: { name, weights },
      },
      run: prepared.config,
      datasets: {},
    },
    runWorld,
    policy,
    latency,
    reward,
    layout: collectionLayout(observation),
    imagePixels: observation.imagePixels,
    formats,
    environments: environmentsFor(options.envs, observation.imagePixels > 0, episodes),
  };
}

/** The splits that a collection has: those with episodes; of none at all, the one that was asked for. */
export function presentSplits({ splits, config }: PreparedCollection): Split[] {
  const present = splitNames.filter((name) => splits[name].length > 0);
  if (present.length > 0) return present;
  const { split } = config.collection;
  return split === 'all' ? ['train'] : [split as Split];
}

/** The episodes of both splits, in the plan's order. */
export function* collectedEpisodes({ plan, splits }: PreparedCollection): Generator<PlannedEpisode> {
  const indexes = [...splits.train, ...splits.validation].sort((first, second) => first - second);
  for (const index of indexes) yield plan.at(index);
}
