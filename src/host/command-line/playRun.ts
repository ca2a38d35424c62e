// What `run` and `sweep` have in common: play a prepared run into its folder, then print a table or the JSON.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { counted } from '../counted.ts';
import { faultText } from '../metrics/replyCounts.ts';
import type { RunSummary } from '../metrics/runSummary.ts';
import type { ConditionSummary } from '../metrics/summarise.ts';
import { checkRunFolder, episodesName } from '../records/runFolder.ts';
import { executeRun, simulatorOn } from '../run/executeRun.ts';
import type { PreparedRun } from '../run/prepareRun.ts';
import { progressBar } from './progressBar.ts';
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

export interface PlayRunOptions {
  readonly adapter: string;
  readonly out?: string;
  readonly json?: true;
}

/** Wall time and rates, in a line. */
export function wallText({ wall }: RunSummary): string {
  return (
    `${counted(wall.episodes, 'episode')} in ${wall.seconds.toFixed(1)} s (${wall.setupSeconds.toFixed(1)} s of them set-up) on ${wall.adapter}: ` +
    `${Math.round(wall.decisionsPerSecond)} decisions/s, ${Math.round(wall.simSecondsPerSecond)} simulated s/s\n`
  );
}

/** Which replies did not come, in a line; empty when all did. */
export function faultLine({ conditions }: RunSummary, folder: string): string {
  const faults = faultText(conditions.map(({ replies }) => replies));
  return faults === undefined
    ? ''
    : `${faults}; what the endpoint said, if anything, is in ${join(folder, episodesName)}\n`;
}

/** Runs, or continues, and prints; see `executeRun` for what is thrown. */
export async function playRun(
  prepared: PreparedRun,
  { adapter, out, json }: PlayRunOptions,
  format: (conditions: readonly ConditionSummary[]) => string,
): Promise<void> {
  const folder = out ?? newRunFolder(new Date());
  checkRunFolder(folder, prepared.config);
  const { summary, summaryText } = await untilInterrupted((signal) =>
    executeRun(prepared, folder, simulatorOn(adapter, sayOnTerminal), progressBar('episodes'), signal),
  );
  if (json) {
    process.stdout.write(summaryText);
    return;
  }
  process.stdout.write(format(summary.conditions));
  process.stdout.write(`\n${faultLine(summary, folder)}${wallText(summary)}records: ${folder}\n`);
}
