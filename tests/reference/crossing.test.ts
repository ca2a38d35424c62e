// Signals, red lights, admission and jaywalking. The crosswalk runs from (0, 0) to (1400 cm, 0) = 22400 units: its painted
// band is 1120 < along < 21280. With two vehicle groups WALK is world ticks 300 to 1019 of a cycle of 1160.
import { describe, expect, test } from 'vitest';
import { admitAlongMove, sampleCrossing, sampleJaywalk } from './crossing.ts';
import type { ReferenceEpisode } from './episode.ts';
import type { Rules } from './records.ts';
import { isOpen } from './signals.ts';
import { strip, type TinyWorld, tinyEpisode } from './tinyWorld.ts';

const redLight = 0;
const jaywalk = 1;
const waitOneSecond = 14;

const crossingWorld: TinyWorld = {
  corners: [
    [-1000, 0],
    [0, 0],
    [1400, 0],
    [3000, 0],
  ],
  edgeKinds: ['sidewalk', 'crosswalk', 'sidewalk'],
  shapes: [
    strip('sidewalk', [-1000, 0], [0, 0], 200),
    strip('crosswalk', [0, 0], [1400, 0], 210, 2),
    strip('crosswalk', [0, 5000], [1400, 5000], 210, 0),
  ],
};
const latch = 2;

function atCrossing(x: number, y = 0, rules: Partial<Rules> = {}): ReferenceEpisode {
  const episode = tinyEpisode(crossingWorld, rules, { classes: 0 });
  Object.assign(episode.state, { x, y, subgoal: 2 });
  return episode;
}

test.each([
  [0, false],
  [299, false],
  [300, true],
  [1019, true],
  [1020, false],
  [1159, false],
  [1160, false],
  [1460, true],
])('at world tick %i a crosswalk of two groups is open: %s', (worldTick, open) => {
  const episode = atCrossing(0);
  episode.state.worldTick = worldTick;
  const crosswalks = episode.environment.route.map.crosswalks;
  expect(isOpen(episode.environment, crosswalks[0]!)).toBe(open);
  expect(isOpen(episode.environment, crosswalks[1]!)).toBe(true);
});

describe('the crossing sample', () => {
  test('counts a red light once, until the agent is behind a curb again', () => {
    const episode = atCrossing(5000);
    episode.decide(waitOneSecond, 0);
    episode.decide(waitOneSecond, 0);
    expect(episode.state).toMatchObject({ illegal: latch, admitted: 0 });
    expect(episode.state.violations[redLight]).toBe(1);
    episode.state.x = 1121;
    episode.decide(0, 0);
    expect(episode.state.illegal).toBe(latch);
    episode.state.x = 1120;
    episode.decide(0, 0);
    expect(episode.state.illegal).toBe(0);
    episode.state.x = 21279;
    episode.decide(0, 0);
    expect(episode.state.violations[redLight]).toBe(2);
    episode.state.x = 21280;
    episode.decide(0, 0);
    expect(episode.state.illegal).toBe(0);
  });

  test('admits on WALK, and the admission outlives it', () => {
    const episode = atCrossing(5000);
    episode.state.worldTick = 1015;
    episode.decide(waitOneSecond, 0);
    expect(episode.state).toMatchObject({ admitted: latch, worldTick: 1025 });
    episode.decide(waitOneSecond, 0);
    expect(episode.state).toMatchObject({ admitted: latch, illegal: 0 });
    expect(episode.state.violations[redLight]).toBe(0);
    episode.state.x = 21280;
    episode.decide(0, 0);
    expect(episode.state.admitted).toBe(0);
  });

  test('leaves the band at its side alone, and a sidewalk goes before it', () => {
    const beside = atCrossing(5000, 3361);
    beside.decide(0, 0);
    expect(beside.state.violations[redLight]).toBe(0);
    beside.state.y = 3360;
    beside.decide(0, 0);
    expect(beside.state.violations[redLight]).toBe(1);

    const shapes = [...crossingWorld.shapes!, strip('sidewalk', [0, 0], [1400, 0], 100)];
    const covered = tinyEpisode({ ...crossingWorld, shapes });
    covered.state.x = 5000;
    covered.decide(0, 0);
    expect(covered.state.violations[redLight]).toBe(0);
  });

  test('an uncontrolled crosswalk is never red', () => {
    const episode = atCrossing(5000, 80000);
    episode.decide(0, 0);
    expect(episode.state).toMatchObject({ admitted: 3, illegal: 0 });
  });

  test('takes the crosswalk of the lowest index', () => {
    const shapes = [
      strip('crosswalk', [0, 0], [1400, 0], 210, 0),
      strip('crosswalk', [0, 0], [1400, 0], 210, 2),
    ];
    const episode = tinyEpisode({ ...crossingWorld, shapes });
    episode.state.x = 5000;
    sampleCrossing(episode.environment, { x: 5000, y: 0 });
    expect(episode.state).toMatchObject({ admitted: 1, illegal: 0 });
  });

  test('is taken at each tick of a move where the profile says so', () => {
    const atEnds = atCrossing(0);
    atEnds.decide(2, 0);
    expect(atEnds.state.violations[redLight]).toBe(0);
    const everyTick = atCrossing(0, 0, { violationEveryTick: 1 });
    everyTick.decide(2, 0);
    expect(everyTick.state.violations[redLight]).toBe(1);
  });
});

function admittedOnMove(fromX: number, y: number, toX: number, worldTick: number): number {
  const { environment, state } = atCrossing(fromX, y);
  Object.assign(state, { moveStartX: fromX, moveStartY: y, moveTargetX: toX, moveTargetY: y, worldTick });
  admitAlongMove(environment);
  return state.admitted;
}

describe('admission at the start of a move', () => {
  test('looks at 21 points of the move, with the guard band of 600 cm to each side', () => {
    expect(admittedOnMove(-3000, 0, 1120, 300)).toBe(0);
    expect(admittedOnMove(-3000, 0, 1121, 300)).toBe(latch);
    expect(admittedOnMove(-3000, 9600, 3000, 300)).toBe(latch);
    expect(admittedOnMove(-3000, 9601, 3000, 300)).toBe(0);
    expect(admittedOnMove(-3000, 0, 3000, 299)).toBe(0);
    expect(admittedOnMove(21270, 0, 23000, 300)).toBe(latch);
    expect(admittedOnMove(23000, 0, 21280, 300)).toBe(0);
    expect(admittedOnMove(23000, 0, 21200, 300)).toBe(latch);
  });

  test('on WALK lets the agent in before the light changes', () => {
    const episode = atCrossing(0);
    episode.state.worldTick = 1015;
    episode.decide(2, 0);
    episode.decide(2, 0);
    expect(episode.state).toMatchObject({ x: 6400, admitted: latch, worldTick: 1035 });
    expect(episode.state.violations[redLight]).toBe(0);
  });

  test('comes after the sample at the start pose, which may still be red', () => {
    const episode = atCrossing(1000);
    episode.state.heading = 0;
    episode.decide(2, 0);
    episode.decide(2, 0);
    expect(episode.state.violations[redLight]).toBe(1);
  });
});

describe('jaywalking', () => {
  const roadWorld: TinyWorld = {
    corners: [
      [0, 700],
      [10000, 700],
    ],
    startHeading: 2700,
    shapes: [
      strip('sidewalk', [0, 700], [10000, 700], 200),
      strip('road', [0, 0], [10000, 0], 600),
      strip('crosswalk', [8000, -700], [8000, 700], 210, 0),
    ],
  };
  const walkIntoRoad = 5;

  function onSidewalk(rules: Partial<Rules> = {}): ReferenceEpisode {
    const episode = tinyEpisode(roadWorld, rules, { classes: 0 });
    episode.state.x = 80000;
    return episode;
  }

  test('counts one excursion, and the next after a safe sample', () => {
    const episode = onSidewalk();
    episode.decide(walkIntoRoad, 0);
    expect(episode.state).toMatchObject({ y: 4800, jaywalking: 1 });
    expect(episode.state.violations[jaywalk]).toBe(1);
    episode.decide(waitOneSecond, 0);
    expect(episode.state.violations[jaywalk]).toBe(1);
    episode.state.heading = 900;
    episode.decide(walkIntoRoad, 0);
    expect(episode.state).toMatchObject({ y: 11200, jaywalking: 0 });
    episode.state.heading = 2700;
    episode.decide(walkIntoRoad, 0);
    expect(episode.state.violations[jaywalk]).toBe(2);
  });

  test('is not sampled by a decision without an action', () => {
    const episode = onSidewalk();
    episode.state.y = 0;
    episode.decide(0, 0);
    expect(episode.state.violations[jaywalk]).toBe(0);
    episode.decide(waitOneSecond, 0);
    expect(episode.state.violations[jaywalk]).toBe(1);
  });

  test('is neither on a sidewalk, nor in a painted band, nor off the road', () => {
    const { environment, state } = onSidewalk();
    const unsafeAt = (x: number, y: number) => {
      sampleJaywalk(environment, { x, y });
      return state.jaywalking;
    };
    expect(unsafeAt(80000, 8000)).toBe(0);
    expect(unsafeAt(80000, 7999)).toBe(1);
    expect(unsafeAt(128000, 0)).toBe(0);
    expect(unsafeAt(128000 + 3361, 0)).toBe(1);
    expect(unsafeAt(80000, -9601)).toBe(0);
    expect(unsafeAt(80000, -9600)).toBe(1);
    expect(unsafeAt(-1, 0)).toBe(0);
    expect(state.violations[jaywalk]).toBe(3);
  });

  test('by tick is sampled on the way, not at the end of the decision', () => {
    const episode = onSidewalk({ violationEveryTick: 1 });
    episode.state.y = 0;
    episode.decide(waitOneSecond, 0);
    expect(episode.state.violations[jaywalk]).toBe(0);
    episode.decide(walkIntoRoad, 0);
    expect(episode.state.violations[jaywalk]).toBe(1);
  });
});
