// What `npm start` runs once everything is installed: the benchmark's central table, static against real-time on all 36
// hard routes, and what it means; then a small sweep over latencies and its report. Started again, it shows the records
// that are there, or continues them.

import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { adapterChoiceHelp } from './adapters/openGpu.ts';
import { reportFailure } from './command-line/main.ts';
import { runsFolder } from './command-line/playRun.ts';
import { progressBar } from './command-line/progressBar.ts';
import { formatSummaries } from './command-line/summaryTable.ts';
import { untilInterrupted } from './command-line/terminal.ts';
import { counted } from './counted.ts';
import { UsageError } from './errors.ts';
import type { RunSummary } from './metrics/runSummary.ts';
import type { ConditionSummary } from './metrics/summarise.ts';
import { checkRunFolder } from './records/runFolder.ts';
import { writeReport } from './report/writeReport.ts';
import { executeRun, type OpenSimulator, type RunProgress, simulatorOn } from './run/executeRun.ts';
import { defaultRunOptions, type PreparedRun, prepareRun, type RunOptions } from './run/prepareRun.ts';

/** The first and the middle route of each map, at four latencies: a fresh machine without a GPU does it in a minute. */
export const startSweepOptions: RunOptions = {
  ...defaultRunOptions,
  routes: 'rt10:0,rt10:2,rt12:8,rt12:12,rt15:16,rt15:20,rt18:24,rt18:28,rt20:32,rt20:36',
  latency: 'fixed:0,fixed:1,fixed:3,fixed:10',
};

/** `runs/start`, or the next `runs/start-2`, ... that is free or holds this very run. */
export function startFolder(prepared: PreparedRun, parent: string, name = 'start'): string {
  for (let count = 1; ; count++) {
    const folder = join(parent, count === 1 ? name : `${name}-${count}`);
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
  /** Both modes, for the table. */
  readonly run: RunOptions;
  /** For the report. */
  readonly sweep: RunOptions;
  /** Where the folders go. */
  readonly parent: string;
  readonly openSimulator: OpenSimulator;
  /** Of each of the two. */
  readonly progress: () => RunProgress;
}

interface Played {
  readonly folder: string;
  readonly summary: RunSummary;
  readonly isComputed: boolean;
}

/** Runs, or takes what is there. */
async function play(
  options: RunOptions,
  name: string,
  { parent, openSimulator, progress }: StartOptions,
): Promise<Played> {
  const prepared = await prepareRun(options);
  const folder = startFolder(prepared, parent, name);
  let isComputed = false;
  const { summary } = await untilInterrupted((signal) =>
    executeRun(
      prepared,
      folder,
      (...parts) => {
        isComputed = true;
        return openSimulator(...parts);
      },
      progress(),
      signal,
    ),
  );
  return { folder, summary, isComputed };
}

function computedText({ folder, summary: { wall }, isComputed }: Played): string {
  const speed =
    `${counted(wall.episodes, 'episode')} with ${counted(wall.decisions, 'decision')} in ${wall.seconds.toFixed(1)} s ` +
    `(${Math.round(wall.simSecondsPerSecond)} simulated seconds a second)`;
  return isComputed
    ? `Computed: ${speed} on ${wall.adapter}.\n`
    : `Computed earlier: ${speed}. Delete ${folder} to compute it again.\n`;
}

/** Runs, or shows what is there; returns the text for stdout. */
export async function start(options: StartOptions): Promise<string> {
  const table = await play(options.run, 'start', options);
  const sweep = await play(options.sweep, 'start-sweep', options);
  const {
    paths: [page],
  } = await writeReport(sweep.folder);
  const { conditions } = table.summary;
  return [
    `\n${formatSummaries(conditions)}\n`,
    explain(conditions),
    `\n${computedText(table)}`,
    `Records:  ${table.folder} (episodes.jsonl, summary.json, config.json)\n`,
    `Check:    npm run rtsafe -- verify ${table.folder}\n`,
    `\nThe same at several latencies, in figures. ${computedText(sweep)}`,
    `Report:   ${page} (open it in a browser; its numbers are in report.json beside it)\n`,
    'More:     npm run rtsafe -- sweep --help\n',
  ].join('');
}

function say(line: string): void {
  process.stderr.write(`rtsafe: ${line}\n`);
}

/** As `npm start -- [options]` calls it; returns the exit code. */
export async function runStart(commandArguments: readonly string[]): Promise<number> {
  const program = new Command('npm start --')
    .description(
      'Run the 36 hard routes in static and real-time mode, print the table, and write a report about latency',
    )
    .option('--adapter <choice>', adapterChoiceHelp, 'auto')
    .showHelpAfterError('(--help shows what is allowed)')
    .exitOverride();
  try {
    program.parse([...commandArguments], { from: 'user' });
    const { adapter } = program.opts<{ adapter: string }>();
    const text = await start({
      run: defaultRunOptions,
      sweep: startSweepOptions,
      parent: runsFolder,
      openSimulator: simulatorOn(adapter, say),
      progress: () => progressBar('episodes'),
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
