// Profiles: the bundled ones in the kernels' integers, every kind of fault, and the signal calibration.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { UsageError } from '../../../src/host/errors.ts';
import { calibrateSignals } from '../../../src/host/profiles/calibrateSignals.ts';
import { compileRules } from '../../../src/host/profiles/compile.ts';
import { profileFields } from '../../../src/host/profiles/fields.ts';
import {
  listBundledProfiles,
  loadProfile,
  parseProfile,
  profileHash,
} from '../../../src/host/profiles/load.ts';
import { profileSchema } from '../../../src/host/profiles/schema.ts';
import { layoutSource } from '../../../src/host/shaderFiles.ts';
import { structLayout } from '../../../src/kernels/layout.ts';

const rulesLayout = structLayout(layoutSource(), 'Rules');
const folder = mkdtempSync(join(tmpdir(), 'rtsafe-profiles-'));
afterAll(() => rmSync(folder, { recursive: true }));

function compiled(name: string): Record<string, number> {
  const words = compileRules(loadProfile(name));
  return Object.fromEntries(rulesLayout.members.map((member) => [member.name, words[member.word]!]));
}

/** The published protocol in units of 1/16 cm and ticks of 0.1 s, worked out by hand. */
const rtSafeRules = {
  agentRadius: 544,
  humanContact: 1280,
  releaseMargin: 80,
  ballContact: 544,
  boxRadius: 960,
  fallingRadius: 480,
  agentHeight: 2880,
  contactRepeatTicks: 20,
  firstPlanning: 0,
  hazardSwept: 1,
  hazardOncePerDecision: 1,
  violationEveryTick: 0,
  tripHalfWidth: 1312,
  oilHalfWidth: 1440,
  waterHalfWidth: 1440,
  hazardRearm: 7200,
  contactPenaltyTicks: 60,
  tripPenaltyTicks: 60,
  buildingPenaltyTicks: 30,
  wedgePenaltyTicks: 30,
  buildingLimit: 3,
  wedgeLimit: 10,
  reachDistance: 4000,
  reachHalfWidth: 3360,
  followGap: 1920,
  followHalfWidth: 800,
  patienceTicks: 60,
  passingTicks: 30,
  fallingTrigger: 5600,
  fallingDelayTicks: 10,
  fallingHeight: 8000,
  gravity: 157,
  pushSpeedBall: 320,
  pushSpeedBox: 128,
  frictionBall: 16,
  frictionBox: 32,
  greenTicks: 100,
  yellowTicks: 30,
  allRedTicks: 20,
  walkTicks: 720,
  clearanceTicks: 140,
  vehicleSpeed: 720,
  vehicleImpact: 1600,
  vehicleWaitTicks: 120,
  vehicleLifeTicks: 120,
  vehicleRange: 35200,
  launchMinimumCm: 300,
  launchSpanCm: 600,
  laneOffset: 6400,
  guardHalfWidth: 9600,
  clearanceIntimate: 720,
  clearancePersonal: 1920,
  clearanceSocial: 5760,
  dogSpeed: 160,
  setPoseTouches: 0,
  dogsRepeat: 0,
};

test('rt-safe compiles to the published protocol', () => {
  expect(compiled('rt-safe')).toEqual(rtSafeRules);
});

test('strict is the same world, counted properly', () => {
  const counting = {
    contactRepeatTicks: 0,
    firstPlanning: 1,
    setPoseTouches: 1,
    dogsRepeat: 1,
    hazardSwept: 1,
    hazardOncePerDecision: 0,
    violationEveryTick: 1,
  };
  expect(compiled('strict')).toEqual({ ...rtSafeRules, ...counting });
});

test('every member of struct Rules has exactly one rule', () => {
  const members = Object.values(profileFields).flatMap((group) =>
    Object.values(group).map((field: { member: string }) => field.member),
  );
  const layout = rulesLayout.members.map(({ name }) => name).filter((name) => !name.startsWith('spare'));
  expect(members.sort()).toEqual(layout.sort());
});

test('a profile is found by name or by path, and its hash does not depend on its layout', () => {
  expect(listBundledProfiles()).toEqual(expect.arrayContaining(['rt-safe', 'strict']));
  const profile = loadProfile('rt-safe');
  const file = join(folder, 'copy.json');
  const { rules, ...head } = profile;
  const shuffled = { rules, ...head };
  writeFileSync(file, JSON.stringify(shuffled, null, 8));
  expect(profileHash(loadProfile(file))).toBe(profileHash(profile));
  expect(profileHash(profile)).toMatch(/^[0-9a-f]{64}$/);
  expect(profileHash(loadProfile('strict'))).not.toBe(profileHash(profile));
});

test('the JSON schema beside the profiles is up to date', async () => {
  const schema = `${JSON.stringify(z.toJSONSchema(profileSchema), null, 2)}\n`;
  await expect(schema).toMatchFileSnapshot('../../../scenes/profiles/profile.schema.json');
});

test('the signal times of the bundled profiles are calibrated for a crosswalk of 14 m', () => {
  expect(calibrateSignals(14)).toEqual({ walkSeconds: 72, clearanceSeconds: 14 });
  expect(loadProfile('rt-safe').rules.signals).toMatchObject(calibrateSignals(14));
  expect(loadProfile('strict').rules.signals).toMatchObject(calibrateSignals(14));
});

test.each([
  [0, 65, 5],
  [5, 68, 5],
  [10, 70, 10],
  [20, 75, 19],
])('calibrateSignals(%f)', (metres, walkSeconds, clearanceSeconds) => {
  expect(calibrateSignals(metres)).toEqual({ walkSeconds, clearanceSeconds });
});

interface AnyProfile {
  [key: string]: unknown;
  rules: Record<string, Record<string, unknown>>;
}

describe('a faulty profile is one line with file, path, found and allowed', () => {
  test.each<[string, (profile: AnyProfile) => void, string]>([
    [
      'wrong type',
      (profile) => {
        profile.rules.signals!.walkSeconds = '72';
      },
      'x.json: rules.signals.walkSeconds: found "72", allowed is a number of seconds, in tenths, from 0 to 3600',
    ],
    [
      'not a whole tick',
      (profile) => {
        profile.rules.signals!.walkSeconds = 0.25;
      },
      'x.json: rules.signals.walkSeconds: found 0.25, allowed is a number of seconds, in tenths, from 0 to 3600',
    ],
    [
      'out of range',
      (profile) => {
        profile.rules.conflictVehicle!.impactCm = 126;
      },
      'x.json: rules.conflictVehicle.impactCm: found 126, allowed is a number of centimetres from 1 to 125',
    ],
    [
      'missing',
      (profile) => {
        delete profile.rules.hazards!.swept;
      },
      'x.json: rules.hazards.swept: found nothing, allowed is true or false',
    ],
    [
      'unknown key',
      (profile) => {
        profile.rules.route!.reach = 1;
      },
      'x.json: rules.route: found the unknown key "reach", allowed is an object with the keys "reachCm", "reachHalfWidthCm"',
    ],
    [
      'not whole',
      (profile) => {
        profile.rules.penalties!.wedgeLimit = 1.5;
      },
      'x.json: rules.penalties.wedgeLimit: found 1.5, allowed is a whole number from 1 to 1000000',
    ],
    [
      'distances out of order',
      (profile) => {
        profile.rules.proxemics!.intimateCm = 130;
      },
      'x.json: rules.proxemics: found {"intimateCm":130,"personalCm":120,"socialCm":360}, allowed is intimateCm at most personalCm, and that at most socialCm',
    ],
    [
      'wrong format',
      (profile) => {
        profile.format = 'rtsafe-scene';
      },
      'x.json: format: found "rtsafe-scene", allowed is "rtsafe-profile"',
    ],
  ])('%s', (_, spoil, message) => {
    const profile = structuredClone(loadProfile('rt-safe')) as unknown as AnyProfile;
    spoil(profile);
    expect(() => parseProfile(profile, 'x.json')).toThrow(new UsageError(message));
  });

  test('files and names', () => {
    const file = join(folder, 'broken.json');
    writeFileSync(file, '{"format": }');
    expect(() => loadProfile(file)).toThrow(/broken\.json: found text that is not JSON \(Unexpected token/);
    writeFileSync(file, '');
    expect(() => loadProfile(file)).toThrow(/found nothing, allowed is JSON/);
    writeFileSync(file, new Uint8Array([0xff, 0xfe]));
    expect(() => loadProfile(file)).toThrow(/not UTF-8/);
    expect(() => loadProfile(join(folder, 'none.json'))).toThrow(/none\.json: found no such file/);
    expect(() => loadProfile(`${folder}/`)).toThrow(/found a folder/);
    const unknown = /profile: found "city9", allowed is .*rt-safe, strict or the path of a \.json file/;
    expect(() => loadProfile('city9')).toThrow(unknown);
    expect(() => loadProfile('city9')).toThrow(UsageError);
    expect(() => parseProfile(null, 'x.json')).toThrow(/x\.json: the whole file: found null/);
  });
});
