// A suite measures one thing about this machine. All suites are listed in suites.ts; each is one module that measures, and says
// how its result is shown and compared.
import type { OpenEnvironment } from '../collection/executeCollection.ts';
import type { OpenSimulator, RunProgress } from '../run/executeRun.ts';
import type { RunOptions } from '../run/prepareRun.ts';
import type { Column } from '../table.ts';
import type { BenchDevice } from './benchDevice.ts';
import type { Spread } from './spread.ts';
import type { Workload } from './workload.ts';

/** What the user chose. */
export interface BenchOptions {
  /** Batch sizes, ascending. */
  readonly sizes: readonly number[];
  readonly repetitions: number;
  /** Decisions of each environment in a pass. */
  readonly decisions: number;
  /** A repetition takes as many passes as fill this time. */
  readonly minimumSeconds: number;
  /** Seeds of the 36 routes in whole runs. */
  readonly episodeSeeds: number;
  /** Policies that are set side by side, and the seeds of the 36 routes that each plays. */
  readonly policies: readonly string[];
  readonly policySeeds: number;
  /** Policies that collect, and the episodes of each. */
  readonly collectionPolicies: readonly string[];
  readonly collectionEpisodes: number;
}

export interface BenchContext {
  readonly options: BenchOptions;
  readonly device: BenchDevice;
  /** Greedy, under full rules. */
  readonly workload: Workload;
  /** The episodes of another workload, for some seeds; the maps are the same. */
  readonly runOptions: (seeds: string) => RunOptions;
  readonly openSimulator: OpenSimulator;
  readonly openEnvironment: OpenEnvironment;
  readonly episodesProgress: RunProgress;
  /** Told after every repetition, with the decisions taken in it. */
  readonly onRepetition: (decisions: number) => void;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal | undefined;
}

export interface BenchTable {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
  /** Sentences under the table. */
  readonly notes: readonly string[];
}

export interface BenchFigure {
  readonly svg: string;
  readonly caption: string;
}

/** A number that two reports can be compared by. */
export interface Metric extends Spread {
  readonly name: string;
  readonly unit: string;
  readonly better: 'higher' | 'lower';
}

/** How a result is to be read. */
export interface Reading {
  /** The driver runs on the CPU: then CPU seconds say what a busy machine does not falsify. */
  readonly runsOnCpu: boolean;
}

export interface Suite<Result> {
  /** As `--suite` takes it, and its place in the report. */
  readonly name: string;
  /** For --help, in a few words. */
  readonly about: string;
  /** How often it will tell of a repetition. */
  readonly repetitions: (options: BenchOptions) => number;
  readonly measure: (context: BenchContext) => Promise<Result>;
  readonly tables: (result: Result, reading: Reading) => readonly BenchTable[];
  readonly figures: (result: Result, reading: Reading) => readonly BenchFigure[];
  readonly metrics: (result: Result, reading: Reading) => readonly Metric[];
}

/** A suite whose result only it can read. */
export type AnySuite = Suite<unknown>;

/** Forgets the type of a suite's result; every result goes back to the suite that measured it. */
export function anySuite<Result>(suite: Suite<Result>): AnySuite {
  return suite as unknown as AnySuite;
}

/** The largest size up to `most`, for suites that need one only; the smallest where all are larger. */
export function sizeUpTo(sizes: readonly number[], most: number): number {
  return sizes.findLast((size) => size <= most) ?? sizes[0]!;
}
