// The beginning of an episode: counts, places and ranks.
import { describe, expect, test } from 'vitest';
import { permutedRank, randomU32, uniformBelow } from '../../src/kernels/random.ts';
import { within } from './numbers.ts';
import { disc, type TinyWorld, tinyEpisode } from './tinyWorld.ts';

type Path = NonNullable<TinyWorld['dogPaths']>[number];
const seed = 12345;
const line = (y: number, length = 5000): Path => [
  [0, y],
  [length, y],
];

const busy: TinyWorld = {
  corners: [
    [1000, 0],
    [9000, 0],
  ],
  startHeading: 1234,
  pedestrianPaths: [line(1000), line(2000)],
  pedestrianCount: 5,
  dogPaths: [line(3000), line(4000), line(5000), line(6000)],
  falling: [0, 1, 2, 3, 4].map((index) => disc('falling', [index * 100, 0], 20)),
  shapes: [0, 1, 2, 3, 4, 5].map((index) =>
    disc(index % 2 === 0 ? 'ball' : 'box', [index * 100, 9000], 10, index),
  ),
  props: [1, 2, 4],
};

test('the agent stands at the start and awaits a decision', () => {
  const { state, stateHash } = tinyEpisode(busy);
  expect(state).toMatchObject({ x: 16000, y: 0, heading: 1234, subgoal: 1, status: 1, stateHash: 0 });
  expect(state).toMatchObject({
    checkpointX: 16000,
    checkpointY: 0,
    checkpointHeading: 1234,
    checkpointSubgoal: 1,
  });
  expect(state).toMatchObject({ decisions: 0, worldTick: 0, outcome: 0 });
  expect(stateHash).toBe(0);
});

test.each([
  [100, 5, 4, 5, 6],
  [80, 4, 3, 4, 5],
  [60, 3, 2, 3, 4],
])(
  '%i %% is %i pedestrians, %i dogs, %i falling, %i movable',
  (percent, pedestrians, dogs, falling, movableCount) => {
    const { state, actors } = tinyEpisode(busy, {}, { percent });
    expect(state).toMatchObject({ pedestrians, dogs, falling, movableCount, props: 3 });
    expect(actors).toHaveLength(pedestrians + dogs + falling + 3 + 3);
  },
);

test('a class that is off has no slots', () => {
  const { state, actors } = tinyEpisode(busy, {}, { classes: 0 });
  expect(state).toMatchObject({ pedestrians: 0, dogs: 0, falling: 0, props: 0, movableCount: 0 });
  expect(actors).toHaveLength(3);
});

const firstDraw = (k: number) => randomU32(seed, 1, 0, k);

describe('pedestrians', () => {
  test('the first stands where its first draws say', () => {
    const { environment } = tinyEpisode(busy);
    const cycle = uniformBelow(firstDraw(0), 2);
    const segment = uniformBelow(firstDraw(1), 2);
    const along = (500 + uniformBelow(firstDraw(2), 4001)) * 16;
    const y = [16000, 32000][cycle];
    expect(environment.pedestrians[0]).toEqual({
      x: segment === 0 ? along : 80000 - along,
      y,
      link: cycle * 2 + segment,
      along,
      speed: 160,
      status: 1,
      timer: 0,
      mark: 0,
    });
  });

  test('keep 325 cm from each other and the start, and 250 cm from ground objects', () => {
    const crowded: TinyWorld = {
      corners: [
        [2000, 0],
        [9000, 0],
      ],
      pedestrianPaths: [line(0)],
      pedestrianCount: 12,
      shapes: [disc('oil', [3000, 0], 10)],
    };
    for (let number = 0; number < 20; number++) {
      const { environment } = tinyEpisode(crowded, {}, { seed: number, classes: 1 });
      const present = environment.pedestrians.filter(({ status }) => status === 1);
      expect(present.length).toBeGreaterThan(4);
      expect(present.length).toBeLessThan(12);
      present.forEach((pedestrian, index) => {
        expect(within(pedestrian.x - 32000, pedestrian.y, 5200)).toBe(false);
        expect(within(pedestrian.x - 48000, pedestrian.y, 4000)).toBe(false);
        expect(pedestrian.along % 16).toBe(0);
        expect(pedestrian.along).toBeGreaterThanOrEqual(8000);
        expect(pedestrian.along).toBeLessThanOrEqual(72000);
        for (const other of present.slice(0, index)) {
          expect(within(pedestrian.x - other.x, pedestrian.y - other.y, 5200)).toBe(false);
        }
      });
    }
  });

  test('are absent where no segment is long enough', () => {
    const { environment } = tinyEpisode({ ...busy, pedestrianPaths: [line(1000, 999)] });
    expect(environment.pedestrians.map((pedestrian) => Object.values(pedestrian))).toEqual(
      [0, 1, 2, 3, 4].map(() => [0, 0, 0, 0, 0, 0, 0, 0]),
    );
    const short = tinyEpisode({ ...busy, pedestrianPaths: [line(1000, 1000)], pedestrianCount: 1 });
    expect(short.environment.pedestrians[0]).toMatchObject({ along: 8000, status: 1 });
  });

  test('draw anew, four numbers on, where the first place does not fit', () => {
    // Places are 500 to 1500 cm along; the start at 1000 cm keeps 325 cm to both sides free.
    const world: TinyWorld = {
      corners: [
        [1000, 0],
        [9000, 0],
      ],
      pedestrianPaths: [line(0, 2000)],
      pedestrianCount: 1,
    };
    let second = 0;
    for (let number = 0; number < 100; number++) {
      const placeCm = (attempt: number) => {
        const random = (k: number) => randomU32(number, 1, 0, 4 * attempt + k);
        const along = 500 + uniformBelow(random(2), 1001);
        return uniformBelow(random(1), 2) === 0 ? along : 2000 - along;
      };
      const attempt = Array.from({ length: 32 }, (_, index) => index).find(
        (index) => Math.abs(placeCm(index) - 1000) > 325,
      );
      const { environment } = tinyEpisode(world, {}, { seed: number });
      expect(environment.pedestrians[0]!.x).toBe(placeCm(attempt!) * 16);
      if (attempt! > 0) second++;
    }
    expect(second).toBeGreaterThan(30);
  });

  test('may stand at both ends of the range', () => {
    const seen = new Set<number>();
    for (let number = 0; number < 40; number++) {
      const short: TinyWorld = { ...busy, pedestrianPaths: [line(1000, 1001)], pedestrianCount: 1 };
      seen.add(tinyEpisode(short, {}, { seed: number }).environment.pedestrians[0]!.along);
    }
    expect(seen).toEqual(new Set([8000, 8016]));
  });

  test('have one of three speeds where the level says so', () => {
    const { environment } = tinyEpisode(busy, {}, { speedChoices: 3 });
    environment.pedestrians.forEach(({ speed }, index) => {
      expect(speed).toBe([160, 240, 320][uniformBelow(randomU32(seed, 2, index, 0), 3)]);
    });
  });
});

const dogPath = (y: number): Path => [
  [1000, y],
  [3000, y],
];

const world = (parts: Partial<TinyWorld>) => tinyEpisode({ ...busy, shapes: [], props: [], ...parts });

describe('dogs', () => {
  test('take the cycles of their ranks, so that fewer are a prefix of more', () => {
    const all = tinyEpisode(busy, { dogSpeed: 111 }).environment.dogs;
    const key = randomU32(seed, 3, 0, 0);
    all.forEach((dog, slot) => {
      const cycle = permutedRank(slot, 4, key);
      expect(dog).toMatchObject({ x: 0, y: 48000 + 16000 * cycle, along: 0, speed: 111, status: 1 });
      expect(dog.link).toBe(4 + 2 * cycle);
    });
    expect(tinyEpisode(busy, { dogSpeed: 111 }, { percent: 60 }).environment.dogs).toEqual(all.slice(0, 2));
  });

  test('move on to the next segment from the start, a ground object or another dog, or are absent', () => {
    const nearStart = world({ dogPaths: [dogPath(200)] });
    expect(nearStart.environment.dogs[0]).toMatchObject({ x: 48000, status: 1 });
    const clear = world({ dogPaths: [dogPath(201)] });
    expect(clear.environment.dogs[0]).toMatchObject({ x: 16000 });
    const water = disc('water', [1000, 401], 1);
    expect(world({ dogPaths: [dogPath(501)], shapes: [water] }).environment.dogs[0]!.x).toBe(48000);
    expect(world({ dogPaths: [dogPath(502)], shapes: [water] }).environment.dogs[0]!.x).toBe(16000);
    const three = world({ dogPaths: [dogPath(500), dogPath(600), dogPath(700)] }).environment.dogs;
    expect(three.map(({ x, status }) => [x, status])).toEqual([
      [16000, 1],
      [48000, 1],
      [0, 0],
    ]);
  });
});

test('an absent dog keeps nobody away', () => {
  // One dog finds no place and has all fields 0; the other starts a metre from (0, 0).
  const dogPaths = [
    [
      [1000, 100],
      [1000, -100],
    ],
    [
      [100, 0],
      [900, 900],
    ],
  ] as const;
  for (let number = 0; number < 10; number++) {
    const { environment } = tinyEpisode({ corners: busy.corners, dogPaths }, {}, { seed: number });
    expect(environment.dogs.map(({ x }) => x).sort((a, b) => a - b)).toEqual([0, 1600]);
  }
});

test('falling objects hang at the places of their ranks', () => {
  const all = tinyEpisode(busy).environment.falling;
  const key = randomU32(seed, 4, 0, 0);
  all.forEach((object, slot) => {
    const index = permutedRank(slot, 5, key);
    expect(object).toMatchObject({ x: index * 1600, y: 0, link: index, along: 8000, status: 1, timer: 0 });
  });
  expect(new Set(all.map(({ link }) => link)).size).toBe(5);
});

test('props stand where their shapes are, movable by the rank of the map object', () => {
  for (const percent of [60, 80, 100]) {
    const { environment, state } = tinyEpisode(busy, {}, { percent });
    const key = randomU32(seed, 5, 0, 0);
    environment.props.forEach((prop, link) => {
      const mapObject = [1, 2, 4][link]!;
      const isMovable = permutedRank(mapObject, 6, key) < state.movableCount;
      expect(prop).toMatchObject({ x: mapObject * 1600, y: 144000, link, status: isMovable ? 5 : 1 });
    });
  }
});
