// `rtsafe run`: plays episodes and writes a run folder.
import type { Command } from 'commander';
import { adapterChoiceHelp } from '../adapters/openGpu.ts';
import { actorClassNames, difficultyNames } from '../episodes/difficulties.ts';
import { latencyForms } from '../latency/parseLatency.ts';
import { policyForms } from '../policies/parsePolicy.ts';
import { defaultRunOptions, prepareRun, type RunOptions } from '../run/prepareRun.ts';
import { addOpenaiOptions } from './openaiOptions.ts';
import { type PlayRunOptions, playRun, runsFolder } from './playRun.ts';
import { formatSummaries } from './summaryTable.ts';

export async function runCommand(options: RunOptions & PlayRunOptions): Promise<void> {
  await playRun(await prepareRun(options), options, formatSummaries);
}

export function registerRun(program: Command): void {
  const command = program
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
  addOpenaiOptions(command);
}
