// The figures of a report as SVG text. Colours are CSS variables of the page; shape, dash and a label say the same as the
// colour.

import * as Plot from '@observablehq/plot';
import { counted } from '../counted.ts';
import type { Mode } from '../episodes/modes.ts';
import type { ActionKind } from '../metrics/actionCounts.ts';
import { modeNames } from './conditionLabels.ts';
import { drawPlot } from './drawPlot.ts';
import type { Estimate } from './estimates.ts';
import type { EstimatedQuantity, Report, ReportPair } from './reportData.ts';

/** Most series in one figure; the tables have all. */
export const mostSeries = 8;
/** Most bars of action shares. */
export const mostBars = 24;

const symbols = ['circle', 'square', 'triangle', 'diamond', 'star', 'wye', 'cross', 'times'] as const;

export interface SeriesStyle {
  readonly color: string;
  readonly symbol: (typeof symbols)[number];
  /** Hollow symbols and a dashed line for static mode. */
  readonly hollow: boolean;
}

/** Static and real-time mode, where they are all that is told apart. */
export function modeStyle(mode: Mode): SeriesStyle {
  return styleAt(Number(mode === 'realtime'), mode);
}

/** Two series that differ in mode get the styles of their modes; others get theirs by place. */
export function seriesStyles(modes: readonly Mode[]): SeriesStyle[] {
  const areModes = modes.length <= 2 && new Set(modes).size === modes.length;
  return modes.map((mode, place) => (areModes ? modeStyle(mode) : styleAt(place, mode)));
}

function styleAt(index: number, mode: Mode): SeriesStyle {
  return {
    color: `var(--series-${(index % mostSeries) + 1})`,
    symbol: symbols[index % symbols.length]!,
    hollow: mode === 'static',
  };
}

/** In a box of 36 x 16. */
const swatchPaths: Record<SeriesStyle['symbol'], string> = {
  circle: 'M18 8m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0',
  square: 'M14 4h8v8h-8z',
  triangle: 'M18 3l5 9h-10z',
  diamond: 'M18 2l4 6l-4 6l-4-6z',
  star: 'M18 2l1.5 4h4l-3.2 2.6l1.2 4.2l-3.5-2.5l-3.5 2.5l1.2-4.2l-3.2-2.6h4z',
  wye: 'M16.5 14v-5l-4-3l1.5-2.2l4 2.7l4-2.7l1.5 2.2l-4 3v5z',
  cross: 'M16.5 3h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5z',
  times: 'M14.5 3l3.5 3.5l3.5-3.5l2 2l-3.5 3.5l3.5 3.5l-2 2l-3.5-3.5l-3.5 3.5l-2-2l3.5-3.5l-3.5-3.5z',
};

/** How a series looks in a legend, as SVG for a box of 36 x 16. */
export function swatch({ color, symbol, hollow }: SeriesStyle, isLine: boolean): string {
  const line = isLine
    ? `<path d="M0 8h36" stroke="${color}" stroke-width="2"${hollow ? ' stroke-dasharray="5 3"' : ''}/>`
    : '';
  return (
    `${line}<path d="${swatchPaths[symbol]}" stroke="${color}" stroke-width="2" ` +
    `fill="${hollow ? 'var(--paper)' : color}"/>`
  );
}

/** Ticks at the values themselves, thinned so that labels have room on a scale of log(1 + value). */
export function latencyTicks(values: readonly number[]): number[] {
  const ascending = [...new Set(values)].toSorted((first, second) => first - second);
  const range = Math.log1p(ascending.at(-1) ?? 0) - Math.log1p(ascending[0] ?? 0);
  const ticks: number[] = [];
  for (const value of ascending) {
    const last = ticks.at(-1);
    if (last === undefined || Math.log1p(value) - Math.log1p(last) >= 0.08 * range) ticks.push(value);
  }
  return ticks;
}

export function secondsText(value: number): string {
  return String(Number(value.toPrecision(3)));
}

interface Point extends Estimate {
  readonly seconds: number;
}

function symbolMark(points: readonly Point[], style: SeriesStyle, dx: number): Plot.Markish {
  return Plot.dot(points, {
    x: 'seconds',
    y: 'value',
    symbol: style.symbol,
    stroke: style.color,
    strokeWidth: 2,
    fill: style.hollow ? 'var(--paper)' : style.color,
    r: 4.5,
    dx,
  });
}

/** One quantity against latency, a line per series, with intervals. */
export function latencyFigure(
  report: Report,
  quantity: EstimatedQuantity,
  axis: string,
  isShare: boolean,
): string {
  const shown = report.latency.slice(0, mostSeries);
  const series = shown.map(({ points }) =>
    points.map(
      ({ condition, latencySeconds }): Point => ({
        seconds: latencySeconds,
        ...report.conditions[condition]!.estimates[quantity],
      }),
    ),
  );
  const all = series.flat();
  const highest = Math.max(0, ...all.flatMap(({ value, high }) => [value ?? 0, high ?? 0]));
  const lowest = Math.min(0, ...all.flatMap(({ value, low }) => [value ?? 0, low ?? 0]));
  const least = isShare ? 0.1 : 1;
  const seconds = all.map((point) => point.seconds);
  const longest = Math.max(1, ...seconds);
  const styles = seriesStyles(shown.map(({ mode }) => mode));
  const marks = series.flatMap((points, place): Plot.Markish[] => {
    const style = styles[place]!;
    const dx = (place - (series.length - 1) / 2) * 4;
    const color = { stroke: style.color, dx };
    const withInterval = points.filter(({ low, high }) => low !== null && high !== null);
    return [
      Plot.line(points, {
        ...color,
        x: 'seconds',
        y: 'value',
        strokeWidth: 2,
        ...(style.hollow ? { strokeDasharray: '5 3' } : {}),
      }),
      Plot.ruleX(withInterval, { ...color, x: 'seconds', y1: 'low', y2: 'high', strokeWidth: 1.5 }),
      symbolMark(points, style, dx),
    ];
  });
  return drawPlot(
    {
      width: 400,
      height: 260,
      marginLeft: 48,
      marginBottom: 42,
      marginRight: 24,
      x: {
        type: 'symlog',
        constant: 1,
        domain: [0, longest * 1.05],
        ticks: latencyTicks(seconds),
        tickFormat: secondsText as never,
        label: 'latency of a decision (s)',
        labelAnchor: 'center',
        labelArrow: 'none',
      },
      y: {
        domain: [lowest, Math.min(isShare ? 1 : Number.POSITIVE_INFINITY, Math.max(highest * 1.05, least))],
        grid: true,
        ticks: 5,
        label: axis,
        labelArrow: 'none',
        ...(isShare ? { tickFormat: '.0%' } : {}),
      },
      marks: [Plot.ruleY([0], { stroke: 'currentColor', strokeOpacity: 0.5 }), ...marks],
    },
    `${axis} against latency, ${shown.length} series; the numbers are in the table below`,
  );
}

/** One row per route, the largest difference on top: static hollow, real-time filled. */
export function pairFigure(pair: ReportPair): string {
  const rows = pair.routes.toSorted((first, second) => second.difference - first.difference);
  const most = Math.max(1, ...rows.flatMap((row) => [row.static, row.realtime]));
  const still = modeStyle('static');
  const moving = modeStyle('realtime');
  return drawPlot(
    {
      width: 480,
      height: 70 + rows.length * 17,
      marginLeft: Math.min(160, 24 + 8 * Math.max(...rows.map(({ route }) => route.length))),
      marginBottom: 42,
      marginRight: 20,
      x: {
        type: 'symlog',
        constant: 1,
        domain: [0, most * 1.2],
        ticks: [0, 1, 3, 10, 30, 100, 300, 1000, 3000, 10_000].filter((tick) => tick <= most * 1.2),
        tickFormat: secondsText as never,
        label: 'contacts per episode',
        labelAnchor: 'center',
        labelArrow: 'none',
        grid: true,
      },
      y: { type: 'point', domain: rows.map(({ route }) => route), label: null, padding: 0.6 },
      marks: [
        Plot.ruleY(rows, { y: 'route', x1: 'static', x2: 'realtime', strokeOpacity: 0.5, strokeWidth: 1.5 }),
        Plot.dot(rows, {
          x: 'static',
          y: 'route',
          symbol: still.symbol,
          stroke: still.color,
          strokeWidth: 2,
          fill: 'var(--paper)',
          r: 4.5,
        }),
        Plot.dot(rows, { x: 'realtime', y: 'route', symbol: moving.symbol, fill: moving.color, r: 4.5 }),
      ],
    },
    `Contacts per episode on ${counted(rows.length, 'route')} in static and real-time mode, ${pair.label}; the numbers are in the table`,
  );
}

export const actionNames: Record<ActionKind, string> = {
  move4m: 'move 4 m',
  move2m: 'move 2 m',
  move1m: 'move 1 m',
  turn: 'turn',
  wait: 'wait',
};
/** From the boldest action to none at all. */
export const actionOrder = ['move4m', 'move2m', 'move1m', 'turn', 'wait'] as const satisfies ActionKind[];

function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

const smallestLabelledShare = 0.07;

function percentText(share: number): string {
  return (100 * share).toFixed(1);
}

/** A bar per condition, a part per action, the larger parts labelled. */
export function actionFigure(report: Report): string {
  const bars = report.conditions.slice(0, mostBars);
  const labels = bars.map(({ label }, place) => ({ key: String(place), text: shortened(label, 26) }));
  const parts = bars.flatMap(({ summary }, place) => {
    let from = 0;
    return actionOrder.map((kind) => {
      const share = summary.actionShares.executed[kind] ?? 0;
      from += share;
      return { bar: String(place), share, x1: from - share, x2: from, middle: from - share / 2, kind };
    });
  });
  return drawPlot(
    {
      width: 440,
      height: 50 + bars.length * 26,
      marginLeft: 16 + 6.8 * Math.max(...labels.map(({ text }) => text.length)),
      marginBottom: 42,
      marginTop: 8,
      marginRight: 20,
      x: {
        domain: [0, 1],
        tickFormat: '.0%',
        ticks: 5,
        label: 'share of executed actions (%)',
        labelAnchor: 'center',
        labelArrow: 'none',
      },
      y: {
        domain: labels.map(({ key }) => key),
        label: null,
        padding: 0.2,
        tickFormat: ((key: string) => labels[Number(key)]!.text) as never,
      },
      marks: actionOrder.flatMap((kind, index): Plot.Markish[] => {
        const own = parts.filter((part) => part.kind === kind);
        return [
          Plot.barX(own, {
            x1: 'x1',
            x2: 'x2',
            y: 'bar',
            fill: `var(--action-${index + 1})`,
            stroke: 'var(--paper)',
          }),
          Plot.text(
            own.filter(({ share }) => share >= smallestLabelledShare),
            {
              x: 'middle',
              y: 'bar',
              text: ({ share }: { share: number }) => percentText(share),
              fill: `var(--on-action-${index + 1})`,
            },
          ),
        ];
      }),
    },
    `Shares of executed actions in ${counted(bars.length, 'condition')}; the numbers are in the table below`,
  );
}

/** A letter for each published model, in the published order. */
export function publishedLetters({ published }: Report): Map<string, string> {
  const names = [...new Set(published?.models.map(({ name }) => name))];
  return new Map(names.map((name, place) => [name, String.fromCharCode(65 + place)]));
}

/** Published models and ours: contacts against mean latency. */
export function publishedFigure(report: Report, mode: Mode): string | undefined {
  const { published } = report;
  if (published === null) return undefined;
  const letters = publishedLetters(report);
  const theirs = published.models
    .filter((model) => model.mode === mode)
    .map(({ name, latencySeconds, contacts }) => ({
      letter: letters.get(name)!,
      seconds: latencySeconds,
      value: contacts,
    }))
    .toSorted((first, second) => first.seconds - second.seconds);
  const ours = published.conditions
    .map((place) => report.conditions[place]!)
    .filter(({ summary }) => summary.mode === mode)
    .map(({ summary, estimates }) => ({ seconds: summary.latencySeconds?.mean ?? 0, ...estimates.contacts }));
  if (ours.length === 0) return undefined;
  const seconds = [...theirs, ...ours].map((point) => point.seconds);
  const style = modeStyle(mode);
  return drawPlot(
    {
      width: 400,
      height: 280,
      marginLeft: 48,
      marginBottom: 42,
      marginRight: 24,
      x: {
        type: 'symlog',
        constant: 1,
        domain: [0, Math.max(1, ...seconds) * 1.4],
        ticks: [0, 1, 3, 10, 30, 60].filter((tick) => tick <= Math.max(1, ...seconds) * 1.4),
        tickFormat: secondsText as never,
        label: 'mean latency of a decision (s)',
        labelAnchor: 'center',
        labelArrow: 'none',
      },
      y: {
        grid: true,
        ticks: 5,
        zero: true,
        nice: true,
        label: `contacts per episode, ${modeNames[mode]}`,
        labelArrow: 'none',
      },
      marks: [
        Plot.ruleY([0], { stroke: 'currentColor', strokeOpacity: 0.5 }),
        Plot.dot(theirs, {
          x: 'seconds',
          y: 'value',
          symbol: 'diamond',
          stroke: 'var(--published)',
          strokeWidth: 2,
          r: 4.5,
        }),
        // By turns on either side, so that neighbours keep apart.
        ...[0, 1].map((side) =>
          Plot.text(
            theirs.filter((_, place) => place % 2 === side),
            {
              x: 'seconds',
              y: 'value',
              text: 'letter',
              dx: side === 0 ? -11 : 11,
              fill: 'currentColor',
            },
          ),
        ),
        Plot.dot(ours, { x: 'seconds', y: 'value', symbol: style.symbol, fill: style.color, r: 5 }),
      ],
    },
    `Contacts per episode against latency, ${modeNames[mode]}: eight published models and ${counted(ours.length, 'condition')} of this run`,
  );
}
