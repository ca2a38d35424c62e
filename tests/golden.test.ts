// The published reference run (RT-SAFE protocol §19) on the kernels: rt10 route 0, easy, seed 0, greedy, 1 s of latency. It
// took 30 decisions, 29 of them moves of 4 m, with SPL 0.99404467; 81 s in static mode and 111 s in real-time, which are 58 s
// of moves, 1 s of turning, 2 oil slow-downs of 2 s, 3 falls of 6 s, and 30 s of thinking.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openGpu } from '../src/host/adapters/openGpu.ts';
import { type ActorClass, classBits, difficulties } from '../src/host/episodes/difficulties.ts';
import { episodeSeed } from '../src/host/episodes/episodeSeed.ts';
import type { PlannedEpisode } from '../src/host/episodes/plan.ts';
import { fixedLatency } from '../src/host/latency/models.ts';
import { greedyPolicy } from '../src/host/policies/greedy.ts';
import { compileRules } from '../src/host/profiles/compile.ts';
import { loadProfile } from '../src/host/profiles/load.ts';
import type { EpisodeRecord } from '../src/host/records/episodeRecord.ts';
import { playEpisodes } from '../src/host/run/playEpisodes.ts';
import type { RunWorld } from '../src/host/run/runWorld.ts';
import { buildCity } from '../src/host/scenes/city.ts';
import { compileWorld } from '../src/host/scenes/compile.ts';
import { loadBundledScene } from '../src/host/scenes/load.ts';
import { parseScene } from '../src/host/scenes/parse.ts';
import { readShader } from '../src/host/shaderFiles.ts';
import { BatchSimulator, type Mode } from '../src/kernels/batchSimulator.ts';
import { softwareAdapters, whyAbsent } from './host/adapters/softwareAdapters.ts';

const { groundObjects } = JSON.parse(
  readFileSync(new URL('fixtures/rt10-route0-ground-objects.json', import.meta.url), 'utf8'),
);
const bundled = loadBundledScene('rt10');
/** The bundled map with the published ground objects beside route 0 in place of the generated ones. */
const published = parseScene({ ...bundled, name: 'published', scenery: { groundObjects } }, 'published');
const cities = [bundled, published].map(buildCity);

const actors = ['pedestrians', 'dogs', 'objects', 'falling'] as const;
const goldens = {
  crowded: { map: 'rt10', without: ['hazards'] },
  alone: { map: 'rt10', without: ['hazards', ...actors] },
  slippery: { map: 'published', without: actors },
} as const satisfies Record<string, { map: string; without: readonly ActorClass[] }>;
type GoldenName = keyof typeof goldens;
const names = Object.keys(goldens) as GoldenName[];
const modes = ['static', 'realtime'] as const satisfies readonly Mode[];

interface GoldenEpisode extends PlannedEpisode {
  readonly golden: GoldenName;
}

const episodes = names.flatMap((golden, place) =>
  modes.map(
    (mode, modePlace): GoldenEpisode => ({
      golden,
      index: place * modes.length + modePlace,
      map: goldens[golden].map,
      route: 0,
      seed: 0,
      mode,
      difficulty: 'easy',
      profile: 'rt-safe',
      policy: 'greedy',
      latency: 'fixed:1',
    }),
  ),
);

function makeRunWorld(): RunWorld {
  const world = compileWorld(cities);
  const placeOf = (map: string) => world.routeList.findIndex((route) => route.map === map && route.id === 0);
  return {
    cities,
    world,
    rules: [compileRules(loadProfile('rt-safe'))],
    route: ({ map }) => world.routeList[placeOf(map)]!,
    start: (key) => ({
      route: placeOf(key.map),
      rules: 0,
      mode: key.mode,
      seed: episodeSeed(key.seed, 'rt10', key.route),
      maxDecisions: 1000,
      percent: difficulties.easy.percent,
      speedChoices: difficulties.easy.speedChoices,
      classes: classBits('easy', goldens[(key as GoldenEpisode).golden].without),
    }),
  };
}

/** All golden runs in both modes, side by side in one batch. [episode] */
async function playGoldens(adapter: string): Promise<EpisodeRecord[]> {
  const { context } = await openGpu(adapter);
  try {
    const runWorld = makeRunWorld();
    const { world, rules } = runWorld;
    const envCount = episodes.length;
    const simulator = await BatchSimulator.create(context, { shaders: readShader, world, rules, envCount });
    const records: EpisodeRecord[] = [];
    const inOrder = episodes.values();
    await playEpisodes({
      simulator,
      runWorld,
      episodes: { next: () => inOrder.next().value },
      run: 'golden',
      policies: new Map([['greedy', greedyPolicy]]),
      latencies: new Map([['fixed:1', fixedLatency(1)]]),
      onRound: (finished) => {
        for (const { index, record } of finished) records[index] = record;
      },
    });
    await simulator.destroy();
    return records;
  } finally {
    await context.close();
  }
}

/** Decisions with an active contact: each costs 6 s of recovery. */
function penalisedDecisions({ trace }: EpisodeRecord): number {
  return trace.filter(({ events }) =>
    events.some((event) => event.kind === 'contact' && event.interval === 'active'),
  ).length;
}

const timeout = 600_000;

test.for(softwareAdapters)('the golden run on %s', { timeout }, async (adapter, { skip }) => {
  const absent = whyAbsent(adapter);
  if (absent) skip(absent);
  const records = await playGoldens(adapter);
  for (const record of records) {
    expect(record).toMatchObject({
      outcome: 'success',
      decisions: 30,
      travelledCm: 11_600,
      exposureSeconds: 30,
    });
    expect(Math.abs(record.spl - 0.99404467)).toBeLessThan(1e-6);
  }
  const ofGolden = (golden: GoldenName) => records.filter((_, index) => episodes[index]!.golden === golden);

  const crowded = ofGolden('crowded');
  expect(crowded.map(({ simSeconds }) => simSeconds)).toEqual(
    crowded.map((record) => (record.mode === 'static' ? 59 : 89) + 6 * penalisedDecisions(record)),
  );

  const alone = ofGolden('alone');
  expect(alone.map(({ simSeconds }) => simSeconds)).toEqual([59, 89]);
  expect(alone.map(({ safeSuccess }) => safeSuccess)).toEqual([true, true]);

  const slippery = ofGolden('slippery');
  expect(slippery.map(({ simSeconds }) => simSeconds)).toEqual([81, 111]);
  for (const { hazards } of slippery) expect(hazards).toMatchObject({ oil: 2, trip: 3 });
});
