// Balls and boxes: rolling after a push, and contact with the agent (docs/rules.md, section 5.5).
import { shapeKinds } from '../../src/kernels/world.ts';
import type { AgentStep } from './agentStep.ts';
import { contactTypes, countContact, countIncident, type Interval } from './contacts.ts';
import { actorBits, type Environment, isPresent, isTouching, setBit } from './environment.ts';
import { advanced, direction, packDirection, pointsWithin, unpackDirection } from './numbers.ts';
import type { Actor } from './records.ts';
import { touchesRest } from './touchesRest.ts';

export function moveProps(env: Environment, agent: AgentStep, interval: Interval): void {
  for (const prop of env.props.filter(isPresent)) {
    const isBall = env.route.props[prop.link]!.kind === shapeKinds.ball;
    const rolls = prop.speed > 0;
    rollProp(env, prop, isBall);
    if (isTouching(prop) || rolls || touchesRest(env)) touchProp(env, prop, isBall, agent, interval);
  }
}

function rollProp(env: Environment, prop: Actor, isBall: boolean): void {
  if (prop.speed <= 0) return;
  Object.assign(prop, advanced(prop, prop.speed, unpackDirection(prop.timer)));
  prop.speed = Math.max(0, prop.speed - (isBall ? env.rules.frictionBall : env.rules.frictionBox));
}

function touchProp(
  env: Environment,
  prop: Actor,
  isBall: boolean,
  agent: AgentStep,
  interval: Interval,
): void {
  const { state, rules } = env;
  const contactDistance = isBall ? rules.ballContact : rules.agentRadius + rules.boxRadius;
  if (isTouching(prop)) {
    const hasLeft = !pointsWithin(prop, agent.after, contactDistance + rules.releaseMargin);
    if (hasLeft) setBit(prop, actorBits.touching, false);
    return;
  }
  if (!pointsWithin(prop, agent.after, contactDistance)) return;
  setBit(prop, actorBits.touching, true);
  countContact(state, contactTypes.object, interval);
  countIncident(state, contactTypes.object, interval);
  if ((prop.status & actorBits.movable) !== 0) {
    prop.speed = isBall ? rules.pushSpeedBall : rules.pushSpeedBox;
    prop.timer = packDirection(direction(state.heading));
  }
}
