// `rtsafe fidelity`: plays the stand-ins on the benchmark's routes and sets the outcome beside the published tables.
import type { Command } from 'commander';
import { adapterChoiceHelp } from '../adapters/openGpu.ts';
import { UsageError } from '../errors.ts';
import { compareWithPublished } from '../fidelity/compare.ts';
import { fidelityText } from '../fidelity/fidelityTables.ts';
import { playFidelity } from '../fidelity/playFidelity.ts';
import { standIns } from '../policies/standIn.ts';
import { loadProfile } from '../profiles/load.ts';
import { type OpenSimulator, simulatorOn } from '../run/executeRun.ts';
import { parseSeeds, parseWholeNumber } from '../run/optionLists.ts';
import { selectRoutes } from '../run/routeSelection.ts';
import { progressBar } from './progressBar.ts';
import { sayOnTerminal } from './terminal.ts';

const mostEnvironments = 4096;

export interface FidelityCommandOptions {
  readonly routes: string;
  readonly profile: string;
  readonly seeds: string;
  readonly maxDecisions?: string;
  readonly effort: boolean;
  readonly adapter: string;
  readonly json?: true;
  readonly markdown?: true;
}

export async function fidelityCommand(
  options: FidelityCommandOptions,
  openSimulator: OpenSimulator = simulatorOn(options.adapter, sayOnTerminal),
): Promise<void> {
  if (options.json && options.markdown) throw new UsageError('--json and --markdown: choose one');
  const defaults = standIns.filter(({ level }) => level === null);
  const others = standIns.filter(({ level }) => level !== null);
  const episodes = await playFidelity({
    parts: [
      { standIns: defaults, modes: ['static', 'realtime'] },
      ...(options.effort ? [{ standIns: others, modes: ['realtime' as const] }] : []),
    ],
    profiles: [loadProfile(options.profile)],
    selection: selectRoutes(options.routes),
    difficulties: ['hard'],
    seeds: parseSeeds(options.seeds),
    maxDecisions:
      options.maxDecisions === undefined
        ? null
        : parseWholeNumber('--max-decisions', options.maxDecisions, 1, 1_000_000),
    environments: mostEnvironments,
    openSimulator,
    progress: progressBar('episodes'),
  });
  const fidelity = compareWithPublished(episodes);
  process.stdout.write(
    options.json
      ? `${JSON.stringify(fidelity, null, 2)}\n`
      : fidelityText(fidelity, options.markdown ? 'markdown' : 'text'),
  );
}

export function registerFidelity(program: Command): void {
  program
    .command('fidelity')
    .description('Play the stand-ins of the published models and set the outcome beside the published tables')
    .option('--routes <list>', 'all, maps (rt10), routes (rt10:0, rt10:0..3)', 'all')
    .option('--profile <name>', 'a set of rules by name, or a profile file', 'rt-safe')
    .option('--seeds <list>', '0, 0,1 or 0..9', '0')
    .option('--max-decisions <count>', "caps every route's own decision budget")
    .option('--no-effort', 'leave out the efforts that are not a default')
    .option('--adapter <choice>', adapterChoiceHelp, 'auto')
    .option('--markdown', 'print the tables in Markdown')
    .option('--json', 'print all figures and nothing else')
    .action((options: FidelityCommandOptions) => fidelityCommand(options));
}
