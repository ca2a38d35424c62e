// What every format's writer is.
import type { EpisodeReader } from './episodeData.ts';

/** What a dataset says of itself. */
export interface DatasetDescription {
  /** `train` or `validation`. */
  readonly split: string;
  readonly policy: string;
  /** The conditions of the episodes, in words. */
  readonly title: string;
  /** The version of this package. */
  readonly version: string;
}

/**
 * Writes one dataset into a folder of its format, which may hold those of other splits. Holds one episode at a time. The
 * same episodes and description give the same bytes.
 *
 * @throws what the system says where it cannot be written.
 */
export type DatasetWriter = (
  folder: string,
  source: EpisodeReader,
  description: DatasetDescription,
  /** Called after each episode. */
  onEpisode: () => void,
) => Promise<void>;
