// The numbers of a profile that planning needs, by name; units and meanings are those of `struct Rules`.
import { structLayout } from '../../../kernels/layout.ts';
import { layoutSource } from '../../shaderFiles.ts';

const names = [
  'agentRadius',
  'humanContact',
  'releaseMargin',
  'ballContact',
  'boxRadius',
  'fallingRadius',
  'agentHeight',
  'hazardSwept',
  'hazardOncePerDecision',
  'violationEveryTick',
  'tripHalfWidth',
  'oilHalfWidth',
  'waterHalfWidth',
  'hazardRearm',
  'contactPenaltyTicks',
  'tripPenaltyTicks',
  'reachDistance',
  'reachHalfWidth',
  'followGap',
  'followHalfWidth',
  'patienceTicks',
  'passingTicks',
  'fallingTrigger',
  'fallingDelayTicks',
  'fallingHeight',
  'gravity',
  'greenTicks',
  'yellowTicks',
  'allRedTicks',
  'walkTicks',
  'clearanceTicks',
  'vehicleSpeed',
  'vehicleImpact',
  'vehicleWaitTicks',
  'vehicleLifeTicks',
  'guardHalfWidth',
  'setPoseTouches',
  'dogsRepeat',
] as const;

export type PlanningRules = Readonly<Record<(typeof names)[number], number>>;

const known = new WeakMap<Int32Array, PlanningRules>();

/** The rules of one record of `struct Rules`; a second call gives the same object. */
export function planningRules(words: Int32Array): PlanningRules {
  let rules = known.get(words);
  if (rules === undefined) {
    const layout = structLayout(layoutSource(), 'Rules');
    rules = Object.fromEntries(names.map((name) => [name, words[layout.word(name)]!])) as PlanningRules;
    known.set(words, rules);
  }
  return rules;
}
