// One decision: begin, start of execution, end of execution, end of recovery (docs/rules.md, section 4). The ticks between
// them are run by the episode.
import { knownAction, moveOf, turnOf, turnTicks, waitOf } from './actions.ts';
import { saveCheckpoint } from './checkpoint.ts';
import { isInCorridor, isReached } from './corridor.ts';
import { admitAlongMove, sampleCrossing, sampleJaywalk } from './crossing.ts';
import { agentPosition, type Environment, outcomes, statuses } from './environment.ts';
import { settleHazards } from './hazards.ts';
import { advanced, direction, divide, isqrt, squaredDistance, subtract, wrapHeading } from './numbers.ts';
import { extendTrail, recoverFromBuilding, recoverFromWedge } from './recovery.ts';

const realtimeMode = 1;
const centisecondsPerTick = 10;

/** Takes a decision up; sets how many ticks of thinking are owed. */
export function beginDecision(env: Environment, action: number, latencyCentiseconds: number): void {
  const { state } = env;
  state.decisions++;
  state.exposureCentiseconds += latencyCentiseconds;
  state.action = knownAction(action);
  state.decisionTrips = 0;
  state.decisionOil = 0;
  state.decisionContacts = 0;
  state.decisionBuilding = 0;
  state.decisionPassive = 0;
  state.hazardMask = 0;
  state.arrived = 0;
  sampleCrossing(env, agentPosition(state));
  state.status = statuses.planning;
  state.phaseTicksLeft = 0;
  if (state.mode === realtimeMode) {
    state.clockCentiseconds += latencyCentiseconds;
    const owed = state.carryCentiseconds + latencyCentiseconds;
    state.phaseTicksLeft = divide(owed, centisecondsPerTick);
    state.carryCentiseconds = owed % centisecondsPerTick;
  }
}

/** Begins the action; sets how many ticks it takes. */
export function startExecution(env: Environment): void {
  const { state } = env;
  state.status = statuses.executing;
  state.phaseTicksLeft = 0;
  if (moveOf(state.action) !== undefined) startMove(env);
  else if (turnOf(state.action) !== undefined) state.phaseTicksLeft = turnTicks;
  else state.phaseTicksLeft = waitOf(state.action) ?? 0;
}

function startMove(env: Environment): void {
  const { state } = env;
  const move = moveOf(state.action)!;
  state.heading = wrapHeading(state.heading + move.relativeHeading);
  const start = agentPosition(state);
  const target = advanced(start, move.distance, direction(state.heading));
  state.moveStartX = start.x;
  state.moveStartY = start.y;
  state.moveTargetX = target.x;
  state.moveTargetY = target.y;
  state.moveTicks = state.slow === 1 ? 2 * move.ticks : move.ticks;
  state.slow = 0;
  state.moveTick = 0;
  state.moveStop = state.moveTicks;
  state.phaseTicksLeft = state.moveTicks;
  state.physical = isInCorridor(env, start) && isInCorridor(env, target) ? 0 : 1;
  sampleCrossing(env, start);
  admitAlongMove(env);
}

/** Settles what the action led to; sets how many ticks of recovery are owed. */
export function endExecution(env: Environment): void {
  const { state, rules } = env;
  const isMove = moveOf(state.action) !== undefined;
  const moveStart = { x: state.moveStartX, y: state.moveStartY };
  const displacement = isMove ? subtract(agentPosition(state), moveStart) : { x: 0, y: 0 };
  state.travelled += isqrt(squaredDistance(displacement, { x: 0, y: 0 }));
  state.heading = wrapHeading(state.heading + (turnOf(state.action) ?? 0));

  if (state.action !== 0) {
    advanceSubgoal(env);
    if (rules.violationEveryTick === 0) sampleJaywalk(env, agentPosition(state));
  }
  let recoveryTicks = 0;
  if (state.decisionContacts + state.decisionBuilding > 0) recoveryTicks += rules.contactPenaltyTicks;
  if (isMove) settleHazards(env);
  recoveryTicks += state.decisionTrips * rules.tripPenaltyTicks;
  if (state.decisionOil > 0) state.slow = 1;
  recoveryTicks += recoverFromBuilding(env);
  if (isMove) {
    recoveryTicks += recoverFromWedge(env, displacement);
    extendTrail(env, displacement);
  }
  state.status = statuses.recovering;
  state.phaseTicksLeft = recoveryTicks;
}

function advanceSubgoal(env: Environment): void {
  const { state, route } = env;
  if (!isReached(env, state.subgoal, agentPosition(state))) return;
  if (state.subgoal < route.edges.length) state.subgoal++;
  else state.arrived = 1;
}

/** Keeps the pose as a checkpoint where nothing was touched, and gives the episode its outcome. */
export function endRecovery(env: Environment): void {
  const { state } = env;
  if (state.decisionContacts === 0 && state.decisionBuilding === 0 && state.decisionPassive === 0) {
    saveCheckpoint(state);
  }
  if (state.outcome === outcomes.none) {
    if (state.arrived === 1) state.outcome = outcomes.success;
    else if (state.decisions >= state.maxDecisions) state.outcome = outcomes.decisionBudget;
  }
  state.status = state.outcome === outcomes.none ? statuses.awaiting : statuses.done;
}
