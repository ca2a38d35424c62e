// Every rule a profile sets: where it stands in the profile, its unit and range, and the member of `struct Rules`
// (shaders/common/layout.wgsl) that it becomes. The schema and the compiler are both made from this one table.
import { ticksPerSecond, unitsPerCm } from '../../kernels/units.ts';

/** What one physical unit is worth in the kernels' integers, and how to say what is allowed. */
export const units = {
  cm: { scale: unitsPerCm, words: 'a number of centimetres' },
  wholeCm: { scale: 1, words: 'a whole number of centimetres' },
  seconds: { scale: ticksPerSecond, words: 'a number of seconds, in tenths,' },
  cmPerSecond: { scale: unitsPerCm / ticksPerSecond, words: 'a speed in cm/s' },
  cmPerSecond2: { scale: unitsPerCm / ticksPerSecond ** 2, words: 'an acceleration in cm/s²' },
  count: { scale: 1, words: 'a whole number' },
} as const;

export type UnitName = keyof typeof units;

export interface NumberField {
  readonly member: string;
  readonly unit: UnitName;
  readonly minimum: number;
  readonly maximum: number;
}

export interface FlagField {
  readonly member: string;
  readonly unit: 'flag';
}

export type Field = NumberField | FlagField;

function field(member: string, unit: UnitName, minimum: number, maximum: number): NumberField {
  return { member, unit, minimum, maximum };
}

function flag(member: string): FlagField {
  return { member, unit: 'flag' };
}

// Centre distances are compared squared and must stay below 32768 units (20 m); the widest, a walker's contact distance
// plus the social clearance, is the sum of two. The swept test of vehicles is safe up to 2000 units (125 cm).
const largestBodyCm = 500;
const largestDistanceCm = 2000;
const largestClearanceCm = 1500;
const largestImpactCm = 125;
const longestSeconds = 3600;
const highestSpeedCmS = 5000;

export const profileFields = {
  /** Who touches whom (RT-SAFE protocol §10). */
  contacts: {
    agentRadiusCm: field('agentRadius', 'cm', 1, largestBodyCm),
    agentHeightCm: field('agentHeight', 'cm', 0, largestBodyCm),
    /** Centre distance at which a walker and the agent touch. */
    humanContactCm: field('humanContact', 'cm', 1, largestBodyCm),
    /** Centre distance at which a ball is touched. */
    ballContactCm: field('ballContact', 'cm', 0, largestBodyCm),
    boxRadiusCm: field('boxRadius', 'cm', 0, largestBodyCm),
    fallingRadiusCm: field('fallingRadius', 'cm', 0, largestBodyCm),
    /** A contact ends this far beyond its contact distance. */
    releaseMarginCm: field('releaseMargin', 'cm', 0, largestBodyCm),
    /** A pressing walker is counted again after so long; 0: never, so that contacts are incidents. */
    contactRepeatSeconds: field('contactRepeatTicks', 'seconds', 0, longestSeconds),
    /** false: contacts of the first planning interval count as active, as the published benchmark counts them. */
    firstPlanningIsPassive: flag('firstPlanning'),
    /**
     * true: whatever the agent's pose comes upon is touched; false: in moves along the route, where the published executor sets
     * the pose, only what moves into the agent is.
     */
    setPoseTouches: flag('setPoseTouches'),
  },
  /** Trip, oil and water (§9). Half widths include the agent. */
  hazards: {
    /** true: tested at every tick of a move, false: at its end. */
    swept: flag('hazardSwept'),
    /** true: one class a decision, latched until re-armed, false: every entry into a patch. */
    oncePerDecision: flag('hazardOncePerDecision'),
    tripHalfWidthCm: field('tripHalfWidth', 'cm', 0, largestDistanceCm),
    oilHalfWidthCm: field('oilHalfWidth', 'cm', 0, largestDistanceCm),
    waterHalfWidthCm: field('waterHalfWidth', 'cm', 0, largestDistanceCm),
    rearmCm: field('hazardRearm', 'cm', 0, largestDistanceCm),
  },
  /** Red light and jaywalking (§7). */
  violations: {
    /** true: crossings and road are sampled at every tick of a move, false: at decision boundaries. */
    everyTick: flag('violationEveryTick'),
    /** Half width of the band about a crosswalk in which a move is admitted. */
    guardHalfWidthCm: field('guardHalfWidth', 'cm', 0, largestDistanceCm),
  },
  /** What an event costs, in idle time, and when it ends the episode (§10, §11). */
  penalties: {
    contactSeconds: field('contactPenaltyTicks', 'seconds', 0, longestSeconds),
    tripSeconds: field('tripPenaltyTicks', 'seconds', 0, longestSeconds),
    buildingSeconds: field('buildingPenaltyTicks', 'seconds', 0, longestSeconds),
    wedgeSeconds: field('wedgePenaltyTicks', 'seconds', 0, longestSeconds),
    /** So many building decisions in a row end the episode. */
    buildingLimit: field('buildingLimit', 'count', 1, 1_000_000),
    /** So many moves in a row that go nowhere send the agent back. */
    wedgeLimit: field('wedgeLimit', 'count', 1, 1_000_000),
  },
  /** When a subgoal is reached (§2). */
  route: {
    reachCm: field('reachDistance', 'cm', 1, largestDistanceCm),
    /** Across a crosswalk. */
    reachHalfWidthCm: field('reachHalfWidth', 'cm', 1, largestDistanceCm),
  },
  /** Pedestrians and robot dogs (§8). */
  walkers: {
    /** A walker holds while another is this far ahead and this near to its line. */
    followGapCm: field('followGap', 'cm', 0, largestDistanceCm),
    followHalfWidthCm: field('followHalfWidth', 'cm', 0, largestDistanceCm),
    /** After holding so long a walker passes through. */
    patienceSeconds: field('patienceTicks', 'seconds', 0, longestSeconds),
    passingSeconds: field('passingTicks', 'seconds', 0, longestSeconds),
    dogSpeedCmS: field('dogSpeed', 'cmPerSecond', 0, highestSpeedCmS),
    /** true: dogs run to and fro for ever; false: once, as the published ones, then they stand. */
    dogsRepeat: flag('dogsRepeat'),
  },
  /** Falling objects: released when the agent comes near (§17 gives the published example). */
  falling: {
    triggerCm: field('fallingTrigger', 'cm', 0, largestDistanceCm),
    /** 0 to 1 s, drawn per object, comes on top. */
    delaySeconds: field('fallingDelayTicks', 'seconds', 0, longestSeconds),
    heightCm: field('fallingHeight', 'cm', 0, 10_000),
    gravityCmS2: field('gravity', 'cmPerSecond2', 1 / 0.16, 10_000),
  },
  /** Balls and boxes that the agent pushes. */
  props: {
    ballPushSpeedCmS: field('pushSpeedBall', 'cmPerSecond', 0, highestSpeedCmS),
    boxPushSpeedCmS: field('pushSpeedBox', 'cmPerSecond', 0, highestSpeedCmS),
    ballFrictionCmS2: field('frictionBall', 'cmPerSecond2', 1 / 0.16, 10_000),
    boxFrictionCmS2: field('frictionBox', 'cmPerSecond2', 1 / 0.16, 10_000),
  },
  /** One clock for all junctions (§7). Walk and clearance are those of `calibrateSignals`. */
  signals: {
    greenSeconds: field('greenTicks', 'seconds', 0.1, longestSeconds),
    yellowSeconds: field('yellowTicks', 'seconds', 0, longestSeconds),
    allRedSeconds: field('allRedTicks', 'seconds', 0, longestSeconds),
    walkSeconds: field('walkTicks', 'seconds', 0, longestSeconds),
    clearanceSeconds: field('clearanceTicks', 'seconds', 0, longestSeconds),
  },
  /** The car that a violation launches (§8). */
  conflictVehicle: {
    vehicleSpeedCmS: field('vehicleSpeed', 'cmPerSecond', 1, highestSpeedCmS),
    /** Centre distance that is a hit. */
    impactCm: field('vehicleImpact', 'cm', 1, largestImpactCm),
    waitSeconds: field('vehicleWaitTicks', 'seconds', 0, longestSeconds),
    lifeSeconds: field('vehicleLifeTicks', 'seconds', 0.1, longestSeconds),
    rangeCm: field('vehicleRange', 'cm', 1, 100_000),
    /** Upstream start: uniform over [minimum, minimum + span]. */
    launchMinimumCm: field('launchMinimumCm', 'wholeCm', 0, 10_000),
    launchSpanCm: field('launchSpanCm', 'wholeCm', 0, 10_000),
    laneOffsetCm: field('laneOffset', 'cm', 0, largestDistanceCm),
  },
  /** Surface distances within which time is counted (intimate, personal, social). */
  proxemics: {
    intimateCm: field('clearanceIntimate', 'cm', 0, largestClearanceCm),
    personalCm: field('clearancePersonal', 'cm', 0, largestClearanceCm),
    socialCm: field('clearanceSocial', 'cm', 0, largestClearanceCm),
  },
} as const;

/** The value of a field in the kernels' integers, rounded to the nearest. */
export function fieldToInteger(description: Field, value: number | boolean): number {
  if (description.unit === 'flag') return value === true ? 1 : 0;
  return Math.round(Number(value) * units[description.unit].scale);
}
