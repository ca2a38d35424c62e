// Runs a prepared run to its end: folder, GPU, episodes, summary.
import { join } from 'node:path';
import { BatchSimulator } from '../../kernels/batchSimulator.ts';
import { openGpu } from '../adapters/openGpu.ts';
import { counted } from '../counted.ts';
import type { PlannedEpisode, RunPlan } from '../episodes/plan.ts';
import { RunError } from '../errors.ts';
import { openAgentImages } from '../images/agentImages.ts';
import type { OpenImages } from '../images/pictures.ts';
import {
  makeRunSummary,
  type ReadSummary,
  type RunSummary,
  readRunSummary,
  runSummaryText,
} from '../metrics/runSummary.ts';
import type { Thought } from '../policies/policy.ts';
import { cutOffText } from '../records/cutOffText.ts';
import { runIdentity } from '../records/runConfig.ts';
import { type FinishedLine, RunFolder } from '../records/runFolder.ts';
import { readShader } from '../shaderFiles.ts';
import { playEpisodes } from './playEpisodes.ts';
import type { PreparedRun } from './prepareRun.ts';
import type { RunWorld } from './runWorld.ts';
import { RouteSeating } from './seating.ts';
import type { Simulator } from './simulator.ts';
import { type OpenState, openStates } from './states.ts';

/** A simulator, what it runs on, and how to let go of both. */
export interface OpenedSimulator {
  readonly simulator: Simulator;
  readonly adapter: Record<string, string>;
  /** Opens a camera for a policy that looks; absent: such policies get text alone. */
  readonly images?: OpenImages;
  /** Opens what policies that read the state vector get it from. */
  readonly state?: OpenState;
  close(): Promise<void>;
}

export type OpenSimulator = (runWorld: RunWorld, environments: number) => Promise<OpenedSimulator>;

/** Opens the GPU of the user's choice and compiles the kernels; see `openGpu` for what it throws. */
export function simulatorOn(adapterChoice: string, say: (line: string) => void): OpenSimulator {
  return async (runWorld, environments) => {
    const { context, adapter } = await openGpu(adapterChoice);
    say(`${counted(environments, 'environment')} on ${adapter.description}; compiling kernels`);
    try {
      const simulator = await BatchSimulator.create(context, {
        shaders: readShader,
        world: runWorld.world,
        rules: runWorld.rules,
        envCount: environments,
      });
      return {
        simulator,
        adapter: { ...adapter },
        state: () => openStates(context, simulator),
        images: (settings) => openAgentImages(context, simulator, runWorld.cities, settings),
        async close() {
          await simulator.destroy();
          await context.close();
        },
      };
    } catch (error) {
      await context.close();
      throw error;
    }
  };
}

/** Where in its folder a run keeps what policies that look were shown, if it is to. */
export const promptsName = 'prompts';

/** Told how far a run has come. */
export interface RunProgress {
  start(total: number, done: number): void;
  /** Episodes and decisions since the last call; episodes' worth of work done on those not over yet. */
  advance(episodes: number, decisions: number, underway?: number): void;
  /** A policy that is asked has answered. */
  thought?(thought: Thought): void;
  /** Something that the user should know, in one line. */
  note?(line: string): void;
  stop(): void;
}

export interface ExecutedRun extends ReadSummary {
  readonly folder: string;
}

function* missingEpisodes(plan: RunPlan, route: number, folder: RunFolder): Generator<PlannedEpisode> {
  for (const episode of plan.episodesOf(route)) if (!folder.isDone(episode.index)) yield episode;
}

/**
 * Runs what a folder still lacks, all of it when the folder is new. An aborted `signal` ends the run after the round it is
 * in.
 *
 * @throws UsageError for a folder that cannot take this run, a damaged summary.json of one that is complete, and an adapter
 * that is not there.
 * @throws RunError when writing fails, and when it was aborted.
 */
export async function executeRun(
  prepared: PreparedRun,
  folderPath: string,
  openSimulator: OpenSimulator,
  progress: RunProgress,
  signal?: AbortSignal,
): Promise<ExecutedRun> {
  const { plan, config, runWorld } = prepared;
  const folder = await RunFolder.open(folderPath, config, plan);
  try {
    if (folder.cutOffBytes > 0) progress.note?.(cutOffText(folder.episodesPath, folder.cutOffBytes));
    if (folder.isFinished) return { folder: folderPath, ...readRunSummary(folder.summaryPath) };
    const startTime = performance.now();
    const missing = plan.size - folder.doneCount;
    const environments = Math.max(1, Math.min(prepared.environments, missing));
    const opened = await openSimulator(runWorld, environments);
    const setupSeconds = (performance.now() - startTime) / 1000;
    const done = { episodes: 0, decisions: 0, simSeconds: 0 };
    try {
      folder.begin({
        startedAt: new Date().toISOString(),
        node: process.version,
        platform: `${process.platform}-${process.arch}`,
        adapter: opened.adapter,
        environments,
      });
      progress.start(plan.size, folder.doneCount);
      const lines: FinishedLine[] = [];
      await playEpisodes({
        ...prepared,
        run: runIdentity(config),
        simulator: opened.simulator,
        images: opened.images,
        state: opened.state,
        ...(prepared.keepsPrompts ? { keepPromptsIn: join(folderPath, promptsName) } : {}),
        signal,
        onThought: (thought) => progress.thought?.(thought),
        episodes: new RouteSeating(plan.axes.routes.map((_, route) => missingEpisodes(plan, route, folder))),
        onRound(finished, decisions, underway) {
          lines.length = 0;
          for (const { index, record } of finished) {
            lines.push({ index, line: JSON.stringify(record) });
            done.simSeconds += record.simSeconds;
          }
          folder.append(lines);
          done.episodes += finished.length;
          done.decisions += decisions;
          progress.advance(finished.length, decisions, underway);
          if (signal?.aborted) {
            throw new RunError(
              `stopped with ${folder.doneCount} of ${counted(plan.size, 'episode')} in ${folderPath}; the same run with --out ${folderPath} continues`,
            );
          }
        },
      });
    } finally {
      progress.stop();
      await opened.close();
    }
    const seconds = (performance.now() - startTime) / 1000;
    const adapter = opened.adapter.description ?? '';
    let summary: RunSummary | undefined;
    folder.finish(() => {
      summary = makeRunSummary(folder.episodesPath, {
        seconds,
        setupSeconds,
        environments,
        adapter,
        ...done,
      });
      return runSummaryText(summary);
    });
    return { folder: folderPath, summaryText: runSummaryText(summary!), summary: summary! };
  } finally {
    folder.close();
  }
}
