// One finished episode as arrays, and what its arrays are. Gymnasium's order: observation t comes before action t, and
// observation T, the final one, is kept. infos[0] came with the reset, infos[t + 1] with step t.
import { type Dtype, dtypes, makeArray, type NumericArray } from './dtype.ts';

/** An array of which an episode has one row per observation or per step. */
export interface ArraySpec {
  readonly name: string;
  readonly dtype: Dtype;
  /** Of one row; empty for a number a row. */
  readonly shape: readonly number[];
  /** Lowest and highest value of each element of a row, in the row's order; of all elements where there is one. */
  readonly low?: readonly number[];
  readonly high?: readonly number[];
  /** Names of the elements of a row of one dimension. */
  readonly elements?: readonly string[];
}

/** An array of infos: of the observation it came with, or of the step that led there. */
export interface InfoSpec extends ArraySpec {
  readonly of: 'observation' | 'step';
}

/** What the episodes of one dataset have in common. */
export interface EpisodeLayout {
  /** `state`, `image` or both. Images are [height, width, channel]. */
  readonly observations: readonly ArraySpec[];
  /** Actions are whole numbers from 0 to `actionCount` - 1. */
  readonly actionCount: number;
  readonly infos: readonly InfoSpec[];
}

/** What is known of an episode beside its arrays. */
export interface EpisodeHeader {
  /** Its place in the collection's plan. */
  readonly index: number;
  readonly steps: number;
  readonly map: string;
  readonly route: number;
  readonly seed: number;
  readonly outcome: string;
  /** Sum of the rewards. */
  readonly return: number;
}

/** Arrays by their column's name: see `columnsOf`. */
export interface EpisodeData {
  readonly header: EpisodeHeader;
  readonly arrays: Readonly<Record<string, NumericArray>>;
}

/** A column of an episode: an array with `rows` = T + 1 or T. */
export interface Column extends ArraySpec {
  readonly per: 'observation' | 'step';
}

/** Every dataset has this info: the environment's clock at the observation, in seconds, float64. */
export const clockInfo = 'clock_seconds';

export const observationPrefix = 'observations/';
export const infoPrefix = 'infos/';

/** The columns that every episode has beside observations and infos, one row per step. */
export const stepColumns = [
  { name: 'actions', dtype: 'int64', shape: [], per: 'step' },
  { name: 'rewards', dtype: 'float32', shape: [], per: 'step' },
  { name: 'terminations', dtype: 'bool', shape: [], per: 'step' },
  { name: 'truncations', dtype: 'bool', shape: [], per: 'step' },
] as const satisfies readonly Column[];

function prefixed(prefix: string, specs: readonly ArraySpec[]): Column[] {
  return specs.map((spec) => ({ ...spec, name: `${prefix}${spec.name}`, per: 'observation' as const }));
}

/**
 * All columns of an episode, in the order in which they are stored: `observations/<name>`, the step columns,
 * `infos/<name>`.
 */
export function columnsOf(layout: EpisodeLayout): Column[] {
  return [
    ...prefixed(observationPrefix, layout.observations),
    ...stepColumns,
    ...prefixed(infoPrefix, layout.infos),
  ];
}

export function rowsOf(column: Column, steps: number): number {
  return column.per === 'observation' ? steps + 1 : steps;
}

/** Elements in one row. */
export function rowLength({ shape }: ArraySpec): number {
  return shape.reduce((product, length) => product * length, 1);
}

export function rowBytes(spec: ArraySpec): number {
  return rowLength(spec) * dtypes[spec.dtype].bytes;
}

/** Zeroed arrays for an episode of so many steps. */
export function makeArrays(layout: EpisodeLayout, steps: number): Record<string, NumericArray> {
  return Object.fromEntries(
    columnsOf(layout).map((column) => [
      column.name,
      makeArray(column.dtype, rowsOf(column, steps) * rowLength(column)),
    ]),
  );
}

/** The episodes of one dataset, read one at a time: what the writers of all formats are given. */
export interface EpisodeReader {
  readonly layout: EpisodeLayout;
  /** Episodes. */
  readonly size: number;
  /** @param place from 0 to size - 1, in the dataset's order. */
  header(place: number): EpisodeHeader;
  read(place: number): EpisodeData;
  /** One column of an episode alone. */
  readColumn(place: number, name: string): NumericArray;
}
