// `rtsafe merge`: puts the shards of a run together.
import type { Command } from 'commander';
import { mergeRuns } from '../run/mergeRuns.ts';
import { faultLine, wallText } from './playRun.ts';
import { formatConditions } from './summaryTable.ts';

export async function mergeCommand(
  folders: readonly string[],
  { out, json }: { out: string; json?: true },
): Promise<void> {
  const { summary, summaryText } = await mergeRuns(folders, out);
  if (json) {
    process.stdout.write(summaryText);
    return;
  }
  process.stdout.write(formatConditions(summary.conditions));
  process.stdout.write(
    `\n${faultLine(summary, out)}all shards together: ${wallText(summary)}records: ${out}\n`,
  );
}

export function registerMerge(program: Command): void {
  program
    .command('merge')
    .description('Put the shards of a sweep together: the records are those of the sweep run at once')
    .argument('<folders...>', 'the folder of every shard')
    .requiredOption('--out <folder>', 'where to write')
    .option('--json', 'print the content of summary.json and nothing else')
    .action(mergeCommand);
}
