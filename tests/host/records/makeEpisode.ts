// A whole, valid episode record for tests; `changes` replaces members.
import type { EpisodeRecord } from '../../../src/host/records/episodeRecord.ts';

function none() {
  return { active: 0, passive: 0 };
}

export function noContacts(): EpisodeRecord['contacts'] {
  return { human: none(), object: none(), building: none(), vehicle: none() };
}

export function makeDecision(
  changes: Partial<EpisodeRecord['trace'][number]> = {},
): EpisodeRecord['trace'][number] {
  return {
    action: { type: 'move_to', param: 5 },
    latencySeconds: 1,
    queueSeconds: 0,
    clockSeconds: 3,
    xCm: 9300,
    yCm: -4873.25,
    headingDegrees: 270,
    subgoal: 1,
    events: [],
    stateHash: '0123abcd',
    ...changes,
  };
}

export function makeEpisode(changes: Partial<EpisodeRecord> = {}): EpisodeRecord {
  return {
    run: '0123456789abcdef',
    map: 'rt10',
    route: 0,
    difficulty: 'hard',
    mode: 'realtime',
    profile: 'rt-safe',
    seed: 0,
    policy: 'greedy',
    latency: 'fixed:1',
    outcome: 'success',
    success: true,
    safeSuccess: true,
    decisions: 1,
    simSeconds: 100,
    exposureSeconds: 1,
    travelledCm: 10_000,
    routeLengthCm: 10_000,
    netProgressCm: 10_000,
    longestStall: 0,
    spl: 1,
    ste: 0.5,
    contacts: noContacts(),
    incidents: noContacts(),
    hazards: { trip: 0, oil: 0, water: 0 },
    violations: { redLight: 0, jaywalk: 0 },
    conflictVehicles: { launched: 0, hit: 0 },
    proximitySeconds: { intimate: 0, personal: 0, social: 0 },
    conflicts: { timeToCollisionSeconds: null, postEncroachmentSeconds: null },
    impactSpeedCmS: { maximum: 0 },
    finalStateHash: '0123abcd',
    trace: [makeDecision()],
    ...changes,
  };
}
