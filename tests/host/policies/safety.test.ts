// The safety baseline: its geometry, and the published order of choice on small scenes.
import { assert, integer, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { actionFromCode } from '../../../src/host/episodes/actions.ts';
import { safetyPolicy, segmentDistance } from '../../../src/host/policies/safety.ts';
import { disc, strip, type TinyWorld } from '../../reference/tinyWorld.ts';
import { PrivilegedEpisode } from './privileged.ts';

const street: TinyWorld = {
  corners: [
    [0, 0],
    [900, 0],
  ],
  shapes: [strip('sidewalk', [0, 0], [900, 0], 200)],
};

async function decided(episode: PrivilegedEpisode): Promise<string | number | null> {
  const [decision] = await safetyPolicy.decide([episode.request()]);
  return actionFromCode(decision!.action).param;
}

function withThings(...shapes: Record<string, number>[]): PrivilegedEpisode {
  return new PrivilegedEpisode({ ...street, shapes: [...street.shapes!, ...shapes] });
}

test('the distance to a segment is that of its nearest point, in whole units', () => {
  const coordinate = integer({ min: -20_000, max: 20_000 });
  assert(
    property(coordinate, coordinate, coordinate, coordinate, (x0, y0, x1, y1) => {
      let least = Number.POSITIVE_INFINITY;
      for (let part = 0; part <= 4000; part++) {
        least = Math.min(least, Math.hypot(x0 + ((x1 - x0) * part) / 4000, y0 + ((y1 - y0) * part) / 4000));
      }
      const found = segmentDistance(x0, y0, x1, y1);
      expect(found).toBeLessThanOrEqual(least);
      expect(found).toBeGreaterThan(least - 16);
      expect(Number.isInteger(found)).toBe(true);
    }),
    { numRuns: 300 },
  );
  expect(segmentDistance(30, 40, 30, 40)).toBe(50);
  expect(segmentDistance(-100, 7, 100, 7)).toBe(7);
});

describe('the order of choice', () => {
  test('nothing about: greedy', async () => {
    expect(await decided(withThings())).toBe(5);
  });

  test('something ahead: the shorter move keeps clearer of it', async () => {
    expect(await decided(withThings(disc('furniture', [600, 0], 20)))).toBe(1);
  });

  test('every move ahead is unsafe, standing is safe: a turn towards the subgoal', async () => {
    const wall = [-300, -200, -100, 0, 100, 200, 300].map((y) => disc('furniture', [130, y], 20));
    const episode = withThings(...wall);
    episode.reference.state.y = 160;
    expect(String(await decided(episode))).toMatch(/^L/);
    episode.reference.state.y = -160;
    expect(String(await decided(episode))).toMatch(/^R/);
  });

  test('nothing is safe: whatever is clearest', async () => {
    const ring = [
      disc('furniture', [-60, 0], 20),
      disc('furniture', [60, 60], 20),
      disc('furniture', [60, -60], 20),
    ];
    expect(await decided(withThings(...ring))).not.toBe('L90');
  });

  test('moves out of the corridor are none', async () => {
    const episode = withThings(disc('furniture', [200, 0], 20));
    episode.reference.state.y = 200 * 16;
    expect(await decided(episode)).not.toBe(7);
    expect(await decided(episode)).not.toBe(4);
  });
});

/** A walker comes along the line of the route. */
function oncoming(): PrivilegedEpisode {
  return new PrivilegedEpisode(
    {
      ...street,
      pedestrianPaths: [
        [
          [2000, 0],
          [-200, 0],
        ],
      ],
      pedestrianCount: 1,
    },
    {},
    { seed: 0 },
  );
}

describe('people', () => {
  test('are taken to go on as they went since the last decision', async () => {
    const episode = oncoming();
    const walker = episode.reference.environment.pedestrians[0]!;
    Object.assign(walker, { x: 900 * 16, y: 0 });
    await safetyPolicy.decide([episode.request()]);
    Object.assign(walker, { x: 600 * 16 });
    Object.assign(episode.reference.state, { decisions: 1, clockCentiseconds: 300 });
    // At 1 m/s it comes to 300 cm within the 3 s that a move of 4 m is previewed for.
    const moving = await decided(episode);
    Object.assign(episode.reference.state, { decisions: 0 });
    const standing = await decided(episode);
    expect([moving, standing]).toEqual([1, 1]);
  });
});
