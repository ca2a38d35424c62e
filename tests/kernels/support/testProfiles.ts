// The rule sets that tests give to a batch: the bundled profiles, and random ones that combine rules as those never do.
import { compileRules } from '../../../src/host/profiles/compile.ts';
import { type Field, profileFields } from '../../../src/host/profiles/fields.ts';
import { defaultProfileName, loadProfile, parseProfile } from '../../../src/host/profiles/load.ts';
import type { Profile } from '../../../src/host/profiles/schema.ts';
import { randomU32 } from '../../../src/kernels/random.ts';
import { layoutOf, type Rules } from '../../reference/records.ts';

export interface TestProfile {
  readonly name: string;
  /** As the kernels take it. */
  readonly compiled: Int32Array;
  /** As the reference takes it. */
  readonly rules: Rules;
}

type Values = Record<string, number | boolean>;

/** Keeps durations short and distances within what shapes are listed for in the grid (docs/rules.md, section 2). */
const largestValues: Readonly<Record<string, number>> = {
  agentRadiusCm: 100,
  tripHalfWidthCm: 200,
  oilHalfWidthCm: 200,
  waterHalfWidthCm: 200,
  guardHalfWidthCm: 700,
  followGapCm: 400,
  followHalfWidthCm: 200,
  buildingLimit: 4,
  wedgeLimit: 6,
  reachCm: 500,
  reachHalfWidthCm: 400,
};
const largestSeconds = 15;

function testProfile(profile: Profile): TestProfile {
  const compiled = compileRules(profile);
  const rules = layoutOf('Rules').members.map(({ name, word }) => [name, compiled[word]]);
  return { name: profile.name, compiled, rules: Object.fromEntries(rules) };
}

/** A value in the field's range; more often the published one, so that the rules still meet each other. */
function drawValue(
  key: string,
  field: Field,
  known: number | boolean,
  draws: [number, number],
): number | boolean {
  const [choice, place] = draws;
  if (field.unit === 'flag') return choice % 2 === 0;
  if (choice % 3 !== 0) return known;
  const largest = field.unit === 'seconds' ? largestSeconds : (largestValues[key] ?? field.maximum);
  const value = field.minimum + ((Math.min(largest, field.maximum) - field.minimum) * place) / 2 ** 32;
  return field.unit === 'count' || field.unit === 'wholeCm' ? Math.round(value) : Math.ceil(value * 10) / 10;
}

function drawProfile(index: number): Profile {
  const published = loadProfile(defaultProfileName);
  const rules = structuredClone(published.rules) as unknown as Record<string, Values>;
  let number = 0;
  for (const [group, fields] of Object.entries(profileFields)) {
    for (const [key, field] of Object.entries(fields) as [string, Field][]) {
      const draws: [number, number] = [randomU32(index, 2001, number, 0), randomU32(index, 2001, number, 1)];
      rules[group]![key] = drawValue(key, field, rules[group]![key]!, draws);
      number++;
    }
  }
  // Dogs as fast as a profile may have them.
  if (index === 1) rules.walkers!.dogSpeedCmS = profileFields.walkers.dogSpeedCmS.maximum;
  const distances = ['intimateCm', 'personalCm', 'socialCm'];
  const sorted = distances.map((key) => Number(rules.proxemics![key])).sort((a, b) => a - b);
  for (const [place, key] of distances.entries()) rules.proxemics![key] = sorted[place]!;
  return parseProfile({ ...published, name: `random-${index}`, rules }, `random profile ${index}`);
}

export const bundledProfileCount = 2;

/** Index 0 is rt-safe, 1 strict, the others random. [rules] */
export const testProfiles: readonly TestProfile[] = [
  ...['rt-safe', 'strict'].map((name) => testProfile(loadProfile(name))),
  ...Array.from({ length: 8 }, (_, index) => testProfile(drawProfile(index))),
];
