// Falling objects: hanging until the agent is near, armed for a while, falling, landed (docs/rules.md, section 5.4).
import { uniformBelow } from '../../src/kernels/random.ts';
import type { AgentStep } from './agentStep.ts';
import { contactTypes, countContact, countIncident, type Interval } from './contacts.ts';
import { actorBits, draw, type Environment, isPresent, isTouching, purposes, setBit } from './environment.ts';
import { pointsWithin } from './numbers.ts';
import type { Actor } from './records.ts';
import { touchesRest } from './touchesRest.ts';

export const fallingStages = { hanging: 0, armed: 1, falling: 2, landed: 3 } as const;
const stageShift = 4;
const stageMask = 3 << stageShift;

/** Lengths of the random part of the delay: 0 to 10 ticks. */
const delayChoices = 11;

/** Stage of a falling object, bits 4 and 5 of its status. */
export function fallingStage(object: Actor): number {
  return (object.status & stageMask) >> stageShift;
}

export function setFallingStage(object: Actor, stage: number): void {
  object.status = (object.status & ~stageMask) | (stage << stageShift);
}

export function moveFallingObjects(env: Environment, agent: AgentStep, interval: Interval): void {
  for (const object of env.falling.filter(isPresent)) {
    const falls = fallingStage(object) === fallingStages.falling;
    advanceStage(env, object, agent);
    if (isTouching(object) || falls || touchesRest(env)) touchFallingObject(env, object, agent, interval);
  }
}

function advanceStage(env: Environment, object: Actor, agent: AgentStep): void {
  const { state, rules } = env;
  const stage = fallingStage(object);
  if (stage === fallingStages.hanging) {
    if (!pointsWithin(object, agent.after, rules.fallingTrigger)) return;
    setFallingStage(object, fallingStages.armed);
    const random = draw(state, purposes.fallingDelay, object.link, 0);
    object.timer = rules.fallingDelayTicks + uniformBelow(random, delayChoices);
  } else if (stage === fallingStages.armed) {
    object.timer--;
    if (object.timer > 0) return;
    setFallingStage(object, fallingStages.falling);
    object.speed = 0;
  } else if (stage === fallingStages.falling) {
    object.speed += rules.gravity;
    object.along -= object.speed;
    if (object.along > 0) return;
    object.along = 0;
    object.speed = 0;
    setFallingStage(object, fallingStages.landed);
  }
}

function touchFallingObject(env: Environment, object: Actor, agent: AgentStep, interval: Interval): void {
  const { rules } = env;
  const contactDistance = rules.agentRadius + rules.fallingRadius;
  const isDown = fallingStage(object) >= fallingStages.falling && object.along <= rules.agentHeight;
  if (isTouching(object)) {
    const hasLeft = !pointsWithin(object, agent.after, contactDistance + rules.releaseMargin);
    if (hasLeft) setBit(object, actorBits.touching, false);
  } else if (isDown && pointsWithin(object, agent.after, contactDistance)) {
    setBit(object, actorBits.touching, true);
    countContact(env.state, contactTypes.object, interval);
    countIncident(env.state, contactTypes.object, interval);
  }
}
