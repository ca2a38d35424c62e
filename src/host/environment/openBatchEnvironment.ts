// The vector environment on Node: maps, profiles and latencies by name, the GPU of this machine.
import {
  type AutoresetMode,
  BatchEnvironment,
  type EnvironmentOptions,
} from '../../kernels/environment/batchEnvironment.ts';
import { drawnEpisodes, type Episode, type EpisodeSource } from '../../kernels/environment/episodes.ts';
import { type AdapterChoice, openGpu } from '../adapters/openGpu.ts';
import type { EpisodeIdentity } from '../episodes/episodeIdentity.ts';
import { RunPlan } from '../episodes/plan.ts';
import { UsageError } from '../errors.ts';
import { compileCameraScene } from '../images/cameraScene.ts';
import { parseLatency } from '../latency/parseLatency.ts';
import { defaultProfileName, loadProfile } from '../profiles/load.ts';
import { parseDifficulties, parseModes, parseSeeds, parseWithout } from '../run/optionLists.ts';
import { selectRoutes } from '../run/routeSelection.ts';
import { buildRunWorld, type RunWorld } from '../run/runWorld.ts';
import { readShader } from '../shaderFiles.ts';

/** An episode as the environment plays it, and what names it in a record. */
export interface RouteEpisode extends Episode, EpisodeIdentity {}

/** What is in the environment, as the command line would say it. */
export interface BatchEnvironmentOptions
  extends Partial<Pick<EnvironmentOptions<RouteEpisode>, 'reward' | 'execution' | 'state'>> {
  readonly numEnvs: number;
  /** As `--routes`: all, rt10, rt15:16, a scene file. Default: all. */
  readonly routes?: string;
  /** One or more of them, as `--difficulty`. Default: hard. */
  readonly difficulty?: string;
  /** As `--mode`. Default: realtime. */
  readonly mode?: string;
  /** A bundled profile or a file. Default: rt-safe. */
  readonly profile?: string;
  /** Actor classes to switch off, as `--without`. */
  readonly without?: string;
  /** Episode seeds to draw from, as `--seeds`: 0..9. Default: any of 2^32. */
  readonly seeds?: string;
  /** Caps each route's own decision budget. */
  readonly maxDecisions?: number;
  /** As `--latency`, but for those that need a policy that is asked; or `supplied` with each step. Default: none. */
  readonly latency?: string;
  /** Default: next-step. */
  readonly autoresetMode?: AutoresetMode;
  /** A picture of so many pixels each way. Default: none. */
  readonly imagePixels?: number;
  /** As `--adapter`. Default: auto. */
  readonly adapter?: AdapterChoice;
  /** Chooses episodes in place of the even draw over routes, difficulties, modes and seeds. */
  readonly episodes?: (world: EnvironmentWorld) => EpisodeSource<RouteEpisode>;
}

/** What the environment's episodes are made of. */
export interface EnvironmentWorld extends RunWorld {
  /** The episode of a name, which must be of the environment's routes. */
  episode(identity: EpisodeIdentity): RouteEpisode;
}

const optionNames: readonly string[] = [
  'numEnvs',
  'routes',
  'difficulty',
  'mode',
  'profile',
  'without',
  'seeds',
  'maxDecisions',
  'latency',
  'autoresetMode',
  'imagePixels',
  'adapter',
  'episodes',
  'reward',
  'execution',
  'state',
] satisfies (keyof BatchEnvironmentOptions)[];

const anySeed = 2 ** 32;

function environmentLatency(text: string): EnvironmentOptions<RouteEpisode>['latency'] {
  if (text.trim() === 'supplied') return 'supplied';
  const model = parseLatency(text);
  if (model.needsThought === true)
    throw new UsageError(
      `latency: found ${model.name}, which is made of what asking took; allowed are the others, and supplied`,
    );
  return (episode, decision) => model.draw(episode, decision);
}

/**
 * Loads maps and profile, opens the GPU and compiles the kernels. `close` of what it gives closes the GPU too.
 *
 * @throws UsageError for an option that is not allowed, in one line; RunError where there is no GPU driver.
 * @example
 * const environment = await openBatchEnvironment({ numEnvs: 1024, latency: 'fixed:3' });
 * const { observations, infos } = await environment.reset({ seed: 1 });
 */
export async function openBatchEnvironment(
  options: BatchEnvironmentOptions,
): Promise<BatchEnvironment<RouteEpisode>> {
  const unknown = Object.keys(options).find((name) => !optionNames.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`option: found "${unknown}", allowed are ${optionNames.join(', ')}`);
  const { scenes, routes } = selectRoutes(options.routes ?? 'all');
  const difficulties = parseDifficulties(options.difficulty ?? 'hard');
  const modes = parseModes(options.mode ?? 'realtime');
  const seeds = options.seeds === undefined ? undefined : parseSeeds(options.seeds);
  const profile = loadProfile(options.profile ?? defaultProfileName);
  const latency = environmentLatency(options.latency ?? 'none');
  checkWhole('numEnvs', options.numEnvs);
  if (options.maxDecisions !== undefined) checkWhole('maxDecisions', options.maxDecisions);
  if (options.imagePixels !== undefined) checkWhole('imagePixels', options.imagePixels);
  const plan = new RunPlan({
    profiles: [profile.name],
    policies: ['environment'],
    latencies: [options.latency ?? 'none'],
    difficulties,
    modes,
    seeds: seeds ?? [0],
    routes,
    maxDecisions: options.maxDecisions ?? null,
    without: parseWithout(options.without ?? ''),
  });
  const runWorld = buildRunWorld(
    plan,
    scenes.map(({ scene }) => scene),
    [profile],
  );
  const world: EnvironmentWorld = {
    ...runWorld,
    episode: (identity) => ({ ...identity, start: runWorld.start({ ...plan.at(0), ...identity }) }),
  };
  const drawn = drawnEpisodes((draw) =>
    world.episode({
      ...routes[draw(0, routes.length)]!,
      difficulty: difficulties[draw(1, difficulties.length)]!,
      mode: modes[draw(2, modes.length)]!,
      seed: seeds === undefined ? draw(3, anySeed) : seeds[draw(3, seeds.length)]!,
    }),
  );
  const { imagePixels: pixels, numEnvs, autoresetMode, reward, execution, state } = options;
  const { context } = await openGpu(options.adapter ?? 'auto');
  try {
    return await BatchEnvironment.create<RouteEpisode>(context, {
      shaders: readShader,
      world: runWorld.world,
      rules: runWorld.rules,
      numEnvs,
      episodes: options.episodes?.(world) ?? drawn,
      ...(latency === undefined ? {} : { latency }),
      ...(autoresetMode === undefined ? {} : { autoresetMode }),
      ...(reward === undefined ? {} : { reward }),
      ...(execution === undefined ? {} : { execution }),
      ...(state === undefined ? {} : { state }),
      ...(pixels === undefined
        ? {}
        : { image: { scene: compileCameraScene(runWorld.cities), width: pixels, height: pixels } }),
      onClosed: () => context.close(),
    });
  } catch (error) {
    await context.close();
    throw error instanceof RangeError ? new UsageError(error.message, { cause: error }) : error;
  }
}

function checkWhole(option: string, value: number): void {
  if (Number.isInteger(value) && value >= 1) return;
  throw new UsageError(`${option}: found ${value}, allowed are whole numbers from 1`);
}
