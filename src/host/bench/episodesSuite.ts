// Suite `episodes`: whole runs, from reading the options to the last byte of the records.
import { counted } from '../counted.ts';
import { benchEpisodes, type EpisodesResult } from './episodesBench.ts';
import { shortNumber } from './numberText.ts';
import { measuredOnce } from './spread.ts';
import { anySuite } from './suite.ts';

export const episodesSuite = anySuite<EpisodesResult>({
  name: 'episodes',
  about: 'whole runs of the 36 routes for --episode-seeds seeds, records written',
  repetitions: () => 0,
  measure({ options, runOptions, openSimulator, episodesProgress, signal }) {
    const seeds = `0..${options.episodeSeeds - 1}`;
    return benchEpisodes(runOptions(seeds), openSimulator, episodesProgress, signal);
  },
  tables: (result, { runsOnCpu }) => [
    {
      columns: [
        {
          title: `${counted(result.episodes, 'episode')} end to end, ${counted(result.environments, 'environment')}`,
        },
        { title: '', align: 'right' },
      ],
      rows: [
        ['seconds', result.seconds.toFixed(1)],
        ['of it until the first decisions were through', result.startSeconds.toFixed(1)],
        ...(runsOnCpu ? [['CPU seconds', result.cpuSeconds.toFixed(1)]] : []),
        ['episodes/s', shortNumber(result.episodesPerSecond)],
        ['decisions/s', shortNumber(result.decisionsPerSecond)],
        ['simulated s/s', shortNumber(result.simSecondsPerSecond)],
      ],
      notes: [],
    },
  ],
  figures: () => [],
  metrics: (result) => [
    {
      name: `${counted(result.episodes, 'episode')} end to end`,
      unit: 'decisions/s',
      better: 'higher',
      ...measuredOnce(result.decisionsPerSecond),
    },
  ],
});
