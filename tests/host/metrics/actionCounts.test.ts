import { expect, test } from 'vitest';
import { actionFromCode } from '../../../src/host/episodes/actions.ts';
import { actionKind, countActions, noActions } from '../../../src/host/metrics/actionCounts.ts';
import { makeDecision } from '../records/makeEpisode.ts';

test('the seventeen codes', () => {
  expect(Array.from({ length: 17 }, (_, code) => actionKind(actionFromCode(code)))).toEqual([
    undefined,
    'move1m',
    ...Array.from({ length: 3 }, () => 'move2m'),
    ...Array.from({ length: 3 }, () => 'move4m'),
    ...Array.from({ length: 6 }, () => 'turn'),
    ...Array.from({ length: 3 }, () => 'wait'),
  ]);
});

const trace = [
  makeDecision({ action: actionFromCode(5), latencySeconds: 1.1, clockSeconds: 3.1 }),
  makeDecision({ action: actionFromCode(0), latencySeconds: 0.2, clockSeconds: 3.3 }),
  makeDecision({ action: actionFromCode(14), latencySeconds: 2.3, clockSeconds: 5.6 }),
];

test('an action that a vehicle cut off in thinking was chosen, not executed', () => {
  expect(countActions({ mode: 'realtime', trace })).toEqual({
    chosen: { ...noActions(), move4m: 1, wait: 1 },
    executed: { ...noActions(), move4m: 1 },
    invalid: 1,
  });
});

test('in static mode thinking takes no time', () => {
  expect(countActions({ mode: 'static', trace }).executed).toEqual({ ...noActions(), move4m: 1, wait: 1 });
});
