// The records of shaders/common/layout.wgsl as plain objects. The declaration there is the only list of fields: states are
// built, flattened and named by walking it.
import { readFileSync } from 'node:fs';
import { type Member, type StructLayout, structLayout } from '../../src/kernels/layout.ts';

const source = readFileSync(new URL('../../shaders/common/layout.wgsl', import.meta.url), 'utf8');

/** Layout of one struct of layout.wgsl. */
export function layoutOf(name: string): StructLayout {
  return structLayout(source, name);
}

/** One profile, compiled to integers: every member of Rules. Units are given in layout.wgsl. */
export interface Rules {
  readonly agentRadius: number;
  readonly humanContact: number;
  readonly releaseMargin: number;
  readonly ballContact: number;
  readonly boxRadius: number;
  readonly fallingRadius: number;
  readonly agentHeight: number;
  readonly contactRepeatTicks: number;
  readonly firstPlanning: number;
  readonly hazardSwept: number;
  readonly hazardOncePerDecision: number;
  readonly violationEveryTick: number;
  readonly tripHalfWidth: number;
  readonly oilHalfWidth: number;
  readonly waterHalfWidth: number;
  readonly hazardRearm: number;
  readonly contactPenaltyTicks: number;
  readonly tripPenaltyTicks: number;
  readonly buildingPenaltyTicks: number;
  readonly wedgePenaltyTicks: number;
  readonly buildingLimit: number;
  readonly wedgeLimit: number;
  readonly reachDistance: number;
  readonly reachHalfWidth: number;
  readonly followGap: number;
  readonly followHalfWidth: number;
  readonly patienceTicks: number;
  readonly passingTicks: number;
  readonly fallingTrigger: number;
  readonly fallingDelayTicks: number;
  readonly fallingHeight: number;
  readonly gravity: number;
  readonly pushSpeedBall: number;
  readonly pushSpeedBox: number;
  readonly frictionBall: number;
  readonly frictionBox: number;
  readonly greenTicks: number;
  readonly yellowTicks: number;
  readonly allRedTicks: number;
  readonly walkTicks: number;
  readonly clearanceTicks: number;
  readonly vehicleSpeed: number;
  readonly vehicleImpact: number;
  readonly vehicleWaitTicks: number;
  readonly vehicleLifeTicks: number;
  readonly vehicleRange: number;
  readonly launchMinimumCm: number;
  readonly launchSpanCm: number;
  readonly laneOffset: number;
  readonly guardHalfWidth: number;
  readonly clearanceIntimate: number;
  readonly clearancePersonal: number;
  readonly clearanceSocial: number;
  readonly dogSpeed: number;
  readonly setPoseTouches: number;
  readonly dogsRepeat: number;
}

/** What an episode starts from: every member of ResetRequest (`env` plays no part here). */
export interface ResetRequest {
  readonly route: number;
  readonly rules: number;
  readonly mode: number;
  readonly seed: number;
  readonly maxDecisions: number;
  readonly percent: number;
  readonly speedChoices: number;
  readonly classes: number;
}

/** One entry of the trail: a pose and the subgoal headed for there. */
export interface TrailEntry {
  x: number;
  y: number;
  heading: number;
  subgoal: number;
}

type ArrayMember = 'contacts' | 'incidents' | 'hazards' | 'violations' | 'conflicts' | 'closeTicks';

type ScalarMember =
  | 'route'
  | 'rules'
  | 'mode'
  | 'seed'
  | 'maxDecisions'
  | 'classes'
  | 'pedestrians'
  | 'dogs'
  | 'falling'
  | 'props'
  | 'movableCount'
  | 'stateHash'
  | 'hashPending'
  | 'status'
  | 'x'
  | 'y'
  | 'heading'
  | 'subgoal'
  | 'clockCentiseconds'
  | 'carryCentiseconds'
  | 'exposureCentiseconds'
  | 'worldTick'
  | 'decisions'
  | 'action'
  | 'phaseTicksLeft'
  | 'moveTick'
  | 'moveTicks'
  | 'moveStop'
  | 'moveStartX'
  | 'moveStartY'
  | 'moveTargetX'
  | 'moveTargetY'
  | 'physical'
  | 'slow'
  | 'travelled'
  | 'arrived'
  | 'outcome'
  | 'admitted'
  | 'illegal'
  | 'jaywalking'
  | 'pressing'
  | 'hazardKind'
  | 'hazardX'
  | 'hazardY'
  | 'hazardMask'
  | 'decisionTrips'
  | 'decisionOil'
  | 'decisionContacts'
  | 'decisionBuilding'
  | 'decisionPassive'
  | 'buildingStreak'
  | 'wedgeStreak'
  | 'checkpointX'
  | 'checkpointY'
  | 'checkpointHeading'
  | 'checkpointSubgoal'
  | 'checkpointJaywalking'
  | 'checkpointAdmitted'
  | 'checkpointIllegal'
  | 'checkpointHazardKind'
  | 'checkpointHazardX'
  | 'checkpointHazardY'
  | 'impactMaximum'
  | 'impactSum'
  | 'timeToCollision'
  | 'postEncroachment'
  | 'lastStepTick'
  | 'strideX'
  | 'strideY'
  | 'trailCount';

/** Every member of EnvState by name. */
export type EnvState = Record<ScalarMember, number> & Record<ArrayMember, number[]> & { trail: TrailEntry[] };

/** Trail entries kept (docs/rules.md, section 4). */
export const trailLength = 40;

/** One actor slot; what each field means per class is in docs/rules.md, section 3. */
export interface Actor {
  x: number;
  y: number;
  link: number;
  along: number;
  speed: number;
  status: number;
  timer: number;
  mark: number;
}

/** Fields of an actor in the order of its words. */
export const actorFields = ['x', 'y', 'link', 'along', 'speed', 'status', 'timer', 'mark'] as const;

export const envStateLayout = layoutOf('EnvState');
const trailEntryMembers = layoutOf('Checkpoint').members;
type Values = Record<string, number | number[] | TrailEntry[]>;

/** An EnvState with every member 0. */
export function emptyEnvState(): EnvState {
  const values: Values = {};
  for (const member of envStateLayout.members) {
    if (member.name === 'trail') {
      values.trail = Array.from({ length: trailLength }, () => ({ x: 0, y: 0, heading: 0, subgoal: 0 }));
    } else {
      values[member.name] = isArray(member) ? new Array<number>(member.words).fill(0) : 0;
    }
  }
  return values as EnvState;
}

/** An actor with every field 0: an absent walker, a free vehicle. */
export function emptyActor(): Actor {
  return { x: 0, y: 0, link: 0, along: 0, speed: 0, status: 0, timer: 0, mark: 0 };
}

/** Sets every field of an actor to 0. */
export function clearActor(actor: Actor): void {
  Object.assign(actor, emptyActor());
}

/** The words of an EnvState, u32 each, in layout order. [EnvState] */
export function envStateWords(state: EnvState): Uint32Array {
  const words = new Uint32Array(envStateLayout.words);
  const values = state as unknown as Values;
  for (const member of envStateLayout.members) {
    const value = values[member.name]!;
    if (typeof value === 'number') {
      words[member.word] = value;
      continue;
    }
    value.forEach((item, index) => {
      if (typeof item === 'number') words[member.word + index] = item;
      else writeTrailEntry(words, member.word + index * trailEntryMembers.length, item);
    });
  }
  return words;
}

/** A readable name for each word of an EnvState: `heading`, `contacts[3]`, `trail[0].x`. */
export function envStateWordNames(): string[] {
  const names: string[] = [];
  for (const member of envStateLayout.members) {
    if (member.name === 'trail') {
      for (let index = 0; index < trailLength; index++) {
        for (const field of trailEntryMembers) names.push(`trail[${index}].${field.name}`);
      }
    } else if (isArray(member)) {
      for (let index = 0; index < member.words; index++) names.push(`${member.name}[${index}]`);
    } else {
      names.push(member.name);
    }
  }
  return names;
}

function writeTrailEntry(words: Uint32Array, first: number, entry: TrailEntry): void {
  trailEntryMembers.forEach((member, index) => {
    words[first + index] = entry[member.name as keyof TrailEntry];
  });
}

function isArray(member: Member): boolean {
  return member.words > 1;
}
