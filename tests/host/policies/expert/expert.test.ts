// The expert on scenes whose best answer is known, beside greedy where that shows that the scene has teeth.
import { describe, expect, test } from 'vitest';
import { expertPolicy } from '../../../../src/host/policies/expert/expertPolicy.ts';
import { Planner } from '../../../../src/host/policies/expert/planner.ts';
import { planLimits } from '../../../../src/host/policies/expert/planSettings.ts';
import { greedyPolicy } from '../../../../src/host/policies/greedy.ts';
import { outcomes } from '../../../reference/environment.ts';
import { disc, strip, type TinyWorld } from '../../../reference/tinyWorld.ts';
import { PrivilegedEpisode } from '../privileged.ts';

const fourMetresAhead = 5;
const firstWait = 14;
/** Walkers' lanes are 200 cm off the middle: with contact at 80 cm there is room between. */
const rules = { humanContact: 1280 };

const sidewalk = strip('sidewalk', [0, 0], [3000, 0], 200);
const street: TinyWorld = {
  corners: [
    [0, 0],
    [3000, 0],
  ],
  shapes: [sidewalk],
};

/** One walker to and fro across the street, as far on as greedy is when it comes by. */
function crossed(at: number): TinyWorld {
  return {
    ...street,
    pedestrianPaths: [
      [
        [at, -700],
        [at, 700],
      ],
    ],
    pedestrianCount: 1,
  };
}

async function both(
  make: () => PrivilegedEpisode,
): Promise<{ expert: PrivilegedEpisode; greedy: PrivilegedEpisode }> {
  const [expert, greedy] = [make(), make()];
  await expert.play(expertPolicy);
  await greedy.play(greedyPolicy);
  return { expert, greedy };
}

test('an empty street: straight ahead, in as few decisions as there are', async () => {
  const episode = new PrivilegedEpisode(street, rules);
  expect(await episode.play(expertPolicy)).toEqual([5, 5, 5, 5, 5, 5, 5]);
  expect(episode.reference.state.outcome).toBe(outcomes.success);
});

test('a corner: one turn, and no step more than needed', async () => {
  const corner: TinyWorld = {
    corners: [
      [0, 0],
      [1000, 0],
      [1000, 1500],
    ],
    shapes: [strip('sidewalk', [0, 0], [1000, 0], 200), strip('sidewalk', [1000, 0], [1000, 1500], 200)],
  };
  const episode = new PrivilegedEpisode(corner, rules);
  const actions = await episode.play(expertPolicy);
  expect(episode.reference.state.outcome).toBe(outcomes.success);
  expect(episode.unsafeEvents).toBe(0);
  expect(actions.length).toBeLessThanOrEqual(8);
});

describe('walkers', () => {
  test.each([1150, 1250, 2050, 2450])('one that crosses at %i cm is let by', async (at) => {
    const seeds = Array.from({ length: 12 }, (_, seed) => seed);
    const results = await Promise.all(
      seeds.map((seed) => both(() => new PrivilegedEpisode(crossed(at), rules, { seed }))),
    );
    for (const { expert } of results) {
      expect(expert.reference.state.outcome).toBe(outcomes.success);
      expect(expert.unsafeEvents).toBe(0);
    }
    expect(results.some(({ greedy }) => greedy.unsafeEvents > 0)).toBe(true);
  });

  test('one that comes along the very line of the route is stepped out of the way of', async () => {
    const world: TinyWorld = {
      ...street,
      pedestrianPaths: [
        [
          [2900, 0],
          [-1500, 0],
        ],
      ],
      pedestrianCount: 1,
    };
    const { expert, greedy } = await both(() => new PrivilegedEpisode(world, rules, { seed: 3 }));
    expect(expert.reference.state.outcome).toBe(outcomes.success);
    expect([expert.unsafeEvents, greedy.unsafeEvents > 0]).toEqual([0, true]);
  });
});

describe('things at rest', () => {
  test.each(['trip', 'oil', 'water'] as const)('goes round %s', async (kind) => {
    const world = { ...street, shapes: [sidewalk, disc(kind, [1300, 0], 30)] };
    const { expert, greedy } = await both(() => new PrivilegedEpisode(world, rules));
    expect(expert.reference.state.outcome).toBe(outcomes.success);
    expect([expert.unsafeEvents, greedy.unsafeEvents > 0]).toEqual([0, true]);
  });

  test.each(['box', 'ball'] as const)('goes round a %s where that counts as touched', async (kind) => {
    const world = { ...street, shapes: [sidewalk, disc(kind, [1300, 0], 30)], props: [1] };
    const { expert, greedy } = await both(
      () => new PrivilegedEpisode(world, { ...rules, setPoseTouches: 1 }),
    );
    expect(expert.reference.state.outcome).toBe(outcomes.success);
    expect([expert.unsafeEvents, greedy.unsafeEvents > 0]).toEqual([0, true]);
  });

  test('is not under a falling object when it comes down', async () => {
    const drops = [600, 900, 1200, 1500, 1800, 2100, 2400].map((x) => disc('falling', [x, 0], 0));
    const make = () =>
      new PrivilegedEpisode({ ...street, falling: drops }, { ...rules, setPoseTouches: 0 }, {}, 0);
    const { expert, greedy } = await both(make);
    expect(expert.reference.state.outcome).toBe(outcomes.success);
    expect([expert.unsafeEvents, greedy.unsafeEvents > 0]).toEqual([0, true]);
  });
});

describe('crossings', () => {
  /** Two vehicle groups: WALK is world ticks 300 to 1019 of a cycle of 1160. */
  const [walkStart, walkEnd, cycle] = [300, 1020, 1160];
  const world: TinyWorld = {
    corners: [
      [-600, 0],
      [0, 0],
      [1400, 0],
      [2000, 0],
    ],
    edgeKinds: ['sidewalk', 'crosswalk', 'sidewalk'],
    shapes: [
      strip('sidewalk', [-600, 0], [0, 0], 200),
      strip('crosswalk', [0, 0], [1400, 0], 210, 2),
      strip('sidewalk', [1400, 0], [2000, 0], 200),
      strip('road', [700, -3000], [700, 3000], 600),
    ],
  };

  /** Plays from a tick of the signals on; the ticks in which the agent steps on the crossing and is over it. */
  async function cross(
    worldTick: number,
  ): Promise<{ episode: PrivilegedEpisode; entered: number; left: number }> {
    const episode = new PrivilegedEpisode(world, rules);
    const { state } = episode.reference;
    state.worldTick = worldTick;
    let [entered, left] = [-1, -1];
    while (!episode.reference.isDone) {
      const before = state.worldTick;
      // oxlint-disable-next-line no-await-in-loop -- a decision follows from the one before
      await episode.play(expertPolicy, 1);
      if (entered < 0 && 20 * state.x > 22_400) entered = before + 30;
      if (left < 0 && 20 * state.x >= 19 * 22_400) left = state.worldTick;
    }
    return { episode, entered: entered % cycle, left: left % cycle };
  }

  test.each([0, 150, 290, 400, 700, 800, 900, 960, 1010, 1100])(
    'from tick %i: enters on WALK only, and is over before it ends',
    async (worldTick) => {
      const { episode, entered, left } = await cross(worldTick);
      expect(episode.reference.state.outcome).toBe(outcomes.success);
      expect(episode.unsafeEvents).toBe(0);
      expect(entered).toBeGreaterThanOrEqual(walkStart);
      expect(left).toBeGreaterThan(entered);
      expect(left).toBeLessThanOrEqual(walkEnd);
    },
  );

  test('greedy walks on a red light there', async () => {
    const episode = new PrivilegedEpisode(world, rules);
    await episode.play(greedyPolicy);
    expect(episode.reference.state.violations[0]).toBeGreaterThan(0);
  });

  test('it waits rather than turns about', async () => {
    const episode = new PrivilegedEpisode(world, rules);
    episode.reference.state.worldTick = walkEnd;
    const actions = await episode.play(expertPolicy);
    expect(actions.filter((action) => action >= firstWait).length).toBeGreaterThan(3);
    expect(actions.filter((action) => action > 7 && action < firstWait)).toEqual([]);
  });
});

describe('the planner', () => {
  /** Forty walkers on four lines of a street. */
  const crowd: TinyWorld = {
    ...street,
    pedestrianPaths: [-150, -50, 50, 150].map((lateral) => [
      [-2500, lateral],
      [4500, lateral],
    ]),
    pedestrianCount: 40,
  };

  test('keeps to its budget where nothing is free, and still goes somewhere', () => {
    const planner = new Planner();
    for (let seed = 0; seed < 20; seed++) {
      const episode = new PrivilegedEpisode(crowd, rules, { seed });
      const action = planner.plan(episode.state(), 1);
      expect(action).toBeGreaterThanOrEqual(1);
      expect(action).toBeLessThanOrEqual(16);
      expect(planner.expansions).toBeLessThanOrEqual(planLimits.expansions);
    }
    expect(planner.expansions).toBeGreaterThan(1);
  });

  test('plans the same whatever it planned before, and wherever in a batch the environment is', () => {
    const used = new Planner();
    for (let seed = 0; seed < 10; seed++) {
      const episode = new PrivilegedEpisode(crowd, rules, { seed });
      const alone = new Planner().plan(episode.state(), 1);
      expect(used.plan(episode.state(), 1)).toBe(alone);
      expect(used.plan(episode.state(5, 16, 8), 1)).toBe(alone);
    }
  });

  test('goes on at once where a thought costs nothing', async () => {
    const episode = new PrivilegedEpisode(street, rules, {}, 0);
    expect(await episode.play(expertPolicy)).toEqual(new Array(7).fill(fourMetresAhead));
  });

  test('a thought of an hour is planned for as well', async () => {
    const episode = new PrivilegedEpisode(street, rules, {}, 360_000);
    expect(await episode.play(expertPolicy, 3)).toEqual([5, 5, 5]);
  });
});
