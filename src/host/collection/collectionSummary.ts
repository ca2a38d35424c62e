// summary.json of a collection: what its episodes came to, per split.
import type { EpisodeHeader, EpisodeReader } from '../datasets/episodeData.ts';
import type { Split } from './prepareCollection.ts';

/** Means are over episodes; 0 where there are none. */
export interface SplitSummary {
  readonly split: Split;
  readonly maps: readonly string[];
  readonly episodes: number;
  readonly decisions: number;
  readonly success: number;
  readonly meanReturn: number;
  readonly meanDecisions: number;
}

export interface CollectionSummary {
  readonly format: 'rtsafe-collection-summary';
  readonly version: 1;
  readonly splits: readonly SplitSummary[];
}

function mean(headers: readonly EpisodeHeader[], value: (header: EpisodeHeader) => number): number {
  return headers.reduce((sum, header) => sum + value(header), 0) / Math.max(1, headers.length);
}

export function summariseSplit(split: Split, reader: EpisodeReader): SplitSummary {
  const headers = Array.from({ length: reader.size }, (_, place) => reader.header(place));
  return {
    split,
    maps: [...new Set(headers.map(({ map }) => map))].sort(),
    episodes: headers.length,
    decisions: headers.reduce((sum, { steps }) => sum + steps, 0),
    success: mean(headers, ({ outcome }) => (outcome === 'success' ? 1 : 0)),
    meanReturn: mean(headers, (header) => header.return),
    meanDecisions: mean(headers, ({ steps }) => steps),
  };
}
