// What is known of each environment besides its observation: flat arrays, allocated once, written in place.
import type { SummaryView } from '../summaryView.ts';

/** The counters of struct Summary that are copied as they are, each [env, counter] (docs/run-folder.md has their kinds). */
export const counterNames = ['contacts', 'incidents', 'hazards', 'violations', 'conflicts'] as const;
export type CounterName = (typeof counterNames)[number];

/** [env, counter] */
export type Counters = { readonly [Name in CounterName]: Uint32Array };

/** Words of Summary that are copied as they are. [env] */
const wordNames = [
  'status',
  'outcome',
  'subgoal',
  'clockCentiseconds',
  'exposureCentiseconds',
  'decisions',
  'travelled',
  'stateHash',
] as const;

/** What describes the present episode of each environment. [env] */
export interface EpisodeInfos {
  /** 1 awaiting a decision, 5 done, 0 never started (docs/rules.md, section 4). */
  readonly status: Uint32Array;
  /** 0 none yet, 1 success, 2 vehicle collision, 3 repeated building collision, 4 decision budget. */
  readonly outcome: Uint32Array;
  /** Point of the route's polyline headed for. */
  readonly subgoal: Uint32Array;
  /** Of the episode, latencies included. */
  readonly clockCentiseconds: Uint32Array;
  /** Latencies charged in the episode. */
  readonly exposureCentiseconds: Uint32Array;
  /** Decisions taken in the episode. */
  readonly decisions: Uint32Array;
  /** Units (1/16 cm). */
  readonly travelled: Uint32Array;
  /** Hash of the whole state as it stands. */
  readonly stateHash: Uint32Array;
  /** Charged for the last decision. */
  readonly latencyCentiseconds: Uint32Array;
  /** 1 while nothing has happened that safety counts: no contact, hazard or violation. */
  readonly safe: Uint8Array;
  /** Of the episode so far. */
  readonly totals: Counters;
  /** In the last step alone. */
  readonly events: Counters;
  /** Index into `world.routeList`. */
  readonly route: Uint32Array;
  readonly episodeSeed: Uint32Array;
  /** The environment's seed, which its episodes are drawn from, and how many it has had before this one. */
  readonly environmentSeed: Uint32Array;
  readonly episodeNumber: Uint32Array;
}

/** Words of each counter array in the summary. */
function counterLength(summary: SummaryView, name: CounterName): number {
  return summary.layout.members.find((member) => member.name === name)!.words;
}

function createCounters(summary: SummaryView, envCount: number): Counters {
  return Object.fromEntries(
    counterNames.map((name) => [name, new Uint32Array(envCount * counterLength(summary, name))]),
  ) as Counters;
}

export function createEpisodeInfos(summary: SummaryView, envCount: number): EpisodeInfos {
  const words = () => new Uint32Array(envCount);
  return {
    status: words(),
    outcome: words(),
    subgoal: words(),
    clockCentiseconds: words(),
    exposureCentiseconds: words(),
    decisions: words(),
    travelled: words(),
    stateHash: words(),
    latencyCentiseconds: words(),
    safe: new Uint8Array(envCount),
    totals: createCounters(summary, envCount),
    events: createCounters(summary, envCount),
    route: words(),
    episodeSeed: words(),
    environmentSeed: words(),
    episodeNumber: words(),
  };
}

/** Reads summaries into infos. */
export class InfoReader {
  readonly #summary: SummaryView;
  readonly #words: readonly { readonly name: (typeof wordNames)[number]; readonly word: number }[];
  readonly #counters: readonly {
    readonly name: CounterName;
    readonly word: number;
    readonly count: number;
  }[];

  constructor(summary: SummaryView) {
    const { layout } = summary;
    this.#summary = summary;
    this.#words = wordNames.map((name) => ({ name, word: layout.word(name) }));
    this.#counters = counterNames.map((name) => ({
      name,
      word: layout.word(name),
      count: counterLength(summary, name),
    }));
  }

  /** Takes one environment's summary. `isFresh`: of a new episode, whose events so far are those of no step. */
  read(env: number, infos: EpisodeInfos, isFresh: boolean): void {
    const { words, layout } = this.#summary;
    const first = env * layout.words;
    for (const { name, word } of this.#words) infos[name][env] = words[first + word]!;
    let events = 0;
    for (const { name, word, count } of this.#counters) {
      const [totals, steps] = [infos.totals[name], infos.events[name]];
      for (let counter = 0; counter < count; counter++) {
        const place = env * count + counter;
        const total = words[first + word + counter]!;
        steps[place] = isFresh ? 0 : total - totals[place]!;
        totals[place] = total;
        if (name !== 'conflicts') events += total;
      }
    }
    infos.safe[env] = events === 0 ? 1 : 0;
  }
}

/** Copies one environment's entries of every array, nested ones too, from one set of infos to another. */
export function copyInfos<Arrays extends object>(
  from: Arrays,
  to: Arrays,
  env: number,
  envCount: number,
): void {
  for (const [name, source] of Object.entries(from)) {
    const target = to[name as keyof Arrays];
    if (ArrayBuffer.isView(source)) {
      const row = (source as Uint32Array).length / envCount;
      (target as Uint32Array).set((source as Uint32Array).subarray(env * row, (env + 1) * row), env * row);
    } else {
      copyInfos(source as object, target as object, env, envCount);
    }
  }
}
