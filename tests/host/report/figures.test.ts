// Series are told apart: two always look different.
import { expect, test } from 'vitest';
import { modeStyle, seriesStyles } from '../../../src/host/report/figures.ts';

test('static against real-time: the styles of the modes, in either order', () => {
  expect(seriesStyles(['static', 'realtime'])).toEqual([modeStyle('static'), modeStyle('realtime')]);
  expect(seriesStyles(['realtime', 'static'])).toEqual([modeStyle('realtime'), modeStyle('static')]);
});

test.for([[['realtime', 'realtime']], [['static', 'static']], [['realtime', 'static', 'realtime']]] as const)(
  'series of %j differ in colour and symbol',
  ([modes]) => {
    const styles = seriesStyles(modes);
    expect(new Set(styles.map(({ color }) => color)).size).toBe(modes.length);
    expect(new Set(styles.map(({ symbol }) => symbol)).size).toBe(modes.length);
  },
);
