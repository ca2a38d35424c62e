// The files that bench/native/main.c reads and writes: 32-bit words, little-endian, in the order of the structs in
// bench/native/walkers.h.
import { structLayout } from '../../../kernels/layout.ts';
import { actorWords, type WorldTables } from '../../../kernels/world.ts';
import { layoutSource } from '../../shaderFiles.ts';
import type { BenchEnvironment } from '../benchDevice.ts';

const formatVersion = 1;

/** Members of `struct Rules` that walkers need, in the order of the C struct. */
const walkerRules = [
  'humanContact',
  'releaseMargin',
  'contactRepeatTicks',
  'followGap',
  'followHalfWidth',
  'patienceTicks',
  'passingTicks',
  'clearanceIntimate',
  'clearancePersonal',
  'clearanceSocial',
  'setPoseTouches',
  'dogsRepeat',
] as const;

/** What happened to the walkers of one environment, in the order of the C struct `Counts`. */
export const countNames = [
  'human contacts',
  'human incidents',
  'close ticks, intimate',
  'close ticks, personal',
  'close ticks, social',
  'largest impact',
  'sum of impacts',
] as const;

export interface WalkersAfter {
  /** In the order of `countNames`. */
  readonly counts: readonly number[];
  /** [slot, word] */
  readonly walkers: Int32Array;
}

/** Episodes that have just started, and how long each is to run, [environment]. */
export interface Scenarios {
  readonly world: WorldTables;
  readonly rules: Int32Array;
  readonly starts: readonly BenchEnvironment[];
  readonly ticks: readonly number[];
}

export function encodeScenarios({ world, rules, starts, ticks }: Scenarios): Int32Array {
  const source = layoutSource();
  const rulesLayout = structLayout(source, 'Rules');
  const routeLayout = structLayout(source, 'Route');
  const segmentWords = structLayout(source, 'PathSegment').words;
  const environments = starts.flatMap(({ member, walkers }, env) => [
    world.routes[member('route')[0]! * routeLayout.words + routeLayout.word('segments')]!,
    member('x')[0]!,
    member('y')[0]!,
    member('pedestrians')[0]!,
    walkers.length / actorWords,
    ticks[env]!,
  ]);
  const parts: ArrayLike<number>[] = [
    [formatVersion, starts.length, world.segments.length / segmentWords],
    walkerRules.map((name) => rules[rulesLayout.word(name)]!),
    world.segments,
    environments,
    ...starts.map(({ walkers }) => walkers),
  ];
  const words = new Int32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let place = 0;
  for (const part of parts) {
    words.set(part, place);
    place += part.length;
  }
  return words;
}

/** [environment] */
export function decodeResult(words: Int32Array, { starts }: Scenarios): WalkersAfter[] {
  let place = starts.length * countNames.length;
  return starts.map(({ walkers }, env) => {
    const first = env * countNames.length;
    const after = words.slice(place, place + walkers.length);
    place += walkers.length;
    return {
      counts: Array.from(words.subarray(first, first + countNames.length), (count) => count >>> 0),
      walkers: after,
    };
  });
}

/** The same of an environment of a batch, whose agent has stood still. */
export function walkersOf({ member, walkers }: BenchEnvironment): WalkersAfter {
  // [type: human first][interval: active, passive]
  const bothIntervals = (name: string) => member(name)[0]! + member(name)[1]!;
  const counts = [
    bothIntervals('contacts'),
    bothIntervals('incidents'),
    ...member('closeTicks'),
    member('impactMaximum')[0]!,
    member('impactSum')[0]!,
  ];
  return { counts, walkers };
}
