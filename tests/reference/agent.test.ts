// The agent's steps: what refuses them off the route, and what counts as entered on it. Moves go 320 units a tick from
// (16000, y); y = 6400 (4 m) is off the route, so that the move is physical.
import { describe, expect, test } from 'vitest';
import { direction, packDirection } from './numbers.ts';
import type { Rules } from './records.ts';
import { building, disc, type TinyWorld, tinyEpisode } from './tinyWorld.ts';

const objectActive = 2;
const buildingActive = 4;
const noPenalties: Partial<Rules> = { contactPenaltyTicks: 0, buildingPenaltyTicks: 0, wedgeLimit: 100 };
const move200 = 2;

/** The agent on or off the route, among the shapes and paths given. */
function episodeOf(parts: Partial<TinyWorld>, place: 'on' | 'off', rules: Partial<Rules> = {}) {
  const episode = tinyEpisode(
    {
      corners: [
        [1000, 0],
        [9000, 0],
      ],
      ...parts,
    },
    { ...noPenalties, ...rules },
  );
  episode.state.y = place === 'on' ? 0 : 6400;
  return episode;
}

/** Boxes that cannot be pushed, 110 cm ahead, off the route. */
function behindBoxes(count: number) {
  const shapes = Array.from({ length: count }, () => disc('box', [1110, 400], 40));
  const episode = episodeOf({ shapes, props: [...shapes.keys()] }, 'off');
  for (const prop of episode.environment.props) prop.status = 1;
  return episode;
}

describe('a physical move', () => {
  test('is what leaves the corridor at its start or at its end', () => {
    const off = episodeOf({}, 'off');
    off.decide(move200, 0);
    expect([off.state.physical, off.state.x, off.state.travelled]).toEqual([1, 19200, 3200]);
    const on = episodeOf({}, 'on');
    on.state.y = 3200;
    on.decide(move200, 0);
    expect(on.state.physical).toBe(0);
    on.state.x = 60000;
    on.state.heading = 900;
    on.decide(move200, 0);
    expect(on.state.physical).toBe(1);
  });

  test('ends at a fixed box: one contact, one incident, the agent stays', () => {
    const episode = behindBoxes(1);
    episode.decide(move200, 0);
    // Contact distance 480 + 640: 16640 is 1120 from 17760.
    expect(episode.state).toMatchObject({ x: 16320, moveStop: 1, moveTick: 10, travelled: 320, pressing: 1 });
    expect(episode.state.contacts[objectActive]).toBe(1);
    expect(episode.state.incidents[objectActive]).toBe(1);
    expect(episode.state.decisionContacts).toBe(1);
  });

  test('pressing on counts contacts but no new incident, until the agent moves again', () => {
    const episode = behindBoxes(1);
    episode.decide(move200, 0);
    episode.decide(move200, 0);
    expect(episode.state.contacts[objectActive]).toBe(2);
    expect(episode.state.incidents[objectActive]).toBe(1);
    episode.state.heading = 1800;
    episode.decide(1, 0);
    expect(episode.state).toMatchObject({ x: 14720, pressing: 0 });
    episode.state.heading = 0;
    episode.decide(move200, 0);
    expect(episode.state.contacts[objectActive]).toBe(3);
    expect(episode.state.incidents[objectActive]).toBe(2);
  });

  test('two objects that refuse one step are two contacts and one incident', () => {
    const episode = behindBoxes(2);
    episode.decide(move200, 0);
    expect(episode.state.contacts[objectActive]).toBe(2);
    expect(episode.state.incidents[objectActive]).toBe(1);
  });

  test('goes past furniture, which is a contact and an incident when entered', () => {
    const episode = episodeOf({ shapes: [disc('furniture', [1100, 400], 30)] }, 'off', { setPoseTouches: 0 });
    episode.decide(move200, 0);
    expect(episode.state.x).toBe(19200);
    expect(episode.state.contacts[objectActive]).toBe(1);
    expect(episode.state.incidents[objectActive]).toBe(1);
  });

  test('out of something solid is not refused', () => {
    const episode = episodeOf({ shapes: [disc('furniture', [990, 400], 30)] }, 'off');
    episode.decide(move200, 0);
    expect(episode.state.x).toBe(19200);
    expect(episode.state.contacts[objectActive]).toBe(0);
  });

  test('ends at a box that cannot be pushed, and rolls one that can', () => {
    const parts = { shapes: [disc('box', [1100, 400], 40)], props: [0] };
    const fixed = episodeOf(parts, 'off');
    fixed.environment.props[0]!.status = 1;
    fixed.decide(move200, 0);
    // 480 + 640: 16640 would be 960 away.
    expect(fixed.state).toMatchObject({ x: 16320, pressing: 1 });
    expect([fixed.state.contacts[objectActive], fixed.state.incidents[objectActive]]).toEqual([1, 1]);

    const movable = episodeOf(parts, 'off');
    movable.environment.props[0]!.status = 5;
    movable.decide(move200, 0);
    expect(movable.state.x).toBe(19200);
    expect(movable.environment.props[0]!.x).toBeGreaterThan(17600);
  });

  test('goes past a fallen object, which counts, and under a hanging one', () => {
    const parts = { falling: [disc('falling', [1100, 400], 20)] };
    const landed = episodeOf(parts, 'off');
    landed.environment.falling[0]!.status = 1 | (3 << 4);
    landed.environment.falling[0]!.along = 0;
    landed.decide(move200, 0);
    expect(landed.state.x).toBe(19200);
    expect(landed.state.contacts[objectActive]).toBe(1);

    const hanging = episodeOf(parts, 'off', { fallingTrigger: -1 });
    hanging.decide(move200, 0);
    expect(hanging.state.x).toBe(19200);
    expect(hanging.state.contacts[objectActive]).toBe(0);
  });

  test('ends at a person, who counts as pressed; not at one who passes through', () => {
    const parts = {
      pedestrianPaths: [
        [
          [0, 400],
          [5000, 400],
        ],
      ],
      pedestrianCount: 1,
    } as const;
    const standing = { x: 18000, y: 6400, link: 0, along: 18000, speed: 0, status: 1 };
    const episode = episodeOf(parts, 'off');
    Object.assign(episode.environment.pedestrians[0]!, standing);
    episode.decide(move200, 0);
    // 16320 is 1680 away, 16640 would be 1360.
    expect(episode.state).toMatchObject({ x: 16320, moveStop: 1, impactMaximum: 320, pressing: 0 });
    expect([episode.state.contacts[0], episode.state.incidents[0]]).toEqual([1, 1]);
    expect(episode.environment.pedestrians[0]).toMatchObject({ mark: 0 });

    const passing = episodeOf(parts, 'off');
    Object.assign(passing.environment.pedestrians[0]!, standing, { timer: -50 });
    passing.decide(move200, 0);
    expect(passing.state.x).toBe(19200);
    expect(passing.state.incidents[0]).toBe(1);
  });

  test('ends at a wall grown by the agent radius', () => {
    const episode = episodeOf({ shapes: [building([1125, 0], 500, 1000)] }, 'off', { buildingLimit: 9 });
    episode.state.checkpointX = 5;
    episode.decide(move200, 0);
    // The wall is at 18000, grown 17520: 17280 is free, 17600 is not.
    expect(episode.state).toMatchObject({ travelled: 1280, moveStop: 0, pressing: 2, x: 5 });
    expect([episode.state.contacts[buildingActive], episode.state.incidents[buildingActive]]).toEqual([1, 1]);
  });

  test('inside a wall only a step towards its centre is refused', () => {
    // The rectangle is x 15200..20000, y 0..16000; its centre is (17600, 8000).
    const shapes = [building([950, 0], 300, 1000)];
    const inwards = episodeOf({ shapes }, 'off');
    inwards.decide(move200, 0);
    expect(inwards.state.contacts[buildingActive]).toBe(1);
    const outwards = episodeOf({ shapes }, 'off');
    outwards.state.heading = 1800;
    outwards.decide(move200, 0);
    expect(outwards.state).toMatchObject({ x: 12800 });
    expect(outwards.state.contacts[buildingActive]).toBe(0);
  });
});

describe('a move on the route', () => {
  test('is not refused; each piece of furniture entered is a contact and an incident', () => {
    const shapes = [disc('furniture', [1100, 0], 30), disc('furniture', [1150, 20], 30)];
    const episode = episodeOf({ shapes }, 'on');
    episode.decide(move200, 0);
    expect(episode.state).toMatchObject({ x: 19200, physical: 0, pressing: 0, decisionContacts: 2 });
    expect([episode.state.contacts[objectActive], episode.state.incidents[objectActive]]).toEqual([2, 2]);
  });

  test('two buildings entered in one tick are one contact and one incident', () => {
    const shapes = [building([1125, -100], 100, 200), building([1125, -100], 100, 200)];
    const episode = episodeOf({ shapes }, 'on');
    episode.decide(move200, 0);
    expect([episode.state.contacts[buildingActive], episode.state.incidents[buildingActive]]).toEqual([1, 1]);
    expect(episode.state.decisionBuilding).toBe(1);
  });

  test('goes through people, who are touched', () => {
    const episode = episodeOf(
      {
        pedestrianPaths: [
          [
            [0, 0],
            [5000, 0],
          ],
        ],
        pedestrianCount: 1,
      },
      'on',
    );
    const walker = { x: 18000, y: 0, link: 0, along: 18000, speed: 0, status: 1 };
    Object.assign(episode.environment.pedestrians[0]!, walker);
    episode.decide(move200, 0);
    expect(episode.state.x).toBe(19200);
    expect(episode.state.incidents[0]).toBe(1);
  });
});

describe('a pose that is set (setPoseTouches 0)', () => {
  const set: Partial<Rules> = { setPoseTouches: 0 };

  test('touches no furniture, building or ball that stands on the way', () => {
    const shapes = [
      disc('furniture', [1100, 0], 30),
      disc('ball', [1150, 0], 20),
      building([1100, -50], 100, 100),
    ];
    const episode = episodeOf({ shapes, props: [1] }, 'on', set);
    episode.decide(5, 0);
    expect(episode.state.x).toBe(16000 + 6400);
    expect(episode.state.contacts).toEqual(new Array(8).fill(0));
  });

  test('is touched by a ball that rolls into it', () => {
    const episode = episodeOf({ shapes: [disc('ball', [1100, 0], 20)], props: [0] }, 'on', set);
    const [ball] = episode.environment.props;
    ball!.speed = 320;
    ball!.timer = packDirection(direction(1800));
    episode.decide(14, 0);
    expect(episode.state.contacts[objectActive]).toBe(1);
  });
});
