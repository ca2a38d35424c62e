// `rtsafe bench`: how fast the batch steps on this machine.
import type { Command } from 'commander';
import { adapterChoiceHelp } from '../adapters/openGpu.ts';
import { benchDeviceOn } from '../bench/benchDevice.ts';
import { benchCamera, cameraBenchSizes } from '../bench/cameraBench.ts';
import { benchCollection } from '../bench/collectionBench.ts';
import { benchPolicies } from '../bench/policiesBench.ts';
import { runBench } from '../bench/runBench.ts';
import { benchRunOptions } from '../bench/workload.ts';
import { environmentOn } from '../collection/executeCollection.ts';
import { defaultCollectionOptions } from '../collection/prepareCollection.ts';
import { UsageError } from '../errors.ts';
import { simulatorOn } from '../run/executeRun.ts';
import { parseWholeNumber } from '../run/optionLists.ts';
import { maximumEnvironments } from '../run/prepareRun.ts';
import { formatBench } from './benchTables.ts';
import { formatCameraBench } from './cameraBenchTable.ts';
import { formatCollectionBench } from './collectionTable.ts';
import { formatPolicies } from './policiesTable.ts';
import { progressBar } from './progressBar.ts';
import { sayOnTerminal, untilInterrupted } from './terminal.ts';

/** A repetition of stepping is at least so long, so that a clock's grain and a passing load do not decide it. */
const minimumRepetitionSeconds = 0.5;
const fewestRepetitions = 7;

const suites = ['step', 'camera'] as const;
/** Fewer than the episodes, so that every slot plays several and memory that is kept would show. */
const collectionEnvironments = 256;

export interface BenchCommandOptions {
  readonly suite: string;
  readonly sizes: string;
  readonly repetitions: string;
  readonly decisions: string;
  readonly episodeSeeds: string;
  readonly policies?: string;
  readonly policySeeds: string;
  readonly collection?: string;
  readonly collectionEpisodes: string;
  readonly adapter: string;
  readonly json?: true;
}

function parseSizes(text: string): number[] {
  const sizes = text.split(',').map((part) => parseWholeNumber('--sizes', part, 1, maximumEnvironments));
  if (new Set(sizes).size < sizes.length) {
    throw new UsageError(`--sizes: found "${text}", allowed is each size once`);
  }
  return sizes.sort((first, second) => first - second);
}

async function cameraSuite(options: BenchCommandOptions): Promise<void> {
  const repetitions = parseWholeNumber('--repetitions', options.repetitions, fewestRepetitions, 1000);
  const report = await benchCamera(
    options.adapter,
    { sizes: cameraBenchSizes, repetitions },
    progressBar('repetitions'),
  );
  process.stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : formatCameraBench(report));
}

/** Policies side by side, in place of the rest. */
async function comparePolicies(policies: string, options: BenchCommandOptions): Promise<void> {
  const seeds = parseWholeNumber('--policy-seeds', options.policySeeds, 1, 10_000);
  const report = await untilInterrupted((signal) =>
    benchPolicies(
      policies,
      benchRunOptions(`0..${seeds - 1}`),
      simulatorOn(options.adapter, sayOnTerminal),
      progressBar('episodes'),
      signal,
    ),
  );
  process.stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : formatPolicies(report));
}

/** Collecting with each policy, in place of the rest. */
async function measureCollection(policies: string, options: BenchCommandOptions): Promise<void> {
  parseWholeNumber('--collection-episodes', options.collectionEpisodes, 1, 1_000_000);
  const report = await untilInterrupted((signal) =>
    benchCollection(
      policies,
      {
        ...defaultCollectionOptions,
        episodes: options.collectionEpisodes,
        format: 'npz',
        envs: String(collectionEnvironments),
      },
      environmentOn(options.adapter, sayOnTerminal),
      progressBar('episodes'),
      signal,
    ),
  );
  process.stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : formatCollectionBench(report));
}

export async function benchCommand(options: BenchCommandOptions): Promise<void> {
  if (!suites.includes(options.suite as 'step')) {
    throw new UsageError(`--suite: found "${options.suite}", allowed is one of ${suites.join(', ')}`);
  }
  if (options.suite === 'camera') return cameraSuite(options);
  if (options.policies !== undefined) {
    await comparePolicies(options.policies, options);
    return;
  }
  if (options.collection !== undefined) {
    await measureCollection(options.collection, options);
    return;
  }
  const plan = {
    sizes: parseSizes(options.sizes),
    repetitions: parseWholeNumber('--repetitions', options.repetitions, fewestRepetitions, 1000),
    decisions: parseWholeNumber('--decisions', options.decisions, 1, 1000),
    episodeSeeds: parseWholeNumber('--episode-seeds', options.episodeSeeds, 0, 10_000),
  };
  const report = await untilInterrupted((signal) =>
    runBench({
      ...plan,
      runOptions: benchRunOptions,
      minimumSeconds: minimumRepetitionSeconds,
      openDevice: benchDeviceOn(options.adapter),
      openSimulator: simulatorOn(options.adapter, sayOnTerminal),
      steppingProgress: progressBar('repetitions'),
      episodesProgress: progressBar('episodes'),
      say: sayOnTerminal,
      signal,
    }),
  );
  process.stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : formatBench(report));
}

export function registerBench(program: Command): void {
  program
    .command('bench')
    .description(
      'Measure how fast the batch steps: alone, with readback, with a policy; and a whole run; or how fast it renders',
    )
    .option('--suite <name>', `what to measure: ${suites.join(' or ')}`, 'step')
    .option('--sizes <list>', 'environments in the batch', '64,256,1024,4096')
    .option('--repetitions <count>', `of each measurement, at least ${fewestRepetitions}`, '7')
    .option('--decisions <count>', 'decisions of each environment in a pass', '8')
    .option('--episode-seeds <count>', 'seeds of the 36 routes in the run end to end; 0 leaves it out', '30')
    .option(
      '--policies <list>',
      'compare policies on the 36 hard routes instead, such as expert,greedy,safety: how safe, how fast',
    )
    .option('--policy-seeds <count>', 'seeds of the 36 routes in that comparison', '3')
    .option(
      '--collection <policies>',
      'measure rtsafe collect instead, such as greedy,expert: rate and memory',
    )
    .option('--collection-episodes <count>', 'episodes of each policy in that', '1000')
    .option('--adapter <choice>', adapterChoiceHelp, 'auto')
    .option('--json', 'print one JSON object')
    .action(benchCommand);
}
