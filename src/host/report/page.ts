// The page of a report: one HTML file without any outside reference, made from the report object alone.
import { counted } from '../counted.ts';
import type { Mode } from '../episodes/modes.ts';
import { routeName } from '../episodes/plan.ts';
import { modeNames } from './conditionLabels.ts';
import { escapeHtml, jsonForScript } from './escapeHtml.ts';
import type { Estimate } from './estimates.ts';
import {
  actionFigure,
  actionNames,
  actionOrder,
  latencyFigure,
  modeStyle,
  mostBars,
  mostSeries,
  pairFigure,
  publishedFigure,
  publishedLetters,
  type SeriesStyle,
  seriesStyles,
  swatch,
} from './figures.ts';
import { boundForm, type NumberForm, numberForms, numberText, valueAt } from './numberText.ts';
import { pageAssets } from './pageScript.ts';
import type { Report, ReportPair } from './reportData.ts';
import {
  actionTable,
  type Cell,
  estimateTable,
  metricTable,
  pairTable,
  publishedTable,
  routeTable,
  spreadTable,
  type Table,
} from './tables.ts';

/** How every page of ours begins. */
export const pageMark = '<!doctype html>\n<!-- rtsafe-report 1 -->\n';
/** Most comparisons that get a figure of their own. */
export const mostPairFigures = 12;

/** A number of the report, with its place in report.json and its form. */
function numberHtml(report: Report, path: string, form: NumberForm): string {
  const value = valueAt(report, path) as number | null | undefined;
  return `<data data-json="${escapeHtml(path)}" data-form="${form}" value="${value ?? ''}">${numberText(value, form)}</data>`;
}

function cellHtml(report: Report, cell: Cell, isHeading: boolean): string {
  if ('text' in cell) {
    return isHeading
      ? `<th scope="row" class="text">${escapeHtml(cell.text)}</th>`
      : `<td class="text">${escapeHtml(cell.text)}</td>`;
  }
  if (cell.between !== true) return `<td>${numberHtml(report, cell.path, cell.form)}</td>`;
  const { low } = valueAt(report, cell.path) as Estimate;
  const bounds =
    low === null
      ? ''
      : `<span class="between">${numberHtml(report, `${cell.path}.low`, boundForm(cell.form))} to ${numberHtml(report, `${cell.path}.high`, boundForm(cell.form))}</span>`;
  return `<td>${numberHtml(report, `${cell.path}.value`, cell.form)}${bounds}</td>`;
}

function tableHtml(report: Report, table: Table): string {
  const isText = (place: number) => table.rows.some((cells) => 'text' in (cells[place] ?? {}));
  const head = table.columns.map(
    (title, place) => `<th scope="col"${isText(place) ? ' class="text"' : ''}>${escapeHtml(title)}</th>`,
  );
  const rows = table.rows.map(
    (cells) => `<tr>${cells.map((cell, place) => cellHtml(report, cell, place === 0)).join('')}</tr>`,
  );
  const caption = escapeHtml(table.caption);
  return (
    `<p class="caption">${caption}</p><div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table aria-label="${caption}">` +
    `<thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`
  );
}

function figureHtml(svg: string, caption: string): string {
  return `<figure>${svg}<figcaption>${caption}</figcaption></figure>`;
}

function legendEntry(style: SeriesStyle, label: string, isLine: boolean): string {
  return `<li><svg width="36" height="16" aria-hidden="true">${swatch(style, isLine)}</svg>${escapeHtml(label)}</li>`;
}

function legend(entries: readonly string[]): string {
  return `<ul class="legend">${entries.join('')}</ul>`;
}

/** The comparison with the longest latency: where the difference shows best. */
function widestPair(report: Report): ReportPair | undefined {
  return report.pairs.reduce<ReportPair | undefined>(
    (widest, pair) => (widest === undefined || pair.latencySeconds > widest.latencySeconds ? pair : widest),
    undefined,
  );
}

function lead(report: Report): string {
  const pair = widestPair(report);
  if (pair === undefined) {
    return '<p class="lead">This run has no condition in both modes, so nothing is compared; what it recorded is below.</p>';
  }
  const at = `pairs.${report.pairs.indexOf(pair)}`;
  const value = (path: string, form: NumberForm) => numberHtml(report, path, form);
  const bounds =
    pair.contacts.low === null
      ? ''
      : ` (${report.intervals.percent} % interval of the difference: ${value(`${at}.contacts.low`, 'two')} to ${value(`${at}.contacts.high`, 'two')})`;
  return (
    `<p class="lead">In static mode the world waits while the policy thinks; in real-time it does not. ` +
    `With ${value(`${at}.latencySeconds`, 'short')} s of thinking per decision, contacts per episode are ` +
    `${value(`conditions.${pair.static}.estimates.contacts.value`, 'two')} in static mode and ` +
    `${value(`conditions.${pair.realtime}.estimates.contacts.value`, 'two')} in real-time${bounds}; ` +
    `safe success is ${value(`conditions.${pair.static}.estimates.safeSuccess.value`, 'percent')} and ` +
    `${value(`conditions.${pair.realtime}.estimates.safeSuccess.value`, 'percent')}.</p>`
  );
}

function fitText(report: Report): string {
  if (report.exposureFit === null) return '';
  const value = (name: string, form: NumberForm) => numberHtml(report, `exposureFit.${name}`, form);
  return (
    `<p>Over the ${value('n', 'whole')} real-time conditions, a second more of exposure (charged thinking in an episode) goes with ` +
    `${value('slope', 'four')} more contacts (least squares, R² = ${value('rSquared', 'three')}, p = ${value('p', 'short')}; the line ` +
    `starts at ${value('intercept', 'two')}).</p>`
  );
}

function latencySection(report: Report): string {
  const spread = spreadTable(report);
  const { latency } = report;
  const shown = latency.slice(0, mostSeries);
  const left = latency.length - shown.length;
  const styles = seriesStyles(shown.map(({ mode }) => mode));
  const interval = `Bars: ${report.intervals.percent} % intervals over routes.`;
  return (
    `<section aria-labelledby="latency"><h2 id="latency">What latency costs</h2>` +
    legend(styles.map((style, place) => legendEntry(style, shown[place]!.label, true))) +
    (left > 0
      ? `<p class="quiet">The first ${shown.length} of ${latency.length} series are drawn; the table has all.</p>`
      : '') +
    `<div class="grid">${[
      figureHtml(
        latencyFigure(report, 'contacts', 'contacts per episode', false),
        `Contacts per episode, active and passive together. ${interval}`,
      ),
      figureHtml(
        latencyFigure(report, 'safeSuccess', 'safe success', true),
        `Share of episodes that arrive without any contact, hazard or violation. ${interval}`,
      ),
      figureHtml(
        latencyFigure(report, 'progressMetresPerDecision', 'progress per decision (m)', false),
        `Net progress along the route, over all decisions. ${interval}`,
      ),
      figureHtml(
        latencyFigure(report, 'success', 'success', true),
        `Share of episodes that arrive. ${interval}`,
      ),
    ].join('')}</div>` +
    tableHtml(report, estimateTable(report)) +
    fitText(report) +
    (spread === undefined ? '' : tableHtml(report, spread)) +
    '</section>'
  );
}

function pairSection(report: Report): string {
  if (report.pairs.length === 0) return '';
  const widest = widestPair(report);
  const drawn = report.pairs.slice(0, mostPairFigures);
  const modesLegend = legend([
    legendEntry(modeStyle('static'), 'static', false),
    legendEntry(modeStyle('realtime'), 'real-time', false),
  ]);
  const figures = drawn.map(
    (pair, place) =>
      `<details${pair === widest ? ' open' : ''}><summary>By route: ${escapeHtml(pair.label)}</summary>` +
      figureHtml(
        pairFigure(pair),
        'Contacts per episode on each route (mean over seeds), the largest difference on top; logarithmic scale.',
      ) +
      `<details class="choose"><summary>The numbers</summary>${tableHtml(report, routeTable(report, place))}</details></details>`,
  );
  const left = report.pairs.length - drawn.length;
  return (
    `<section aria-labelledby="modes"><h2 id="modes">Static against real-time</h2>` +
    tableHtml(report, pairTable(report)) +
    modesLegend +
    figures.join('') +
    (left > 0
      ? `<p class="quiet">${counted(left, 'more comparison is', 'more comparisons are')} in report.json.</p>`
      : '') +
    '</section>'
  );
}

function actionSection(report: Report): string {
  const swatches = actionOrder.map(
    (kind, index) =>
      `<li><svg width="16" height="16" aria-hidden="true"><rect width="16" height="16" fill="var(--action-${index + 1})"/></svg>${actionNames[kind]}</li>`,
  );
  const left = report.conditions.length - mostBars;
  return (
    `<section aria-labelledby="actions"><h2 id="actions">What the policy did</h2>` +
    legend(swatches) +
    figureHtml(
      actionFigure(report),
      `Executed actions, in the legend's order from the left.${left > 0 ? ` The first ${mostBars} conditions; the table has all.` : ''}`,
    ) +
    tableHtml(report, actionTable(report, 'executed')) +
    tableHtml(report, actionTable(report, 'chosen')) +
    '</section>'
  );
}

function publishedSection(report: Report): string {
  const table = publishedTable(report);
  if (table === undefined) return '';
  const figure = (mode: Mode) => {
    const svg = publishedFigure(report, mode);
    return svg === undefined
      ? ''
      : figureHtml(
          svg,
          `${mode === 'static' ? 'Static' : 'Real-time'} mode. Diamonds: the published models. Filled: this run.`,
        );
  };
  return (
    `<section aria-labelledby="published"><h2 id="published">Beside the published benchmark</h2>` +
    `<p>Published values are of vision-language models on 36 hard routes of the original simulator; the policies of this run are ` +
    `those named in its conditions. Another policy on another simulator need not agree; what can be compared is how contacts grow with latency.</p>` +
    `<div class="grid">${figure('static')}${figure('realtime')}</div>` +
    `<p class="caption">${[...publishedLetters(report)].map(([name, letter]) => `${letter} ${escapeHtml(name)}`).join(' · ')}</p>` +
    tableHtml(report, table) +
    '</section>'
  );
}

function shownName(report: Report, place: number): string {
  const { map, route, seed, profile, policy, latency, difficulty, mode } = report.episodes[place]!;
  return `${routeName(map, route)}, seed ${seed}: ${profile}, ${policy}, ${latency}, ${difficulty}, ${modeNames[mode]}`;
}

interface PageEpisode {
  readonly name: string;
  readonly map: string;
  readonly route: number;
  readonly mode: string;
}

/** In the order of `views.episodes`. */
function pageEpisodes(report: Report): PageEpisode[] {
  return report.views.episodes.map(({ episode }) => {
    const { map, route, mode } = report.episodes[episode]!;
    return { name: shownName(report, episode), map, route, mode };
  });
}

function conditionOf(report: Report, place: number): number {
  const { profile, policy, latency, difficulty, mode } = report.episodes[place]!;
  return report.conditions.findIndex(
    ({ summary }) =>
      summary.profile === profile &&
      summary.policy === policy &&
      summary.latency === latency &&
      summary.difficulty === difficulty &&
      summary.mode === mode,
  );
}

function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function episodeRows(report: Report): string {
  return report.views.episodes
    .map(({ episode: index }, place) => {
      const { map, route, seed, outcome, decisions, simSeconds, contacts, hazards, violations } =
        report.episodes[index]!;
      const condition = conditionOf(report, index);
      const sum = (interval: 'active' | 'passive') =>
        Object.values(contacts).reduce((all, counts) => all + counts[interval], 0);
      const name = routeName(map, route);
      const numbers = [
        decisions,
        numberForms.one(simSeconds),
        sum('active'),
        sum('passive'),
        total(hazards),
        total(violations),
      ];
      return (
        `<tr data-place="${place}" data-condition="${condition}"${place === report.views.first ? ' aria-current="true"' : ''}>` +
        `<th scope="row" class="text"><button type="button" aria-label="Show ${escapeHtml(name)} seed ${seed}, ${escapeHtml(report.conditions[condition]!.label)}">Show</button> ${escapeHtml(name)}</th>` +
        `<td>${seed}</td><td class="text">${escapeHtml(report.conditions[condition]!.label)}</td><td class="text">${escapeHtml(outcome)}</td>` +
        `${numbers.map((value) => `<td>${value}</td>`).join('')}</tr>`
      );
    })
    .join('');
}

function markSwatch(shape: string, label: string): string {
  return `<li><svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">${shape}</svg>${label}</li>`;
}

function episodeSection(report: Report, drawn: { path: string; timeline: string; rows: string }): string {
  const { views } = report;
  const titles = [
    'episode',
    'seed',
    'condition',
    'ended by',
    'decisions',
    'simulated s',
    'active',
    'passive',
    'hazards',
    'violations',
  ];
  const heads = titles
    .map((title, place) => `<th scope="col"${[0, 2, 3].includes(place) ? ' class="text"' : ''}>${title}</th>`)
    .join('');
  const options = report.conditions
    .map(({ label }, place) => `<option value="${place}">${escapeHtml(label)}</option>`)
    .join('');
  const marks = legend([
    markSwatch('<circle cx="8" cy="8" r="5" fill="var(--passive)"/>', 'passive contact (while thinking)'),
    markSwatch('<path d="M8 2l6 11h-12z" fill="var(--active)"/>', 'active contact'),
    markSwatch('<path d="M8 1l7 7l-7 7l-7-7z" fill="var(--hazard)"/>', 'hazard'),
    markSwatch(
      '<path d="M3 3l10 10m0-10l-10 10" stroke="var(--violation)" stroke-width="3"/>',
      'violation, conflict vehicle',
    ),
  ]);
  return (
    `<section aria-labelledby="episodes"><h2 id="episodes">Episode by episode</h2><p>${escapeHtml(views.rule)} ` +
    `Shown first is the one with the most contacts.</p>` +
    `<div class="choose"><p class="filter"><label for="condition">Condition</label><select id="condition"><option value="">all</option>${options}</select></p>` +
    `<div class="scroll tall" tabindex="0" role="region" aria-label="Episodes"><table><thead><tr>${heads}</tr></thead><tbody>${episodeRows(report)}</tbody></table></div></div>` +
    `<div id="episode"><h3 id="shown" aria-live="polite">${escapeHtml(shownName(report, views.episodes[views.first]!.episode))}</h3>${marks}` +
    `<figure><div id="path">${drawn.path}</div><figcaption>Path from above: dots are where decisions ended, S the start, E the destination, ` +
    `numbers the subgoals, the dashed line the route; roads, zebras and buildings beneath. Marks stand where the decision ended.</figcaption></figure>` +
    `<figure><div id="timeline">${drawn.timeline}</div><figcaption>Thick: the world moves while the policy thinks; thin: acting and recovering. ` +
    `A mark stands in the middle of the interval in which its events fell; larger marks are more events.</figcaption></figure>` +
    `<details><summary>What happened, decision by decision</summary><div class="scroll"><table><thead><tr><th scope="col">decision</th><th scope="col">time, s</th>` +
    `<th scope="col">latency, s</th><th scope="col" class="text">action</th><th scope="col" class="text">events</th></tr></thead><tbody id="happened">${drawn.rows}</tbody></table></div></details>` +
    `</div></section>`
  );
}

function aboutSection(report: Report): string {
  const { run, intervals } = report;
  const entries: [string, string][] = [
    ['episodes', `${run.episodes} of ${run.plannedEpisodes} planned`],
    ['version', `rtsafe ${run.simulator.rtsafe}, webgpu ${run.simulator.webgpu}`],
    ['shaders', run.simulator.shaders],
    ...run.scenes.map(({ name, source, hash }): [string, string] => [
      'scene',
      `${name} (${source}), ${hash}`,
    ]),
    ...run.profiles.map(({ name, source, hash }): [string, string] => [
      'profile',
      `${name} (${source}), ${hash}`,
    ]),
    ...run.sessions.map(({ startedAt, adapter, environments, node, platform }): [string, string] => [
      'session',
      `${startedAt}, ${adapter.description ?? 'unknown adapter'}, ${counted(environments, 'environment')}, Node ${node}, ${platform}`,
    ]),
    [
      'intervals',
      `${intervals.percent} %, ${intervals.draws} draws: ${intervals.method}. Few routes make them too narrow; their number is in the tables.`,
    ],
  ];
  return (
    `<section aria-labelledby="about"><h2 id="about">How this was made</h2>` +
    `<dl>${entries.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join('')}</dl>` +
    `<p class="quiet">Contacts count repeated callbacks, as the published benchmark does; incidents count each meeting once. Every number is in ` +
    `report.json (<code>rtsafe report --format json</code>); <code>rtsafe verify</code> simulates the run again from its record.</p></section>`
  );
}

/** The whole page. The same report gives the same bytes. */
export function reportPage(report: Report): string {
  const { style, script, drawEpisode } = pageAssets();
  const episodes = pageEpisodes(report);
  const { first } = report.views;
  const drawn = drawEpisode(report.views, first, episodes[first]!);
  const notices =
    report.notices.length === 0
      ? ''
      : `<div class="notice" role="note"><strong>Before you trust a number</strong><ul>${report.notices.map((notice) => `<li>${escapeHtml(notice)}</li>`).join('')}</ul></div>`;
  const { maps, routes, eventNames, episodes: views } = report.views;
  return (
    `${pageMark}<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<meta name="color-scheme" content="light dark"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">` +
    `<link rel="icon" href="data:,"><title>${escapeHtml(report.title)}</title><style>${style}</style></head><body>` +
    `<header><h1>${escapeHtml(report.title)}</h1>${notices}${lead(report)}</header><main>` +
    latencySection(report) +
    pairSection(report) +
    actionSection(report) +
    episodeSection(report, drawn) +
    publishedSection(report) +
    `<section aria-labelledby="numbers"><h2 id="numbers">All numbers</h2>${tableHtml(report, metricTable(report))}</section>` +
    aboutSection(report) +
    `</main><footer>Made by rtsafe ${escapeHtml(report.run.simulator.rtsafe)}.</footer>` +
    `<script type="application/json" id="data">${jsonForScript({ views: { first, maps, routes, eventNames, episodes: views }, episodes })}</script>` +
    `<script>${script}</script></body></html>\n`
  );
}
