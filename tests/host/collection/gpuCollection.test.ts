// A collection on the GPU has the episodes that a run of the CPU reference records: same actions, clocks and state hashes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { environmentOn } from '../../../src/host/collection/executeCollection.ts';
import { prepareCollection } from '../../../src/host/collection/prepareCollection.ts';
import type { NumericArray } from '../../../src/host/datasets/dtype.ts';
import { EpisodeJournal } from '../../../src/host/datasets/journal.ts';
import { actionCode } from '../../../src/host/episodes/actions.ts';
import type { EpisodeRecord } from '../../../src/host/records/episodeRecord.ts';
import { runSmall } from '../run/testRun.ts';
import { collectSmall, newPath, smallCollection } from './support/testCollection.ts';

function valuesOf(array: NumericArray | undefined): (number | bigint)[] {
  return Array.from(array as ArrayLike<number | bigint>);
}

test('state and images, greedy and expert', { timeout: 300_000 }, async () => {
  const shared = { routes: 'rt10:0,rt12:8', maxDecisions: '6', latency: 'lognormal:2,0.5' };
  for (const policy of ['greedy', 'expert']) {
    const changes = {
      ...shared,
      policy,
      episodes: '4',
      envs: '3',
      format: 'npz',
      observation: 'state,image16',
    };
    const folder = newPath();
    // oxlint-disable-next-line no-await-in-loop -- one GPU at a time
    await collectSmall(folder, changes, { open: environmentOn('auto', () => {}) });
    const run = newPath('run');
    // oxlint-disable-next-line no-await-in-loop
    await runSmall(run, { ...shared, policy, difficulty: 'hard', mode: 'realtime', seeds: '0..1' });
    const records = readFileSync(join(run, 'episodes.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as EpisodeRecord);

    // oxlint-disable-next-line no-await-in-loop
    const { layout } = await prepareCollection({ ...smallCollection, ...changes });
    const journal = EpisodeJournal.open(join(folder, 'episodes.journal'), layout, 4);
    const reader = journal.source([0, 1, 2, 3]);
    for (const [place, { map, route, seed, trace }] of records.entries()) {
      const { header, arrays } = reader.read(place);
      expect(header).toMatchObject({ map, route, seed, steps: trace.length });
      expect(valuesOf(arrays.actions)).toEqual(trace.map(({ action }) => BigInt(actionCode(action))));
      expect(valuesOf(arrays['infos/state_hash']).slice(1)).toEqual(
        trace.map(({ stateHash }) => BigInt(`0x${stateHash}`)),
      );
      expect(valuesOf(arrays['infos/clock_seconds']).slice(1)).toEqual(
        trace.map(({ clockSeconds }) => clockSeconds),
      );
      // A picture of a street is not of one colour.
      expect(new Set(valuesOf(arrays['observations/image']).slice(0, 16 * 16 * 3)).size).toBeGreaterThan(8);
    }
    journal.close();
  }
});
