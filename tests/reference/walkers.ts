// Pedestrians and dogs: a step along the path, patience with whoever is in the way, and contact with the agent
// (docs/rules.md, section 5.3).
import type { AgentStep } from './agentStep.ts';
import { measureConflict, noteCollision } from './conflicts.ts';
import { contactTypes, countContact, countIncident, type Interval } from './contacts.ts';
import { actorBits, type Environment, isPresent, isTouching, setBit } from './environment.ts';
import { isqrt, pointsWithin, squaredDistance, subtract, type Vector } from './numbers.ts';
import type { Actor } from './records.ts';
import { pointOnSegment } from './world.ts';

/** Ends of segments that one step may pass. */
const segmentsPerStep = 4;

export function moveWalkers(env: Environment, agent: AgentStep, interval: Interval): void {
  const present = env.walkers.filter(isPresent);
  for (const walker of present) moveWalker(env, walker, agent, interval);
  countCloseTicks(env, present, agent.after);
}

function moveWalker(env: Environment, walker: Actor, agent: AgentStep, interval: Interval): void {
  const { rules } = env;
  const before = { x: walker.x, y: walker.y };
  const { link } = walker;
  const next = nextPlace(env, walker);
  const isPassing = walker.timer < 0;
  const isHeld = (walker.status & actorBits.held) !== 0;
  const pressesAgent =
    !isPassing &&
    pointsWithin(next, agent.after, rules.humanContact) &&
    squaredDistance(next, agent.after) < squaredDistance(before, agent.after);
  const moves = !pressesAgent && (isPassing || !isHeld);
  if (moves) {
    walker.x = next.x;
    walker.y = next.y;
    walker.link = next.link;
    walker.along = next.along;
  }
  updatePatience(env, walker, isPassing, moves);

  const isPressed = agent.pressed.has(walker);
  const isNear = pointsWithin(walker, agent.after, rules.humanContact);
  const touches = pressesAgent || isPressed || (isNear && (isTouching(walker) || rules.setPoseTouches === 1));
  if (touches) noteCollision(env);
  if (touches && !isTouching(walker)) {
    setBit(walker, actorBits.touching, true);
    walker.mark = 0;
    countContact(env.state, contactTypes.human, interval);
    countIncident(env.state, contactTypes.human, interval);
    const walkerVelocity = moves || pressesAgent ? subtract(next, before) : { x: 0, y: 0 };
    const agentVelocity = isPressed ? agent.intended : subtract(agent.after, agent.before);
    recordImpact(env, walkerVelocity, agentVelocity);
  } else if (touches) {
    if (pressesAgent || isPressed) countRepeat(env, walker, interval);
  } else if (
    isTouching(walker) &&
    !pointsWithin(walker, agent.after, rules.humanContact + rules.releaseMargin)
  ) {
    setBit(walker, actorBits.touching, false);
    walker.mark = 0;
  }
  if (isTouching(walker)) return;
  walker.mark = moves && next.link === link ? walker.mark + 1 : 0;
  if (pointsWithin(walker, agent.after, rules.humanContact + rules.clearanceSocial)) {
    const step = moves ? subtract(next, before) : { x: 0, y: 0 };
    measureConflict(env, { place: walker, step, run: walker.mark, radius: rules.humanContact }, agent);
  }
}

/** One step of its speed along the path. */
function nextPlace(env: Environment, walker: Actor): Pick<Actor, 'x' | 'y' | 'link' | 'along'> {
  const { segments } = env.route;
  let link = walker.link;
  let along = walker.along + walker.speed;
  for (let passed = 0; passed < segmentsPerStep; passed++) {
    const { length, next } = segments[link]!;
    if (along < length) break;
    // A dog that runs once stays at the end of its way, which is its start.
    if (env.rules.dogsRepeat === 0 && next <= link && env.dogs.includes(walker)) {
      along = length - 1;
      break;
    }
    along -= length;
    link = next;
  }
  const { x, y } = pointOnSegment(segments[link]!, along);
  return { x, y, link, along };
}

/** Counts up while held, and down while passing through whoever was in the way. */
function updatePatience(env: Environment, walker: Actor, isPassing: boolean, moves: boolean): void {
  const { patienceTicks, passingTicks } = env.rules;
  if (isPassing) walker.timer++;
  else if (moves) walker.timer = 0;
  else {
    walker.timer++;
    if (walker.timer >= patienceTicks) walker.timer = -passingTicks | 0;
  }
}

/** Pressing that goes on counts again, each so many ticks. */
function countRepeat(env: Environment, walker: Actor, interval: Interval): void {
  const { contactRepeatTicks } = env.rules;
  walker.mark++;
  if (contactRepeatTicks > 0 && walker.mark % contactRepeatTicks === 0) {
    countContact(env.state, contactTypes.human, interval);
  }
}

/** Relative speed at the start of an incident, in units per tick. */
function recordImpact(env: Environment, walkerVelocity: Vector, agentVelocity: Vector): void {
  const { state } = env;
  const impact = isqrt(squaredDistance(walkerVelocity, agentVelocity));
  state.impactMaximum = Math.max(state.impactMaximum, impact);
  state.impactSum += impact;
}

/** Counts the tick for each social distance that any walker is nearer than. */
function countCloseTicks(env: Environment, present: readonly Actor[], agent: Vector): void {
  const { humanContact, clearanceIntimate, clearancePersonal, clearanceSocial } = env.rules;
  [clearanceIntimate, clearancePersonal, clearanceSocial].forEach((clearance, index) => {
    if (present.some((walker) => pointsWithin(walker, agent, humanContact + clearance))) {
      env.state.closeTicks[index]!++;
    }
  });
}
