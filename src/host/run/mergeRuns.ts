// Puts the shards of a run together. The result is the folder of a run that was never split, but for wall time and
// sessions; shards that do not belong together, or not all of them, are refused before anything is written.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { counted } from '../counted.ts';
import { RunPlan } from '../episodes/plan.ts';
import { type Shard, shardName } from '../episodes/shard.ts';
import { UsageError } from '../errors.ts';
import { describeJson, inputFault } from '../input/jsonFault.ts';
import {
  makeRunSummary,
  type ReadSummary,
  type RunSummary,
  readRunSummary,
  runSummaryText,
  type WallTime,
} from '../metrics/runSummary.ts';
import { RecordedRun } from '../records/recordedRun.ts';
import { findRunDifference, type RunConfig } from '../records/runConfig.ts';
import { type FinishedLine, RunFolder, summaryName } from '../records/runFolder.ts';

/** Lines are copied in pieces of about this size. */
const pieceBytes = 8 * 1024 * 1024;

function shardOf({ folder, config }: RecordedRun): Shard {
  if (config.shard !== undefined) return config.shard;
  throw inputFault(folder, 'a run that is not split', 'shards of one run, made with --shard');
}

/** All shards of one run, each once, in order. */
function checkShards(runs: readonly RecordedRun[]): void {
  const [first] = runs;
  if (first === undefined) throw new UsageError('merge: found no folders, allowed are the shards of one run');
  const { of } = shardOf(first);
  const folders = new Map<number, string>();
  for (const run of runs) {
    const { folder, config } = run;
    const shard = shardOf(run);
    const difference = findRunDifference(config, first.config);
    if (difference !== undefined) {
      const { part, found, wanted } = difference;
      throw inputFault(
        folder,
        `a shard of another run (${part} is ${describeJson(found)}, in ${first.folder} ${describeJson(wanted)})`,
        'shards of one run',
      );
    }
    if (shard.of !== of) {
      throw inputFault(folder, `shard ${shardName(shard)}`, `shards of ${of}, as in ${first.folder}`);
    }
    const other = folders.get(shard.index);
    if (other !== undefined) {
      throw inputFault(folder, `shard ${shardName(shard)}, which ${other} is too`, 'each shard once');
    }
    folders.set(shard.index, folder);
  }
  const missing = Array.from({ length: of }, (_, index) => index).filter((index) => !folders.has(index));
  if (missing.length > 0) {
    const names = missing.slice(0, 5).map((index) => shardName({ index, of }));
    const more = missing.length > names.length ? ` and ${missing.length - names.length} more` : '';
    throw new UsageError(
      `merge: found ${folders.size} of ${of} shards, without ${names.join(', ')}${more}; allowed are all of them`,
    );
  }
}

/** Reads every line of a shard, which must be finished. */
function checkComplete(run: RecordedRun): void {
  const { episodes, plannedEpisodes, cutOffLines } = run.extent();
  if (episodes === plannedEpisodes) return;
  const torn = cutOffLines > 0 ? ' and a line that is cut off' : '';
  throw inputFault(
    run.folder,
    `${episodes} of ${counted(plannedEpisodes, 'episode')}${torn}`,
    'a shard that is finished; the same sweep with --out on its folder continues it',
  );
}

/** What all shards took together, as if one after the other. */
function totalWall(runs: readonly RecordedRun[]): WallTime {
  const walls = runs.map(({ folder }) => {
    const path = join(folder, summaryName);
    return existsSync(path) ? readRunSummary(path).summary.wall : undefined;
  });
  const sum = (key: 'seconds' | 'setupSeconds' | 'episodes' | 'decisions' | 'simSeconds') =>
    walls.reduce((total, wall) => total + (wall?.[key] ?? 0), 0);
  return {
    seconds: sum('seconds'),
    setupSeconds: sum('setupSeconds'),
    environments: Math.max(...walls.map((wall) => wall?.environments ?? 0)),
    adapter: [...new Set(walls.map((wall) => wall?.adapter ?? 'unknown'))].join('; '),
    episodes: sum('episodes'),
    decisions: sum('decisions'),
    simSeconds: sum('simSeconds'),
  };
}

/** The lines of all shards that the folder still lacks. */
function* missingLines(runs: readonly RecordedRun[], folder: RunFolder): Generator<FinishedLine> {
  for (const run of runs) {
    for (const { index, record } of run.lines()) {
      if (!folder.isDone(index)) yield { index, line: JSON.stringify(record) };
    }
  }
}

/**
 * Merges finished shards into a folder that is new, empty, or holds this same merge cut off.
 *
 * @throws UsageError for shards of different runs, missing, double, unfinished or damaged ones, and for an output folder
 * that holds something else.
 */
export async function mergeRuns(folders: readonly string[], out: string): Promise<ReadSummary> {
  const runs = folders.map((folder) => RecordedRun.read(folder));
  checkShards(runs);
  runs.sort((first, second) => shardOf(first).index - shardOf(second).index);
  for (const run of runs) checkComplete(run);
  const wall = totalWall(runs);
  const { shard: _, ...whole } = runs[0]!.config;
  const config: RunConfig = { ...whole, sessions: [] };
  const folder = await RunFolder.open(out, config, new RunPlan(config.plan));
  try {
    if (folder.isFinished) return readRunSummary(folder.summaryPath);
    folder.begin(...runs.flatMap((run) => run.config.sessions));
    let piece: FinishedLine[] = [];
    let length = 0;
    for (const line of missingLines(runs, folder)) {
      piece.push(line);
      length += line.line.length;
      if (length < pieceBytes) continue;
      folder.append(piece);
      piece = [];
      length = 0;
    }
    folder.append(piece);
    let summary: RunSummary | undefined;
    folder.finish(() => {
      summary = makeRunSummary(folder.episodesPath, wall);
      return runSummaryText(summary);
    });
    return { summaryText: runSummaryText(summary!), summary: summary! };
  } finally {
    folder.close();
  }
}
