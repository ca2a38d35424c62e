// The tables of a report, described once: the page, the Markdown and the CSV are written from the same rows. A cell that
// is a number names its place in the report.
import { outcomes } from '../records/episodeRecord.ts';
import { modeNames } from './conditionLabels.ts';
import { actionNames, actionOrder } from './figures.ts';
import type { NumberForm } from './numberText.ts';
import type { EstimatedQuantity, Report } from './reportData.ts';

export type Cell =
  | { readonly text: string }
  /** `between`: an estimate, whose bounds are shown with it. */
  | { readonly path: string; readonly form: NumberForm; readonly between?: true };

export interface Table {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

export function text(value: string): Cell {
  return { text: value };
}

export function number(path: string, form: NumberForm): Cell {
  return { path, form };
}

/** An `Estimate` at a path. */
export function estimate(path: string, form: NumberForm): Cell {
  return { path, form, between: true };
}

const quantityColumns: readonly [title: string, quantity: EstimatedQuantity, form: NumberForm][] = [
  ['contacts', 'contacts', 'two'],
  ['active', 'activeContacts', 'two'],
  ['passive', 'passiveContacts', 'two'],
  ['success', 'success', 'percent'],
  ['safe success', 'safeSuccess', 'percent'],
  ['m per decision', 'progressMetresPerDecision', 'two'],
  ['route done', 'routeShare', 'percent'],
];

/** Each condition with its intervals. */
export function estimateTable(report: Report): Table {
  const { percent, draws } = report.intervals;
  return {
    caption: `Per condition: the mean over its episodes (counts per episode), under it the ${percent} % interval (${draws} bootstrap draws of routes).`,
    columns: [
      'condition',
      'latency, s',
      'routes',
      'seeds',
      'episodes',
      ...quantityColumns.map(([title]) => title),
    ],
    rows: report.conditions.map(({ label }, place) => {
      const at = `conditions.${place}`;
      return [
        text(label),
        number(`${at}.summary.latencySeconds.mean`, 'short'),
        number(`${at}.routes`, 'whole'),
        number(`${at}.seeds`, 'whole'),
        number(`${at}.summary.episodes`, 'whole'),
        ...quantityColumns.map(([, quantity, form]) => estimate(`${at}.estimates.${quantity}`, form)),
      ];
    }),
  };
}

/** How much route averages move from seed to seed; undefined for one seed. */
export function spreadTable(report: Report): Table | undefined {
  if (report.conditions.every(({ seeds }) => seeds < 2)) return undefined;
  const quantities = [
    ['contacts', 'contacts', 'two'],
    ['success', 'success', 'percent'],
    ['safe success', 'safeSuccess', 'percent'],
  ] as const;
  return {
    caption:
      'Run to run: mean over seeds of the average over routes, and its standard deviation (n - 1). It says how results move from seed to seed, not from route to route.',
    columns: ['condition', 'seeds', ...quantities.flatMap(([title]) => [title, '± sd'])],
    rows: report.conditions.map(({ label }, place) => [
      text(label),
      number(`conditions.${place}.seeds`, 'whole'),
      ...quantities.flatMap(([, quantity, form]) => [
        number(`conditions.${place}.seedSpread.${quantity}.mean`, form),
        number(`conditions.${place}.seedSpread.${quantity}.standardDeviation`, form),
      ]),
    ]),
  };
}

export function pairTable(report: Report): Table {
  return {
    caption:
      'Real-time less static on the same routes and seeds: the mean difference per episode, under it its interval, paired by route.',
    columns: ['condition', 'latency, s', 'episodes of each', 'contacts', 'ratio', 'safe success', 'success'],
    rows: report.pairs.map(({ label }, place) => {
      const at = `pairs.${place}`;
      return [
        text(label),
        number(`${at}.latencySeconds`, 'short'),
        number(`${at}.episodes`, 'whole'),
        estimate(`${at}.contacts`, 'two'),
        number(`${at}.contactRatio`, 'two'),
        estimate(`${at}.safeSuccess`, 'points'),
        estimate(`${at}.success`, 'points'),
      ];
    }),
  };
}

export function routeTable(report: Report, pair: number): Table {
  return {
    caption: 'Contacts per episode by route.',
    columns: ['route', 'static', 'real-time', 'difference'],
    rows: report.pairs[pair]!.routes.map(({ route }, place) => {
      const at = `pairs.${pair}.routes.${place}`;
      return [
        text(route),
        number(`${at}.static`, 'two'),
        number(`${at}.realtime`, 'two'),
        number(`${at}.difference`, 'two'),
      ];
    }),
  };
}

export function actionTable(report: Report, which: 'executed' | 'chosen'): Table {
  return {
    caption: {
      executed: 'Shares of executed actions, that is of valid choices that were begun.',
      chosen: 'Shares of valid choices, and how many decisions were one.',
    }[which],
    columns: [
      'condition',
      ...actionOrder.map((kind) => actionNames[kind]),
      ...(which === 'chosen' ? ['valid'] : []),
    ],
    rows: report.conditions.map(({ label }, place) => {
      const at = `conditions.${place}.summary.actionShares`;
      return [
        text(label),
        ...actionOrder.map((kind) => number(`${at}.${which}.${kind}`, 'percent')),
        ...(which === 'chosen' ? [number(`${at}.valid`, 'percent')] : []),
      ];
    }),
  };
}

function publishedRow(name: string, mode: keyof typeof modeNames, at: string): Cell[] {
  return [
    text(name),
    text(modeNames[mode]),
    number(`${at}.latencySeconds`, 'one'),
    number(`${at}.contacts`, 'two'),
    number(`${at}.active`, 'two'),
    number(`${at}.passive`, 'two'),
    number(`${at}.success`, 'percent'),
    number(`${at}.safeSuccess`, 'percent'),
    number(`${at}.decisions`, 'one'),
  ];
}

/** Published models and the conditions of the run that can stand beside them. */
export function publishedTable(report: Report): Table | undefined {
  const { published } = report;
  if (published === null) return undefined;
  return {
    caption: `Published: mean of eight models and each model, 36 hard routes. This run: its hard conditions. ${published.citation}.`,
    columns: [
      'who',
      'mode',
      'latency, s',
      'contacts',
      'active',
      'passive',
      'success',
      'safe success',
      'decisions',
    ],
    rows: [
      ...published.conditions.map((place) => {
        const { label, summary } = report.conditions[place]!;
        const at = `conditions.${place}`;
        return [
          text(`this run: ${label}`),
          text(modeNames[summary.mode]),
          number(`${at}.summary.latencySeconds.mean`, 'short'),
          number(`${at}.summary.contactsPerEpisode`, 'two'),
          number(`${at}.summary.activePerEpisode`, 'two'),
          number(`${at}.summary.passivePerEpisode`, 'two'),
          number(`${at}.summary.successRate`, 'percent'),
          number(`${at}.summary.safeSuccessRate`, 'percent'),
          number(`${at}.summary.decisionsPerEpisode`, 'one'),
        ];
      }),
      ...published.aggregates.map(({ mode }, place) =>
        publishedRow('published: mean of eight', mode, `published.aggregates.${place}`),
      ),
      ...published.models.map(({ name, mode }, place) =>
        publishedRow(`published: ${name}`, mode, `published.models.${place}`),
      ),
    ],
  };
}

const metricRows: readonly [title: string, path: string, form: NumberForm][] = [
  ['episodes', 'episodes', 'whole'],
  ...outcomes.map((outcome): [string, string, NumberForm] => [
    `ended by ${outcome}`,
    `outcomes.${outcome}`,
    'whole',
  ]),
  ['success', 'successRate', 'percent'],
  ['safe success', 'safeSuccessRate', 'percent'],
  ['SPL', 'spl', 'three'],
  ['STE', 'ste', 'three'],
  ['contacts', 'contactsPerEpisode', 'two'],
  ['active contacts', 'activePerEpisode', 'two'],
  ['passive contacts', 'passivePerEpisode', 'two'],
  ['passive share', 'passiveShare', 'percent'],
  ['episodes with a contact', 'contactEpisodeRate', 'percent'],
  ...(['human', 'object', 'building', 'vehicle'] as const).flatMap((type) =>
    (['active', 'passive'] as const).map((interval): [string, string, NumberForm] => [
      `contacts: ${type}, ${interval}`,
      `contactsByType.${type}.${interval}`,
      'two',
    ]),
  ),
  ['incidents', 'incidentsPerEpisode', 'two'],
  ['contacts per 100 m, pooled', 'contactsPer100m.pooled', 'two'],
  ['contacts per 100 m, mean of routes', 'contactsPer100m.meanOverRoutes', 'two'],
  ['incidents per 100 m, pooled', 'incidentsPer100m.pooled', 'two'],
  ['hazards', 'hazardsPerEpisode', 'two'],
  ['hazards: trip', 'hazardsByType.trip', 'two'],
  ['hazards: oil', 'hazardsByType.oil', 'two'],
  ['hazards: water', 'hazardsByType.water', 'two'],
  ['violations', 'violationsPerEpisode', 'two'],
  ['violations: red light', 'violationsByType.redLight', 'two'],
  ['violations: jaywalk', 'violationsByType.jaywalk', 'two'],
  ['conflict vehicles launched', 'conflictVehiclesPerEpisode.launched', 'two'],
  ['conflict vehicles that hit', 'conflictVehiclesPerEpisode.hit', 'two'],
  ['score', 'scorePerEpisode', 'two'],
  ['decisions', 'decisionsPerEpisode', 'one'],
  ['net progress, cm per decision', 'netProgressCmPerDecision', 'one'],
  ['stuck episodes', 'stagnationRate', 'percent'],
  ['simulated seconds', 'simSecondsPerEpisode', 'one'],
  ['exposure, s', 'exposurePerEpisode', 'one'],
  ['travelled, cm', 'travelledCmPerEpisode', 'one'],
  ['latency, s: mean', 'latencySeconds.mean', 'two'],
  ['latency, s: median', 'latencySeconds.median', 'two'],
  ['latency, s: 90 %', 'latencySeconds.p90', 'two'],
  ['latency, s: 95 %', 'latencySeconds.p95', 'two'],
  ['time with a walker within 0.45 m', 'proximityShare.intimate', 'percent'],
  ['time with a walker within 1.2 m', 'proximityShare.personal', 'percent'],
  ['time with a walker within 3.6 m', 'proximityShare.social', 'percent'],
  [
    'least time-to-collision, s, of episodes with one within 5 s',
    'timeToCollision.meanMinimumSeconds',
    'two',
  ],
  ['time-to-collision under 1.5 s', 'timeToCollision.criticalRate', 'percent'],
  [
    'least post-encroachment time, s, of episodes with one within 5 s',
    'postEncroachment.meanMinimumSeconds',
    'two',
  ],
  ['post-encroachment time under 1.5 s', 'postEncroachment.criticalRate', 'percent'],
  ['fastest impact, cm/s', 'impactSpeedMaximumCmS', 'one'],
];

/** Every aggregate of every condition, a column each. */
export function metricTable(report: Report): Table {
  return {
    caption:
      'All aggregates. Counts are per episode unless they say otherwise; docs/report.md says how each is made.',
    columns: ['quantity', ...report.conditions.map(({ label }) => label)],
    rows: metricRows.map(([title, path, form]) => [
      text(title),
      ...report.conditions.map((_, place) => number(`conditions.${place}.summary.${path}`, form)),
    ]),
  };
}
