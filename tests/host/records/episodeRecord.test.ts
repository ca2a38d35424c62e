// The line format of episodes.jsonl: a good record passes unchanged, a faulty one is named by its path.
import { expect, test } from 'vitest';
import { checkJson } from '../../../src/host/input/jsonFault.ts';
import { episodeRecordSchema } from '../../../src/host/records/episodeRecord.ts';
import { makeDecision, makeEpisode } from './makeEpisode.ts';

test('a record survives the trip through JSON', () => {
  const events = [
    { kind: 'contact', type: 'human', interval: 'passive', count: 2 },
    { kind: 'incident', type: 'vehicle', interval: 'active', count: 1 },
    { kind: 'hazard', type: 'oil', count: 1 },
    { kind: 'violation', type: 'red-light', count: 1 },
    { kind: 'conflict-vehicle', type: 'launched', count: 1 },
  ] as const;
  const record = makeEpisode({
    trace: [
      makeDecision({ events: [...events] }),
      makeDecision({ action: { type: 'turn_around', param: 'L90' } }),
      makeDecision({ action: { type: 'wait', param: 3 } }),
      makeDecision({ action: { type: 'none', param: null } }),
    ],
    impactSpeedCmS: { maximum: 300, mean: 150 },
  });
  expect(checkJson(episodeRecordSchema, JSON.parse(JSON.stringify(record)), 'x')).toEqual(record);
});

test.each([
  ['outcome: found "lost", allowed is one of "success", ', { outcome: 'lost' }],
  ['seed: found -1, allowed is a whole number from 0 to 4294967295', { seed: -1 }],
  ['difficulty: found "extreme", allowed is one of "easy", ', { difficulty: 'extreme' }],
  ['finalStateHash: found "xyz", allowed is a hash of 8 hex digits', { finalStateHash: 'xyz' }],
  [
    'hazards: found the unknown key "ice", allowed is an object',
    { hazards: { trip: 0, oil: 0, water: 0, ice: 1 } },
  ],
  [
    'trace[0].action.param: found 8',
    { trace: [{ ...makeDecision(), action: { type: 'move_to', param: 8 } }] },
  ],
  [
    'trace[0].events[0].interval: found nothing',
    { trace: [{ ...makeDecision(), events: [{ kind: 'contact', type: 'human', count: 1 }] }] },
  ],
  ['trace[0].events[0].kind', { trace: [{ ...makeDecision(), events: [{ kind: 'sneeze' }] }] }],
])('%s', (message, changes) => {
  const record = { ...makeEpisode(), ...changes };
  expect(() => checkJson(episodeRecordSchema, record, 'x')).toThrow(`x: ${message}`);
});
