// `rtsafe verify`: re-simulates a recorded run and compares every recorded field.
import type { Command } from 'commander';
import { adapterChoiceHelp } from '../adapters/openGpu.ts';
import { counted } from '../counted.ts';
import { RunError } from '../errors.ts';
import { simulatorOn } from '../run/executeRun.ts';
import { mismatchText } from '../verify/verifyEpisodes.ts';
import { verifyRun } from '../verify/verifyRun.ts';
import { progressBar } from './progressBar.ts';
import { sayOnTerminal } from './terminal.ts';

export async function verifyCommand(
  folder: string,
  options: { adapter: string; json?: true },
): Promise<void> {
  const verified = await verifyRun(
    folder,
    simulatorOn(options.adapter, sayOnTerminal),
    progressBar('episodes'),
  );
  const { episodes, decisions, mismatches, plannedEpisodes, summaryMismatch } = verified;
  if (options.json) {
    process.stdout.write(`${JSON.stringify(verified, null, 2)}\n`);
  } else {
    for (const mismatch of mismatches) process.stdout.write(`${mismatchText(mismatch)}\n`);
    if (summaryMismatch !== undefined) process.stdout.write(`${summaryMismatch}\n`);
  }
  if (mismatches.length > 0) {
    throw new RunError(
      `${folder}: ${mismatches.length} of ${counted(episodes, 'episode')} ${mismatches.length === 1 ? 'differs from its' : 'differ from their'} record; the first is ${mismatchText(mismatches[0]!)}`,
    );
  }
  if (summaryMismatch !== undefined) throw new RunError(summaryMismatch);
  if (options.json) return;
  const missing = plannedEpisodes - episodes;
  process.stdout.write(
    `${folder}: ${episodes > 1 ? 'all ' : ''}${counted(episodes, 'episode')} with ${counted(decisions, 'decision')} came out as recorded\n` +
      (missing > 0
        ? `${missing} of ${counted(plannedEpisodes, 'planned episode')} ${missing === 1 ? 'is' : 'are'} not there: the run was cut off\n`
        : ''),
  );
}

export function registerVerify(program: Command): void {
  program
    .command('verify')
    .description('Simulate a recorded run again from its actions and latencies and compare everything')
    .argument('<folder>', 'the folder of a run')
    .option('--adapter <choice>', adapterChoiceHelp, 'auto')
    .option('--json', 'print one JSON object')
    .action(verifyCommand);
}
