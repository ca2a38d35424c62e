// `rtsafe collect`: plays episodes and writes datasets that other tools open.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { adapterChoiceHelp } from '../adapters/openGpu.ts';
import { checkCollectionFolder } from '../collection/collectionFolder.ts';
import {
  type ExecutedCollection,
  environmentOn,
  executeCollection,
} from '../collection/executeCollection.ts';
import {
  type CollectionOptions,
  defaultCollectionOptions,
  type PreparedCollection,
  prepareCollection,
} from '../collection/prepareCollection.ts';
import { counted } from '../counted.ts';
import { datasetFormatNames } from '../datasets/formats.ts';
import { actorClassNames, difficultyNames } from '../episodes/difficulties.ts';
import { latencyForms } from '../latency/parseLatency.ts';
import { policyForms } from '../policies/parsePolicy.ts';
import { formatTable } from '../table.ts';
import { progressBar } from './progressBar.ts';
import { sayOnTerminal, untilInterrupted } from './terminal.ts';

/** Where collections go that are given no folder. */
const datasetsFolder = 'datasets';

export interface CollectCommandOptions extends CollectionOptions {
  readonly adapter: string;
  readonly out?: string;
  readonly finishEarly?: true;
  readonly json?: true;
}

/** `datasets/greedy`, with a number behind it when that is taken. */
function newFolder(policy: string): string {
  const name = policy.replaceAll(/[^\w.-]+/g, '-');
  let folder = join(datasetsFolder, name);
  for (let count = 2; existsSync(folder); count++) folder = join(datasetsFolder, `${name}-${count}`);
  return folder;
}

/** Where each format's dataset of a split is, for the reader's own way to name it. */
const datasetPlaces: Readonly<Record<string, (split: string) => string>> = {
  minari: (split) => `rtsafe/${split}-v0`,
  lerobot: (split) => split,
  d3rlpy: (split) => `${split}.h5`,
  npz: (split) => `${split}.npz`,
};

function formatCollection(
  { folder, summary, wall }: ExecutedCollection,
  { formats }: PreparedCollection,
): string {
  const { splits } = summary;
  const row = (name: string, value: (split: (typeof splits)[number]) => string) => [
    name,
    ...splits.map(value),
  ];
  const columns = [{ title: '' }, ...splits.map(({ split }) => ({ title: split, align: 'right' as const }))];
  const table = formatTable(columns, [
    row('maps', ({ maps }) => maps.join(' ')),
    row('episodes', ({ episodes }) => String(episodes)),
    row('decisions', ({ decisions }) => String(decisions)),
    row('decisions per episode', ({ meanDecisions }) => meanDecisions.toFixed(1)),
    row('success', ({ success }) => `${(100 * success).toFixed(1)} %`),
    row('mean return', ({ meanReturn }) => meanReturn.toFixed(1)),
  ]);
  const places = formats.map(
    (format) =>
      `${format.padEnd(8)} ${join(folder, format)}: ${splits.map(({ split }) => datasetPlaces[format]!(split)).join(', ')}`,
  );
  const rate =
    wall === undefined
      ? ''
      : `${counted(wall.episodes, 'episode')} with ${counted(wall.decisions, 'decision')} in ${wall.collectSeconds.toFixed(1)} s after ${wall.setupSeconds.toFixed(1)} s of set-up, on ${wall.adapter}: ` +
        `${Math.round(wall.decisionsPerSecond)} decisions/s; datasets written in ${wall.writeSeconds.toFixed(1)} s\n`;
  return `${table}\n${rate}${places.join('\n')}\n`;
}

export async function collectCommand(options: CollectCommandOptions): Promise<void> {
  const prepared = await prepareCollection(options);
  const folder = options.out ?? newFolder(prepared.policy.name);
  checkCollectionFolder(folder, prepared.config);
  const executed = await untilInterrupted((signal) =>
    executeCollection(prepared, folder, {
      open: environmentOn(options.adapter, sayOnTerminal),
      progress: progressBar('episodes'),
      writeProgress: progressBar('episodes written'),
      finishEarly: options.finishEarly === true,
      signal,
    }),
  );
  if (options.json) {
    process.stdout.write(`${JSON.stringify(executed, null, 2)}\n`);
    return;
  }
  process.stdout.write(formatCollection(executed, prepared));
}

export function registerCollect(program: Command): void {
  const defaults = defaultCollectionOptions;
  program
    .command('collect')
    .description('Play episodes and write them as datasets for learning: train and validation split by map')
    .option('--policy <name>', policyForms, defaults.policy)
    .option('--latency <form>', latencyForms, defaults.latency)
    .option('--episodes <count>', 'of both splits together (default: one of each route)')
    .option('--format <list>', datasetFormatNames.join(', '), defaults.format)
    .option('--observation <list>', 'state, image<pixels> as image64, or both', defaults.observation)
    .option('--reward <name>', 'protocol or score', defaults.reward)
    .option('--split <name>', 'all, train or validation', defaults.split)
    .option('--validation <maps>', 'maps held out for validation', defaults.validation)
    .option('--routes <list>', 'all, maps (rt10), routes (rt10:0..3), scene files', defaults.routes)
    .option('--difficulty <name>', difficultyNames.join(', '), defaults.difficulty)
    .option('--mode <mode>', 'realtime, or static: the world pauses while the policy thinks', defaults.mode)
    .option('--profile <name>', 'a set of rules by name, or a profile file', defaults.profile)
    .option('--first-seed <number>', 'seeds count up from here', defaults.firstSeed)
    .option('--max-decisions <count>', "caps every route's own decision budget")
    .option('--without <classes>', `switch off any of ${actorClassNames.join(', ')}`)
    .option('--envs <count>', 'environments in the batch, or auto', defaults.envs)
    .option('--adapter <choice>', adapterChoiceHelp, 'auto')
    .option(
      '--out <folder>',
      `where to write; the same collection is continued (default: ${datasetsFolder}/<policy>)`,
    )
    .option('--finish-early', 'play nothing more: write the datasets from the episodes that are there')
    .option('--json', 'print data only')
    .action(collectCommand);
}
