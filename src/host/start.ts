// What `npm start` runs once everything is installed: the benchmark's central table, static against real-time on all 36
// hard routes, and what it means. Started again, it shows the records that are there, or continues them.
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { adapterChoiceHelp } from './adapters/openGpu.ts';
import { reportFailure } from './command-line/main.ts';
import { progressBar } from './command-line/progressBar.ts';
import { runsFolder } from './command-line/playRun.ts';
import { formatSummaries } from './command-line/summaryTable.ts';
import { untilInterrupted } from './command-line/terminal.ts';
import { UsageError } from './errors.ts';
import type { ConditionSummary } from './metrics/summarise.ts';
import { checkRunFolder } from './records/runFolder.ts';
import { executeRun, type OpenSimulator, type RunProgress, simulatorOn } from './run/executeRun.ts';
import { defaultRunOptions, type PreparedRun, prepareRun, type RunOptions } from './run/prepareRun.ts';

/** `runs/start`, or the next `runs/start-2`, ... that is free or holds this very run. */
export function startFolder(prepared: PreparedRun, parent: string): string {
  for (let count = 1; ; count++) {
    const folder = join(parent, count === 1 ? 'start' : `start-${count}`);
    try {
      checkRunFolder(folder, prepared.config);
      return folder;
    } catch (error) {
      if (!(error instanceof UsageError) || count >= 1000) throw error;
    }
  }
}

/** What the table shows, in two sentences. */
export function explain(conditions: readonly ConditionSummary[]): string {
  const still = conditions.find(({ mode }) => mode === 'static');
  const moving = conditions.find(({ mode }) => mode === 'realtime');
  if (still === undefined || moving === undefined) return '';
  const { passiveShare } = moving;
  const share =
    passiveShare === null ? '' : `, ${Math.round(100 * passiveShare)} % of them while it stands and thinks`;
  return (
    'Same routes, people and policy: in static mode the world waits while the policy thinks, in real-time it does not.\n' +
    `When the world goes on, contacts per episode go from ${still.contactsPerEpisode.toFixed(1)} to ` +
    `${moving.contactsPerEpisode.toFixed(1)}${share}.\n`
  );
}

export interface StartOptions {
  readonly run: RunOptions;
  /** Where the folder goes. */
  readonly parent: string;
  readonly openSimulator: OpenSimulator;
  readonly progress: RunProgress;
}

/** Runs, or shows what is there; returns the text for stdout. */
export async function start({ run, parent, openSimulator, progress }: StartOptions): Promise<string> {
  const prepared = await prepareRun(run);
  const folder = startFolder(prepared, parent);
  let isComputed = false;
  const { summary } = await untilInterrupted((signal) =>
    executeRun(
      prepared,
      folder,
      (...parts) => {
        isComputed = true;
        return openSimulator(...parts);
      },
      progress,
      signal,
    ),
  );
  const { wall } = summary;
  const speed =
    `${wall.episodes} episodes with ${wall.decisions} decisions in ${wall.seconds.toFixed(1)} s ` +
    `(${Math.round(wall.simSecondsPerSecond)} simulated seconds a second)`;
  return [
    `\n${formatSummaries(summary.conditions)}\n`,
    explain(summary.conditions),
    isComputed
      ? `\nComputed: ${speed} on ${wall.adapter}.\n`
      : `\nComputed earlier: ${speed}. Delete ${folder} to compute it again.\n`,
    `Records:  ${folder} (episodes.jsonl, summary.json, config.json)\n`,
    `Check:    npm run rtsafe -- verify ${folder}\n`,
    'More:     npm run rtsafe -- run --help\n',
  ].join('');
}

function say(line: string): void {
  process.stderr.write(`rtsafe: ${line}\n`);
}

/** As `npm start -- [options]` calls it; returns the exit code. */
export async function runStart(commandArguments: readonly string[]): Promise<number> {
  const program = new Command('npm start --')
    .description('Run the 36 hard routes in static and real-time mode and print the table')
    .option('--adapter <choice>', adapterChoiceHelp, 'auto')
    .showHelpAfterError('(--help shows what is allowed)')
    .exitOverride();
  try {
    program.parse([...commandArguments], { from: 'user' });
    const { adapter } = program.opts<{ adapter: string }>();
    const text = await start({
      run: defaultRunOptions,
      parent: runsFolder,
      openSimulator: simulatorOn(adapter, say),
      progress: progressBar('episodes'),
    });
    process.stdout.write(text);
    return 0;
  } catch (error) {
    return reportFailure(error);
  }
}

const isEntryPoint =
  process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
if (isEntryPoint) process.exitCode = await runStart(process.argv.slice(2));
