// Observable Plot's figures as SVG text, drawn on a document of linkedom's.
import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import { escapeHtml } from './escapeHtml.ts';

const axisStyle = { fontSize: 12, fontFamily: 'inherit', overflow: 'visible' } as const;

/** Plot's own defaults for class and style are left out: the page styles all figures, and each is named for readers. */
export function drawPlot(options: Plot.PlotOptions, label: string): string {
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const figure = Plot.plot({
    ...options,
    document: document as never,
    className: 'plot',
    style: axisStyle as never,
  });
  const svg = figure as unknown as {
    querySelector(selector: string): { remove(): void } | null;
    outerHTML: string;
  };
  svg.querySelector('style')?.remove();
  return svg.outerHTML.replace('<svg ', `<svg role="img" aria-label="${escapeHtml(label)}" `);
}
