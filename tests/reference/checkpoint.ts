// The last pose that no contact led to, and the latches that held there.
import type { EnvState } from './records.ts';

export function saveCheckpoint(state: EnvState): void {
  state.checkpointX = state.x;
  state.checkpointY = state.y;
  state.checkpointHeading = state.heading;
  state.checkpointSubgoal = state.subgoal;
  state.checkpointJaywalking = state.jaywalking;
  state.checkpointAdmitted = state.admitted;
  state.checkpointIllegal = state.illegal;
  state.checkpointHazardKind = state.hazardKind;
  state.checkpointHazardX = state.hazardX;
  state.checkpointHazardY = state.hazardY;
}

export function restoreCheckpoint(state: EnvState): void {
  state.x = state.checkpointX;
  state.y = state.checkpointY;
  state.heading = state.checkpointHeading;
  state.subgoal = state.checkpointSubgoal;
  state.jaywalking = state.checkpointJaywalking;
  state.admitted = state.checkpointAdmitted;
  state.illegal = state.checkpointIllegal;
  state.hazardKind = state.checkpointHazardKind;
  state.hazardX = state.checkpointHazardX;
  state.hazardY = state.checkpointHazardY;
  state.moveStop = 0;
}
