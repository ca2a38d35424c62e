// `rtsafe sweep`: a run over a whole grid of conditions, all in one batch; in parts on several machines if need be.
import type { Command } from 'commander';
import { adapterChoiceHelp } from '../adapters/openGpu.ts';
import { actorClassNames, difficultyNames } from '../episodes/difficulties.ts';
import { UsageError } from '../errors.ts';
import { optionFlag } from '../input/optionFlag.ts';
import { latencyForms } from '../latency/parseLatency.ts';
import { policyForms } from '../policies/parsePolicy.ts';
import { gridOptionNames, inGridFile, readGridFile } from '../run/gridFile.ts';
import { defaultRunOptions, type PreparedRun, prepareRun, type RunOptions } from '../run/prepareRun.ts';
import { addOpenaiOptions } from './openaiOptions.ts';
import { type PlayRunOptions, playRun, runsFolder } from './playRun.ts';
import { formatConditions } from './summaryTable.ts';

/** Real-time only: in static mode the world does not care how long the policy thinks. */
export const defaultSweepOptions: RunOptions = {
  ...defaultRunOptions,
  mode: 'realtime',
  latency: 'fixed:0,fixed:1,fixed:3,fixed:10',
};

/** As commander gives them: nothing for an option that was not named. */
export interface SweepOptions extends Partial<RunOptions>, PlayRunOptions {
  readonly grid?: string;
}

async function prepareSweep(options: SweepOptions): Promise<PreparedRun> {
  const { grid: path } = options;
  if (path === undefined) return prepareRun({ ...defaultSweepOptions, ...options });
  const named = gridOptionNames.find((name) => options[name] !== undefined);
  if (named !== undefined) {
    throw new UsageError(
      `${optionFlag(named)}: found together with --grid, allowed is either (put "${named}" into ${path})`,
    );
  }
  const grid = readGridFile(path);
  try {
    return await prepareRun({ ...defaultSweepOptions, ...options, ...grid });
  } catch (error) {
    throw inGridFile(path, grid, error);
  }
}

export async function sweepCommand(options: SweepOptions): Promise<void> {
  await playRun(await prepareSweep(options), options, formatConditions);
}

function withDefault(help: string, name: keyof RunOptions): string {
  return `${help} (default: ${defaultSweepOptions[name]})`;
}

export function registerSweep(program: Command): void {
  const command = program
    .command('sweep')
    .description('Play a grid of conditions in one batch: every combination of the lists given')
    .option('--latency <list>', withDefault(`any of ${latencyForms}`, 'latency'))
    .option('--policy <list>', withDefault(`any of ${policyForms}`, 'policy'))
    .option('--difficulty <list>', withDefault(difficultyNames.join(', '), 'difficulty'))
    .option('--profile <list>', withDefault('sets of rules by name, or profile files', 'profile'))
    .option('--mode <list>', withDefault('static, realtime, both', 'mode'))
    .option('--seeds <list>', withDefault('0, 0,1 or 0..9', 'seeds'))
    .option(
      '--routes <list>',
      withDefault('all, maps (rt10), routes (rt10:0, rt10:0..3), scene files (./my.json:3)', 'routes'),
    )
    .option('--max-decisions <count>', "caps every route's own decision budget")
    .option('--without <classes>', `switch off any of ${actorClassNames.join(', ')}`)
    .option('--grid <file>', 'the lists above from a JSON file, as {"latency": ["fixed:0"], "seeds": "0..9"}')
    .option('--shard <i/n>', 'only part i (from 0) of n; "rtsafe merge" puts the parts together')
    .option('--envs <count>', withDefault('environments in the batch, or auto', 'envs'))
    .option('--adapter <choice>', adapterChoiceHelp, 'auto')
    .option('--out <folder>', `where to write; the same sweep is continued (default: ${runsFolder}/<time>)`)
    .option('--json', 'print the content of summary.json and nothing else')
    .action(sweepCommand);
  addOpenaiOptions(command);
}
