// Runs a prepared collection to its end: folder, GPU, episodes into the journal, datasets out of it.
import { BatchEnvironment } from '../../kernels/environment/batchEnvironment.ts';
import type { EpisodeSource } from '../../kernels/environment/episodes.ts';
import { openGpu } from '../adapters/openGpu.ts';
import { counted } from '../counted.ts';
import { type DatasetFormat, datasetFormats } from '../datasets/formats.ts';
import type { PlannedEpisode } from '../episodes/plan.ts';
import { RunError } from '../errors.ts';
import { compileCameraScene } from '../images/cameraScene.ts';
import { cutOffText } from '../records/cutOffText.ts';
import type { RunProgress } from '../run/executeRun.ts';
import { RouteSeating } from '../run/seating.ts';
import { readShader } from '../shaderFiles.ts';
import {
  type CollectEpisodesOptions,
  type CollectedEpisode,
  collectEpisodes,
  queuedEpisodes,
} from './collectEpisodes.ts';
import { CollectionFolder, journalName } from './collectionFolder.ts';
import { type CollectionSummary, summariseSplit } from './collectionSummary.ts';
import {
  collectedEpisodes,
  type PreparedCollection,
  presentSplits,
  type Split,
} from './prepareCollection.ts';

export interface OpenedEnvironment {
  readonly environment: CollectEpisodesOptions['environment'];
  readonly adapter: Record<string, string>;
  /** Closes the GPU too. */
  close(): Promise<void>;
}

export type OpenEnvironment = (
  prepared: PreparedCollection,
  environments: number,
  episodes: EpisodeSource<CollectedEpisode>,
) => Promise<OpenedEnvironment>;

/** Opens the GPU of the user's choice and compiles the kernels; see `openGpu` for what it throws. */
export function environmentOn(adapterChoice: string, say: (line: string) => void): OpenEnvironment {
  return async ({ runWorld, latency, reward, layout, imagePixels }, environments, episodes) => {
    const { context, adapter } = await openGpu(adapterChoice);
    say(`${counted(environments, 'environment')} on ${adapter.description}; compiling kernels`);
    try {
      const environment = await BatchEnvironment.create<CollectedEpisode>(context, {
        shaders: readShader,
        world: runWorld.world,
        rules: runWorld.rules,
        numEnvs: environments,
        episodes,
        reward,
        latency: ({ planned }, decision) => latency.draw(planned, decision),
        state: layout.observations.some(({ name }) => name === 'state'),
        ...(imagePixels === 0
          ? {}
          : {
              image: {
                scene: compileCameraScene(runWorld.cities),
                width: imagePixels,
                height: imagePixels,
              },
            }),
        onClosed: () => context.close(),
      });
      return { environment, adapter: { ...adapter }, close: () => environment.close() };
    } catch (error) {
      await context.close();
      throw error;
    }
  };
}

/** How fast it went, of what this session did. */
export interface CollectionWall {
  readonly adapter: string;
  readonly environments: number;
  readonly episodes: number;
  readonly decisions: number;
  /** Opening the GPU, compiling, the first step. */
  readonly setupSeconds: number;
  /** From there on until the last episode was in the journal. */
  readonly collectSeconds: number;
  /** Those of the first step left out, as their time is. */
  readonly decisionsPerSecond: number;
  /** Writing the datasets. */
  readonly writeSeconds: number;
}

export interface ExecutedCollection {
  readonly folder: string;
  readonly summary: CollectionSummary;
  /** Episodes in the datasets, all that were planned unless `finishEarly`. */
  readonly episodes: number;
  /** Absent where nothing was left to be played. */
  readonly wall: CollectionWall | undefined;
}

function* missingEpisodes(
  prepared: PreparedCollection,
  folder: CollectionFolder,
  on: { readonly map: string; readonly route: number },
): Generator<CollectedEpisode> {
  const { runWorld } = prepared;
  const collected = (planned: PlannedEpisode): CollectedEpisode => ({
    planned,
    start: runWorld.start(planned),
    route: runWorld.route(planned),
  });
  for (const planned of collectedEpisodes(prepared)) {
    const isOn = planned.map === on.map && planned.route === on.route;
    if (isOn && !folder.journal.has(planned.index)) yield collected(planned);
  }
}

function secondsSince(start: number): number {
  return (performance.now() - start) / 1000;
}

async function playMissing(
  prepared: PreparedCollection,
  folder: CollectionFolder,
  open: OpenEnvironment,
  progress: RunProgress,
  signal: AbortSignal | undefined,
): Promise<Omit<CollectionWall, 'writeSeconds'>> {
  const { episodes: total } = prepared;
  const { journal } = folder;
  const missing = total - journal.size;
  const environments = Math.min(prepared.environments, missing);
  const start = performance.now();
  const routes = prepared.plan.axes.routes.map((route) => missingEpisodes(prepared, folder, route));
  const opened = await open(prepared, environments, queuedEpisodes(new RouteSeating(routes)));
  const done = { episodes: 0, decisions: 0 };
  let setup: { readonly seconds: number; readonly decisions: number } | undefined;
  const keptText = () =>
    `${journal.size} of ${counted(total, 'episode')} are kept in ${folder.path}/${journalName}`;
  try {
    folder.begin({
      startedAt: new Date().toISOString(),
      node: process.version,
      platform: `${process.platform}-${process.arch}`,
      adapter: opened.adapter,
      environments,
    });
    progress.start(total, journal.size);
    await collectEpisodes({
      environment: opened.environment,
      layout: prepared.layout,
      policy: prepared.policy,
      latency: prepared.latency,
      runWorld: prepared.runWorld,
      onStep(finished, decisions, underway) {
        for (const episode of finished) {
          folder.failing(
            () => journal.append(episode),
            `${keptText()}; make room and run the same command again to continue, or with --finish-early to write datasets of those`,
          );
        }
        done.episodes += finished.length;
        done.decisions += decisions;
        if (setup === undefined) {
          setup = { seconds: secondsSince(start), decisions };
        }
        progress.advance(finished.length, decisions, underway);
        if (signal?.aborted) {
          throw new RunError(`stopped: ${keptText()}; the same command with --out ${folder.path} continues`);
        }
      },
    });
    folder.failing(() => journal.sync(), keptText());
  } finally {
    progress.stop();
    await opened.close();
  }
  const setupSeconds = setup?.seconds ?? 0;
  const collectSeconds = secondsSince(start) - setupSeconds;
  return {
    ...done,
    adapter: opened.adapter.description ?? '',
    environments,
    setupSeconds,
    collectSeconds,
    decisionsPerSecond: (done.decisions - (setup?.decisions ?? 0)) / collectSeconds,
  };
}

/** Writes the datasets that are not there yet, one format after the other. */
async function writeDatasets(
  prepared: PreparedCollection,
  folder: CollectionFolder,
  present: readonly { readonly split: Split; readonly indexes: readonly number[] }[],
  progress: RunProgress,
): Promise<void> {
  const episodes = present.reduce((sum, { indexes }) => sum + indexes.length, 0);
  const { policy, latency, plan, config } = prepared;
  const missing = prepared.formats.filter((format) => !folder.hasDataset(format, episodes));
  progress.start(missing.length * episodes, 0);
  const write = async (format: DatasetFormat, path: string) => {
    for (const { split, indexes } of present) {
      const description = {
        split,
        policy: policy.name,
        title: `RT-SAFE, ${plan.axes.difficulties[0]} ${plan.axes.modes[0]}, profile ${plan.axes.profiles[0]}, policy ${policy.name}, latency ${latency.name}`,
        version: config.run.simulator.rtsafe,
      };
      await datasetFormats[format](path, folder.journal.source(indexes), description, () =>
        progress.advance(1, 0),
      );
    }
  };
  try {
    for (const format of missing) {
      await folder.writeDataset(format, episodes, (path) => write(format, path));
    }
  } finally {
    progress.stop();
  }
}

export interface ExecuteOptions {
  readonly open: OpenEnvironment;
  /** Of the episodes. */
  readonly progress: RunProgress;
  /** Of the datasets, an episode in a format at a time. */
  readonly writeProgress: RunProgress;
  /** Play nothing more: write the datasets from the episodes that are there. */
  readonly finishEarly?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Collects what a folder still lacks, all of it when the folder is new, and writes the datasets. An aborted `signal` ends
 * it after the step it is in.
 *
 * @throws UsageError for a folder that cannot take this collection, and for an adapter that is not there.
 * @throws RunError when writing fails, and when it was aborted.
 */
export async function executeCollection(
  prepared: PreparedCollection,
  folderPath: string,
  { open, progress, writeProgress, finishEarly = false, signal }: ExecuteOptions,
): Promise<ExecutedCollection> {
  const folder = await CollectionFolder.open(
    folderPath,
    prepared.config,
    prepared.layout,
    prepared.plan.gridSize,
  );
  try {
    const { path, cutOffBytes } = folder.journal;
    if (cutOffBytes > 0) progress.note?.(cutOffText(path, cutOffBytes));
    const isComplete = folder.journal.size === prepared.episodes;
    const played =
      isComplete || finishEarly ? undefined : await playMissing(prepared, folder, open, progress, signal);
    const present = presentSplits(prepared).map((split) => ({
      split,
      indexes: prepared.splits[split].filter((index) => folder.journal.has(index)),
    }));
    const start = performance.now();
    await writeDatasets(prepared, folder, present, writeProgress);
    const summary: CollectionSummary = {
      format: 'rtsafe-collection-summary',
      version: 1,
      splits: present.map(({ split, indexes }) => summariseSplit(split, folder.journal.source(indexes))),
    };
    folder.writeSummary(`${JSON.stringify(summary, null, 2)}\n`);
    return {
      folder: folderPath,
      summary,
      episodes: folder.journal.size,
      wall: played === undefined ? undefined : { ...played, writeSeconds: secondsSince(start) },
    };
  } finally {
    folder.close();
  }
}
