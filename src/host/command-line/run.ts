// `rtsafe run`: plays episodes and writes a run folder.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { adapterChoiceHelp } from '../adapters/openGpu.ts';
import { latencyForms } from '../latency/parseLatency.ts';
import { policyForms } from '../policies/parsePolicy.ts';
import { checkRunFolder } from '../records/runFolder.ts';
import { actorClassNames, difficultyNames } from '../run/difficulties.ts';
import { executeRun, simulatorOn } from '../run/executeRun.ts';
import { defaultRunOptions, prepareRun, type RunOptions } from '../run/prepareRun.ts';
import { progressBar } from './progressBar.ts';
import { formatSummaries } from './summaryTable.ts';
import { sayOnTerminal, untilInterrupted } from './terminal.ts';

/** Where runs go that are given no folder. */
export const runsFolder = 'runs';

/** `runs/2026-01-31-120000`, with a number behind it when that is taken. */
export function newRunFolder(now: Date): string {
  const name = now.toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '');
  let folder = join(runsFolder, name);
  for (let count = 2; existsSync(folder); count++) folder = join(runsFolder, `${name}-${count}`);
  return folder;
}

interface CommandOptions extends RunOptions {
  readonly adapter: string;
  readonly out?: string;
  readonly json?: true;
}

export async function runCommand(options: CommandOptions): Promise<void> {
  const prepared = await prepareRun(options);
  const folder = options.out ?? newRunFolder(new Date());
  checkRunFolder(folder, prepared.config);
  const { summary, summaryText } = await untilInterrupted((signal) =>
    executeRun(
      prepared,
      folder,
      simulatorOn(options.adapter, sayOnTerminal),
      progressBar('episodes'),
      signal,
    ),
  );
  if (options.json) {
    process.stdout.write(summaryText);
    return;
  }
  const { wall } = summary;
  process.stdout.write(formatSummaries(summary.conditions));
  process.stdout.write(
    `\n${wall.episodes} episodes in ${wall.seconds.toFixed(1)} s (${wall.setupSeconds.toFixed(1)} s of them set-up) on ${wall.adapter}: ` +
      `${Math.round(wall.decisionsPerSecond)} decisions/s, ${Math.round(wall.simSecondsPerSecond)} simulated s/s\n` +
      `records: ${folder}\n`,
  );
}

export function registerRun(program: Command): void {
  program
    .command('run')
    .description('Play episodes in one batch on the GPU; write records and print the table')
    .option(
      '--routes <list>',
      'all, maps (rt10), routes (rt10:0, rt10:0..3), scene files (./my.json:3)',
      defaultRunOptions.routes,
    )
    .option('--difficulty <list>', difficultyNames.join(', '), defaultRunOptions.difficulty)
    .option(
      '--mode <mode>',
      'static: the world pauses while the policy thinks; realtime: it does not; both',
      defaultRunOptions.mode,
    )
    .option('--profile <name>', 'a set of rules by name, or a profile file', defaultRunOptions.profile)
    .option('--policy <name>', policyForms, defaultRunOptions.policy)
    .option('--latency <form>', latencyForms, defaultRunOptions.latency)
    .option('--seeds <list>', '0, 0,1 or 0..9', defaultRunOptions.seeds)
    .option('--envs <count>', 'environments in the batch, or auto', defaultRunOptions.envs)
    .option('--max-decisions <count>', "caps every route's own decision budget")
    .option('--without <classes>', `switch off any of ${actorClassNames.join(', ')}`)
    .option('--adapter <choice>', adapterChoiceHelp, 'auto')
    .option('--out <folder>', `where to write; the same run is continued (default: ${runsFolder}/<time>)`)
    .option('--json', 'print the content of summary.json and nothing else')
    .action(runCommand);
}
