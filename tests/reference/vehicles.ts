// Conflict vehicles: waiting upstream of the agent's way, driving through, hitting or leaving
// (docs/rules.md, section 5.6).
import type { AgentStep } from './agentStep.ts';
import { measureConflict, noteCollision } from './conflicts.ts';
import { contactTypes, countContact, countIncident, type Interval } from './contacts.ts';
import { type Environment, outcomes } from './environment.ts';
import { advanced, pointsWithin, subtract, unpackDirection } from './numbers.ts';
import { type Actor, clearActor } from './records.ts';
import { sweptWithin } from './sweptDistance.ts';

/** `status` of a vehicle. */
export const vehicleStatuses = { free: 0, staged: 1, driving: 2 } as const;

/** Index of `conflicts`. */
export const conflictCounts = { launched: 0, hit: 1 } as const;

export function driveVehicles(env: Environment, agent: AgentStep, interval: Interval): void {
  for (const vehicle of env.vehicles) {
    if (vehicle.status === vehicleStatuses.staged) waitForAgent(env, vehicle, agent);
    else if (vehicle.status === vehicleStatuses.driving) drive(env, vehicle, agent, interval);
  }
}

function waitForAgent(env: Environment, vehicle: Actor, agent: AgentStep): void {
  const { rules } = env;
  const target = advanced(vehicle, vehicle.speed, unpackDirection(vehicle.link));
  vehicle.timer++;
  if (pointsWithin(target, agent.after, rules.vehicleImpact) || vehicle.timer >= rules.vehicleWaitTicks) {
    vehicle.status = vehicleStatuses.driving;
    vehicle.timer = 0;
  }
}

function drive(env: Environment, vehicle: Actor, agent: AgentStep, interval: Interval): void {
  const { state, rules } = env;
  const before = { x: vehicle.x, y: vehicle.y };
  const after = advanced(before, rules.vehicleSpeed, unpackDirection(vehicle.link));
  Object.assign(vehicle, after);
  vehicle.along += rules.vehicleSpeed;
  vehicle.timer++;
  if (sweptWithin(agent, { before, after }, rules.vehicleImpact)) {
    countContact(state, contactTypes.vehicle, interval);
    countIncident(state, contactTypes.vehicle, interval);
    state.conflicts[conflictCounts.hit]!++;
    state.outcome = outcomes.vehicleCollision;
    noteCollision(env);
    clearActor(vehicle);
    return;
  }
  const step = subtract(after, before);
  measureConflict(env, { place: after, step, run: vehicle.timer, radius: rules.vehicleImpact }, agent);
  if (vehicle.along >= rules.vehicleRange || vehicle.timer >= rules.vehicleLifeTicks) {
    clearActor(vehicle);
  }
}
