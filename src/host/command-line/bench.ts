// `rtsafe bench`: how fast the batch steps on this machine, and how far that is from what the machine can do.
import type { Command } from 'commander';
import { adapterChoiceHelp } from '../adapters/openGpu.ts';
import { benchDeviceOn } from '../bench/benchDevice.ts';
import { benchPage } from '../bench/benchPage.ts';
import type { BenchReport } from '../bench/benchReport.ts';
import { formatBench } from '../bench/benchText.ts';
import { formatComparison, readBenchReport } from '../bench/compareReports.ts';
import { checkGuard, guardOptions, guardSuites, readGuard, recordGuard } from '../bench/guard.ts';
import { runBench } from '../bench/runBench.ts';
import type { BenchOptions } from '../bench/suite.ts';
import { parseSuites, suites } from '../bench/suites.ts';
import { benchRunOptions } from '../bench/workload.ts';
import { environmentOn } from '../collection/executeCollection.ts';
import { counted } from '../counted.ts';
import { RunError, UsageError } from '../errors.ts';
import { inputFault } from '../input/jsonFault.ts';
import { newFile } from '../input/newFile.ts';
import { parsePolicy, plainPolicyOption } from '../policies/parsePolicy.ts';
import { writeTextFile } from '../records/atomicFile.ts';
import { simulatorOn } from '../run/executeRun.ts';
import { parseWholeNumber, splitForms } from '../run/optionLists.ts';
import { maximumEnvironments } from '../run/prepareRun.ts';
import { progressBar } from './progressBar.ts';
import { sayOnTerminal, untilInterrupted } from './terminal.ts';

/** A repetition is at least so long, so that a clock's grain and a passing load do not decide it. */
const minimumRepetitionSeconds = 0.5;
const fewestRepetitions = 3;

/** The cheapest and the dearest policy that comes with the program. */
const collectionPolicies = ['greedy', 'expert'] as const;

export interface BenchCommandOptions {
  readonly suite: string;
  readonly sizes: string;
  readonly repetitions: string;
  readonly decisions: string;
  readonly episodeSeeds: string;
  readonly policies: string;
  readonly policySeeds: string;
  readonly collectionEpisodes: string;
  readonly adapter: string;
  readonly json?: true;
  readonly html?: string;
  readonly compare?: true;
  readonly check?: true;
  readonly record?: true;
}

function parseSizes(text: string): number[] {
  const sizes = text.split(',').map((part) => parseWholeNumber('--sizes', part, 1, maximumEnvironments));
  if (new Set(sizes).size < sizes.length) {
    throw new UsageError(`--sizes: found "${text}", allowed is each size once`);
  }
  return sizes.sort((first, second) => first - second);
}

const policiesOption = plainPolicyOption('--policies');

/** Names that the runs will read again; read here, so that a wrong one ends the bench before it begins. */
async function parsePolicies(text: string): Promise<string[]> {
  const names = splitForms(text);
  for (const name of names) {
    if (/^(openai|trace)(:|$)/.test(name))
      throw inputFault(policiesOption.name, JSON.stringify(name), policiesOption.forms);
    const policy = parsePolicy(name, {}, policiesOption);
    if (policy.load === undefined) continue;
    // oxlint-disable-next-line no-await-in-loop -- models of networks take memory
    await policy.load();
    // oxlint-disable-next-line no-await-in-loop -- likewise
    await policy.close?.();
  }
  return names;
}

function measure(suiteNames: string, options: BenchOptions, adapter: string): Promise<BenchReport> {
  const chosen = parseSuites(suiteNames, options.sizes);
  return untilInterrupted((signal) =>
    runBench({
      suites: chosen,
      options,
      runOptions: benchRunOptions,
      openDevice: benchDeviceOn(adapter),
      openSimulator: simulatorOn(adapter, sayOnTerminal),
      openEnvironment: environmentOn(adapter, sayOnTerminal),
      episodesProgress: progressBar('episodes'),
      repetitionsProgress: () => progressBar('repetitions'),
      say: sayOnTerminal,
      signal,
    }),
  );
}

async function check({ adapter, record }: BenchCommandOptions): Promise<void> {
  const guard = readGuard();
  const report = await measure(guardSuites, guardOptions, adapter);
  if (record) recordGuard(report, guard);
  const { text, failed } = checkGuard(report, record ? readGuard() : guard);
  process.stdout.write(text);
  if (failed.length > 0) throw new RunError(`bench: slower than recorded: ${failed.join('; ')}`);
}

function compare(files: readonly string[]): void {
  if (files.length !== 2)
    throw inputFault('--compare', counted(files.length, 'file'), 'two: --compare first.json second.json');
  const [first, second] = files.map(readBenchReport);
  process.stdout.write(formatComparison(first!, second!));
}

/** Refuses options on the command line that `mode` does not take. */
function allowOnly(command: Command, mode: string, allowed: readonly string[]): void {
  for (const option of command.options) {
    const name = option.long!;
    if (command.getOptionValueSource(option.attributeName()) === 'cli' && ![mode, ...allowed].includes(name))
      throw inputFault(name, `${name} beside ${mode}`, allowed.join(' and ') || 'nothing else');
  }
}

export async function benchCommand(
  files: readonly string[],
  options: BenchCommandOptions,
  command: Command,
): Promise<void> {
  if (options.compare) {
    allowOnly(command, '--compare', []);
    return compare(files);
  }
  if (files.length > 0) throw inputFault('bench', `"${files[0]}"`, 'files only after --compare');
  if (options.check) {
    allowOnly(command, '--check', ['--record', '--adapter']);
    return check(options);
  }
  if (options.record) throw inputFault('--record', '--record alone', '--check --record');
  const html = options.html === undefined ? undefined : newFile('--html', options.html);
  const report = await measure(
    options.suite,
    {
      sizes: parseSizes(options.sizes),
      repetitions: parseWholeNumber('--repetitions', options.repetitions, fewestRepetitions, 1000),
      decisions: parseWholeNumber('--decisions', options.decisions, 1, 1000),
      episodeSeeds: parseWholeNumber('--episode-seeds', options.episodeSeeds, 1, 10_000),
      policies: await parsePolicies(options.policies),
      policySeeds: parseWholeNumber('--policy-seeds', options.policySeeds, 1, 10_000),
      collectionPolicies,
      collectionEpisodes: parseWholeNumber('--collection-episodes', options.collectionEpisodes, 1, 1_000_000),
      minimumSeconds: minimumRepetitionSeconds,
    },
    options.adapter,
  );
  if (html !== undefined) writeTextFile(html, benchPage(report));
  process.stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : formatBench(report));
}

export function registerBench(program: Command): void {
  program
    .command('bench')
    .description(
      'Measure how fast the batch steps on this machine, and how far that is from what the machine can do',
    )
    .argument('[files...]', 'with --compare: two results of --json')
    .option(
      '--suite <list>',
      `${suites.map(({ name, about }) => `${name}: ${about}`).join('; ')}; or all`,
      'step,yardstick,roofline,decide',
    )
    .option(
      '--sizes <list>',
      'environments in the batch; a suite for one size takes the largest that suits it',
      '256,1024',
    )
    .option('--repetitions <count>', `of each measurement, at least ${fewestRepetitions}`, '7')
    .option('--decisions <count>', 'decisions of each environment in a pass', '8')
    .option('--episode-seeds <count>', 'seeds of the 36 routes in whole runs', '30')
    .option('--policies <list>', `of the suite policies: ${policiesOption.forms}`, 'expert,greedy,safety')
    .option('--policy-seeds <count>', 'seeds of the 36 routes that each of them plays', '3')
    .option(
      '--collection-episodes <count>',
      'episodes that the suite collect collects with each policy',
      '1000',
    )
    .option('--adapter <choice>', adapterChoiceHelp, 'auto')
    .option('--json', 'print one JSON object')
    .option('--html <file>', 'write a page of figures and tables as well')
    .option('--compare', 'compare two results, second over first, and measure nothing')
    .option('--check', 'hold ratios of a short run against those recorded in bench/results/guard.json')
    .option('--record', 'with --check: record the ratios of this run')
    .action(benchCommand);
}
