// What is said of replies that did not come.
import { expect, test } from 'vitest';
import { countReplies, faultText } from '../../../src/host/metrics/replyCounts.ts';
import type { EpisodeDecision } from '../../../src/host/records/episodeRecord.ts';

function replies(...faults: (string | undefined)[]) {
  const tokens = { prompt: null, completion: null, reasoning: null, cached: null };
  return countReplies(
    faults.map(
      (fault) =>
        ({
          queueSeconds: 0,
          reply: {
            outcome: 'parse-error',
            seconds: 1,
            retries: 0,
            tokens,
            text: '',
            ...(fault && { fault }),
          },
        }) as unknown as EpisodeDecision,
    ),
  );
}

test('faults of all conditions are counted together, the most frequent first, equal ones by name', () => {
  const all = [replies('timeout', undefined), undefined, replies('status 400', 'status 503', 'status 400')];
  expect(faultText(all)).toBe('4 of 5 replies did not come: status 400 (2), status 503 (1), timeout (1)');
});

test('of many kinds four are named', () => {
  const kinds = ['a', 'b', 'c', 'd', 'd', 'e', 'f'];
  expect(faultText([replies(...kinds)])).toBe(
    '7 of 7 replies did not come: d (2), a (1), b (1), c (1), others (2)',
  );
});

test('nothing is said where all came, or none was asked for', () => {
  expect(faultText([replies(undefined)])).toBeUndefined();
  expect(faultText([replies(), undefined])).toBeUndefined();
});
