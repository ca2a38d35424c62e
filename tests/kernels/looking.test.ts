// Who holds for whom (docs/rules.md, section 5.1), against the reference, where the coarse comparison of places could go wrong:
// at the edges of reach, about zero and at the ends of the map, where coarse coordinates wrap, in crowds, with empty slots,
// with numbers of walkers about the sizes of blocks, and with the extremes of what profiles allow.
import { afterAll, describe, expect, test } from 'vitest';
import { openGpu } from '../../src/host/adapters/openGpu.ts';
import { maximumCoordinateCm } from '../../src/host/scenes/schema.ts';
import type { GpuContext } from '../../src/kernels/device.ts';
import { randomU32, uniformBelow } from '../../src/kernels/random.ts';
import { toUnits } from '../../src/kernels/units.ts';
import { actorLimit } from '../../src/kernels/world.ts';
import { softwareAdapters, whyAbsent } from '../host/adapters/softwareAdapters.ts';
import { actorBits, type Environment } from '../reference/environment.ts';
import { holdWalkers } from '../reference/holding.ts';
import { direction, packDirection, unpackDirection, type Vector } from '../reference/numbers.ts';
import { type LookingWalker, type LookScene, runLooks, searches } from './support/lookAround.ts';

const largest = toUnits(2000);
const end = toUnits(maximumCoordinateCm);
const gaps: readonly (readonly [number, number])[] = [
  [1920, 800],
  [6400, 3200],
  [800, 1920],
  [1, 0],
  [0, largest],
  [largest, 0],
  [largest, 16],
  [largest, largest],
];
const counts = [0, 1, 2, 7, 8, 9, 31, 32, 33, 39, 40, 41, 64, 65, 96, 97, actorLimit];

let draws = 0;
function draw(below: number): number {
  return uniformBelow(randomU32(1, 1, draws++, 0), below);
}

function drawBetween(low: number, high: number): number {
  return low + draw(high - low + 1);
}

/** As the reference has it. */
function statusesAfter({ walkers, followGap, followHalfWidth }: LookScene): number[] {
  const actors = walkers.map(({ x, y, status }, link) => ({ x, y, status, link }));
  const segments = walkers.map(({ direction: packed }) => ({ axis: unpackDirection(packed) }));
  holdWalkers({
    walkers: actors,
    rules: { followGap, followHalfWidth },
    route: { segments },
  } as unknown as Environment);
  return actors.map(({ status }) => status);
}

function someone(p: Vector, heading = draw(3600)): LookingWalker {
  const status = actorBits.present | [0, actorBits.touching, actorBits.held][draw(3)]!;
  return { ...p, direction: packDirection(direction(heading)), status };
}

/** Within `spread` of one of the centres along either axis; about one slot in six is empty. */
function crowd(count: number, centres: readonly Vector[], spread: number): LookingWalker[] {
  return Array.from({ length: count }, () => {
    const { x, y } = centres[draw(centres.length)]!;
    const walker = someone({ x: x + drawBetween(-spread, spread), y: y + drawBetween(-spread, spread) });
    return draw(6) === 0 ? { ...walker, status: 0 } : walker;
  });
}

/**
 * Pairs out of each other's way, in each of which one is at the very edge of the box ahead of the other, in or out of it.
 * Every third pair is astride an axis, where coarse coordinates go from their highest to 0.
 */
function edgePairs(count: number, gap: number, halfWidth: number): LookingWalker[] {
  const apart = 4 * (gap + halfWidth) + 1000;
  return Array.from({ length: count >> 1 }, (_, pair) => {
    const heading = [draw(3600), 900 * draw(4), 450 * draw(8)][draw(3)]!;
    const unit = direction(heading);
    const along = [drawBetween(-1, 2), gap + drawBetween(-3, 3)][draw(2)]!;
    const side = (halfWidth + drawBetween(-3, 3)) * [1, -1][draw(2)]!;
    const lattice = { x: ((pair % 12) + 1) * apart, y: (Math.floor(pair / 12) - 6) * apart };
    const astride = [
      { x: drawBetween(-16, 0), y: (pair - 64) * apart },
      { x: (pair - 64) * apart, y: drawBetween(-16, 0) },
    ];
    const p = [lattice, ...astride][pair % 3]!;
    const x = Math.round(p.x + (along * unit.x - side * unit.y) / 16384);
    const y = Math.round(p.y + (along * unit.y + side * unit.x) / 16384);
    const both = [
      someone(p, heading),
      someone({ x, y }, draw(2) === 0 ? (heading + 1800) % 3600 : undefined),
    ];
    return draw(2) === 0 ? both : both.reverse();
  }).flat();
}

/** All present but one, about the place that the coarse comparison gives to an empty slot. */
function aroundEmptySlot(slot: number, gap: number, halfWidth: number): LookingWalker[] {
  const x = Math.round((slot * 128 * period(gap, halfWidth)) / 2 ** 15);
  const walkers = Array.from({ length: actorLimit }, () =>
    someone({ x: x + drawBetween(-gap, gap), y: drawBetween(-gap, gap) }),
  );
  return walkers.with(slot, { ...walkers[slot]!, x, y: 0, status: 0 });
}

/** What the coarse coordinates take for the same place: 2^15 steps of a 31st of about the reach. */
function period(gap: number, halfWidth: number): number {
  const reach = Math.max(gap, halfWidth) + Math.floor((Math.min(gap, halfWidth) * 7) / 16) + 16;
  return 2 ** 32 / Math.floor((31 * 2 ** 17) / reach);
}

function scenes(): LookScene[] {
  return gaps.flatMap(([followGap, followHalfWidth]) => {
    const reach = followGap + followHalfWidth + 1;
    const wrap = Math.round(period(followGap, followHalfWidth));
    const near = [0, -1, wrap / 2].map(Math.round);
    const corners = [-end, 0, end].flatMap((x) => [-end, 0, end].map((y) => ({ x, y })));
    const wrapping = [0, wrap, -wrap, 2 * wrap]
      .filter((x) => Math.abs(x) <= end)
      .flatMap((x) => [0, wrap].filter((y) => y <= end).map((y) => ({ x, y })));
    const casts = [
      ...counts.map((count) => crowd(count, [{ x: near[draw(3)]!, y: near[draw(3)]! }], 4 * reach)),
      ...[reach >> 1, 2 * reach, 8 * reach].flatMap((spread) => [
        crowd(actorLimit, corners, spread),
        crowd(actorLimit, wrapping, spread),
      ]),
      crowd(100, [{ x: -7, y: 7 }], 0),
      crowd(100, [{ x: 0, y: 0 }], 2 * reach).map((walker) => ({ ...walker, x: 0, y: 0, status: 0 })),
      ...Array.from({ length: 6 }, () => edgePairs(actorLimit, followGap, followHalfWidth)),
      ...[0, 9, 200, 254].map((slot) => aroundEmptySlot(slot, followGap, followHalfWidth)),
    ];
    return casts.map((walkers) => ({ followGap, followHalfWidth, walkers }));
  });
}

const all = scenes();
const expected = all.map(statusesAfter);
const contexts: GpuContext[] = [];
afterAll(async () => {
  for (const context of contexts) await context.close();
});

test('the scenes hold some walkers and let others go, in each setting that can', () => {
  for (const [followGap, followHalfWidth] of gaps.filter(([gap]) => gap > 1)) {
    const statuses = expected
      .filter(
        (_, scene) => all[scene]!.followGap === followGap && all[scene]!.followHalfWidth === followHalfWidth,
      )
      .flat();
    const held = statuses.filter((status) => (status & actorBits.held) !== 0).length;
    expect(held, `${followGap}, ${followHalfWidth}`).toBeGreaterThan(20);
    expect(statuses.length - held).toBeGreaterThan(20);
  }
});

describe.for(softwareAdapters)('on %s', (adapter) => {
  test.for(searches)(
    '%s: every walker holds as in the reference',
    { timeout: 120_000 },
    async (search, { skip }) => {
      const absent = whyAbsent(adapter);
      if (absent) skip(absent);
      const { context } = await openGpu(adapter);
      contexts.push(context);
      const found = await runLooks(context, search, actorLimit, all);
      for (const [scene, { followGap, followHalfWidth, walkers }] of all.entries()) {
        const setting = `scene ${scene}: gap ${followGap}, half width ${followHalfWidth}, ${walkers.length} walkers`;
        expect(found[scene], setting).toEqual(expected[scene]);
      }
    },
  );
});
