// The result of the benchmark as a page of figures and tables: one HTML file without any outside reference.
import { escapeHtml } from '../report/escapeHtml.ts';
import { pageStyle } from '../report/pageScript.ts';
import { type BenchReport, readingOf } from './benchReport.ts';
import { benchFacts, readingNotes } from './benchText.ts';
import type { BenchFigure, BenchTable } from './suite.ts';
import { suites } from './suites.ts';

function tableHtml({ columns, rows, notes }: BenchTable): string {
  const label = escapeHtml(columns[0]!.title);
  const kind = (place: number) => (columns[place]!.align === 'right' ? '' : ' class="text"');
  const head = columns.map(({ title }, place) => `<th scope="col"${kind(place)}>${escapeHtml(title)}</th>`);
  const body = rows.map(
    (cells) =>
      `<tr>${cells.map((cell, place) => `<td${kind(place)}>${escapeHtml(cell)}</td>`).join('')}</tr>`,
  );
  return (
    `<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table aria-label="${label}">` +
    `<thead><tr>${head.join('')}</tr></thead><tbody>${body.join('')}</tbody></table></div>` +
    notes.map((note) => `<p class="quiet">${escapeHtml(note)}</p>`).join('')
  );
}

function figureHtml({ svg, caption }: BenchFigure): string {
  return `<figure>${svg}<figcaption>${escapeHtml(caption)}</figcaption></figure>`;
}

export function benchPage(report: BenchReport): string {
  const reading = readingOf(report);
  const sections = suites
    .filter(({ name }) => name in report.suites)
    .map((suite) => {
      const result = report.suites[suite.name];
      return (
        `<section><h2>${escapeHtml(suite.name)}</h2><p>${escapeHtml(suite.about)}</p>` +
        suite.figures(result, reading).map(figureHtml).join('') +
        suite.tables(result, reading).map(tableHtml).join('') +
        '</section>'
      );
    });
  const facts = [...benchFacts(report), ['measured', report.measuredAt]].map(
    ([name, text]) => `<dt>${escapeHtml(name!)}</dt><dd>${escapeHtml(text!)}</dd>`,
  );
  return (
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    `<title>rtsafe bench</title><style>${pageStyle()}</style></head><body>` +
    `<header><h1>rtsafe bench: ${escapeHtml(report.adapter.description)}</h1></header><main><dl>${facts.join('')}</dl>` +
    `<p>${escapeHtml(readingNotes.join(' '))}</p>${sections.join('')}</main></body></html>\n`
  );
}
