// The prompt holds the published fields in their order, the same words in both modes, and what each decision brought.
import { expect, test } from 'vitest';
import { turnParameters } from '../../../src/host/episodes/actions.ts';
import type { ImageKind } from '../../../src/host/images/pictures.ts';
import { parseReply } from '../../../src/host/parser/parseReply.ts';
import { pastDecision, type Standing } from '../../../src/host/prompt/feedback.ts';
import { angleTo, type Observation } from '../../../src/host/prompt/observation.ts';
import { buildPrompt, historyLine, systemPrompt } from '../../../src/host/prompt/prompt.ts';
import type { EpisodeEvent } from '../../../src/host/records/episodeRecord.ts';

const observation: Observation = {
  mode: 'realtime',
  decision: 4,
  xCm: 9300,
  yCm: -4873.25,
  headingDegrees: 270,
  speedCmS: 200,
  subgoalXCm: 9300,
  subgoalYCm: -5273.25,
  isFinalSubgoal: false,
  clockSeconds: 12.5,
  past: [],
  images: [],
};

test('the fields stand in the published order', () => {
  const { user } = buildPrompt(observation, 'same');
  const places = [
    'Step 4',
    'Position: (9300.00, -4873.25) cm, speed 200 cm/s, facing (0.000, -1.000)',
    'Subgoal: (9300.00, -5273.25) cm',
    'Distance to the subgoal: 400.00 cm',
    'Angle to the subgoal: 0.00 degrees',
    'Time spent: 12.50 s',
    'Timing: ',
    'Your last steps: none yet',
    'Pictures: none',
    'Traffic rules:',
    'Answer in exactly these three lines:\nAction: ',
  ].map((text) => user.indexOf(text));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((first, second) => first - second));
});

test.each([0, 90, 180, 270])(
  'facing %i degrees, no number that rounds to nothing has a sign',
  (headingDegrees) => {
    const origin = { ...observation, xCm: -0.001, yCm: -0.001, headingDegrees };
    const [x, y] = [Math.cos((headingDegrees * Math.PI) / 180), Math.sin((headingDegrees * Math.PI) / 180)];
    for (const aside of [-0.01, 0.01]) {
      const ahead = { ...origin, subgoalXCm: 1000 * x - aside * y, subgoalYCm: 1000 * y + aside * x };
      const { user } = buildPrompt(ahead, 'same');
      expect(user).toContain('Position: (0.00, 0.00) cm');
      expect(user).toContain('Angle to the subgoal: 0.00 degrees');
      expect(user).not.toMatch(/-0\.0+(?!\d)/);
    }
  },
);

test('both modes get the same words, unless the published timing note is asked for', () => {
  const still = { ...observation, mode: 'static' as const };
  expect(buildPrompt(still, 'same')).toEqual(buildPrompt(observation, 'same'));
  const [inStatic, inRealtime] = [buildPrompt(still, 'mode').user, buildPrompt(observation, 'mode').user];
  expect(inStatic).not.toBe(inRealtime);
  expect(inStatic).toContain('stands still while you think');
  expect(inRealtime).toContain('goes on moving while you think');
});

test('the system prompt names all sixteen actions and the form of a reply, and its echo is no action', () => {
  for (let marker = 1; marker <= 7; marker++)
    expect(systemPrompt).toMatch(new RegExp(`^ {2}${marker}: \\d m`, 'm'));
  for (const turn of turnParameters) expect(systemPrompt).toContain(turn);
  expect(systemPrompt).toContain('wait, with Param 1, 2 or 3');
  expect(systemPrompt).toContain('Action: <move_to, turn_around or wait>\nParam: <its value>\nReasoning: ');
  expect(parseReply(systemPrompt).outcome).toBe('parse-error');
  expect(parseReply(buildPrompt(observation, 'same').user).outcome).toBe('parse-error');
});

test.each<[readonly ImageKind[], string]>([
  [[], 'Pictures: none'],
  [['latest'], 'Pictures: one, your view now, with the markers 1 to 7.'],
  [
    ['earlier', 'earlier', 'earlier', 'latest'],
    'Pictures: 4, in this order: 3 from your last action, half a second apart, oldest first; your view now, with the markers 1 to 7.',
  ],
  [
    ['earlier', 'left', 'right', 'latest'],
    'Pictures: 4, in this order: 1 from your last action; one to your left; one to your right; your view now, with the markers 1 to 7.',
  ],
])('pictures %j', (images, text) => {
  expect(buildPrompt({ ...observation, images }, 'same').user).toContain(text);
});

test.each([
  [0, 100, 0, 0],
  [0, 100, 100, -45],
  [0, 100, -100, 45],
  [0, -100, 0.001, -180],
  [350, 100, 0, -10],
  [10, 100, 0, 10],
])('heading %i to (%d, %d): %d degrees, positive to the left', (heading, x, y, angle) => {
  expect(angleTo(0, 0, heading, x, y)).toBeCloseTo(angle, 2);
});

const standing: Standing = { x: 0, y: 0, heading: 0, subgoal: 1, subgoalX: 16_000, subgoalY: 0 };

function pastOf(
  action: number,
  after: Partial<Standing>,
  events: EpisodeEvent[] = [],
  buildingStreak = 0,
): string {
  const ended = {
    decision: 2,
    action,
    before: standing,
    after: { ...standing, ...after },
    events,
    buildingStreak,
  };
  return historyLine(pastDecision(ended));
}

test.each<[string, string, string]>([
  [
    'a free move',
    pastOf(5, { x: 6400 }),
    'Step 2: move_to 5. Done. Distance 600.00 cm (decreased by 400.00 cm), angle 0.00 degrees.',
  ],
  [
    'a move to the left turns the agent',
    pastOf(3, { x: 2263, y: -2263, heading: 3150 }),
    'Step 2: move_to 3. Done. Distance 870.13 cm (decreased by 129.87 cm), angle -54.35 degrees, off to the right.',
  ],
  [
    'a turn',
    pastOf(10, { heading: 2700 }),
    'Step 2: turn_around L90. Done. Distance 1000.00 cm (changed by 0.00 cm), angle -90.00 degrees, far off: turn to the right.',
  ],
  [
    'the subgoal reached',
    pastOf(5, { x: 6400, subgoal: 2, subgoalX: 6400, subgoalY: 16_000 }),
    'Step 2: move_to 5. You reached the subgoal. Distance 1000.00 cm (to the next subgoal), angle -90.00 degrees, far off: turn to the right.',
  ],
  [
    'no action',
    pastOf(0, {}),
    'Step 2: no action. No action could be read from your reply, so nothing was done. Distance 1000.00 cm (changed by 0.00 cm), angle 0.00 degrees.',
  ],
])('%s', (_, line, expected) => {
  expect(line).toBe(expected);
});

test.each<[string, string, string]>([
  ['blocked', pastOf(5, { x: 1600 }), 'the marker was not reached'],
  ['put back', pastOf(5, { x: -6400 }), 'put back to an earlier place'],
  ['put back aside', pastOf(5, { y: 6400 }), 'put back to an earlier place'],
  [
    'contacts while acting',
    pastOf(14, {}, [
      { kind: 'contact', type: 'human', interval: 'active', count: 2 },
      { kind: 'contact', type: 'object', interval: 'active', count: 1 },
    ]),
    'You hit a person or robot dog and an object.',
  ],
  [
    'a contact while thinking',
    pastOf(14, {}, [{ kind: 'contact', type: 'human', interval: 'passive', count: 1 }]),
    'While you were thinking, a person or robot dog ran into you.',
  ],
  [
    'a building',
    pastOf(5, {}, [{ kind: 'contact', type: 'building', interval: 'active', count: 1 }], 2),
    'took you back to your last safe place (2 of 3 in a row)',
  ],
  [
    'a violation',
    pastOf(14, {}, [{ kind: 'violation', type: 'jaywalk', count: 1 }]),
    'You broke a traffic rule.',
  ],
  ['a fall', pastOf(14, {}, [{ kind: 'hazard', type: 'trip', count: 1 }]), 'You tripped and fell.'],
  ['oil', pastOf(14, {}, [{ kind: 'hazard', type: 'oil', count: 1 }]), 'the next move is slower'],
  ['water', pastOf(14, {}, [{ kind: 'hazard', type: 'water', count: 1 }]), 'You slipped on water.'],
])('feedback: %s', (_, line, expected) => {
  expect(line).toContain(expected);
});

test('a traffic violation does not tell which rule', () => {
  const lines = (['jaywalk', 'red-light'] as const).map((type) =>
    pastOf(14, {}, [{ kind: 'violation', type, count: 1 }]),
  );
  expect(lines[0]).toBe(lines[1]);
});
