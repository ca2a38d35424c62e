// What a policy with `wantsState` sees of an environment, in runs and collections alike.
import type { EnvironmentsView } from '../../kernels/environmentsView.ts';
import type { PlannedEpisode } from '../episodes/plan.ts';
import type { LatencyModel } from '../latency/latencyModel.ts';
import type { PrivilegedState } from '../policies/policy.ts';
import type { RunWorld } from './runWorld.ts';
import type { ResetRequest } from './simulator.ts';

export interface StartedEpisode {
  readonly planned: PlannedEpisode;
  readonly start: Pick<ResetRequest, 'rules'>;
}

/** `environments` as they stand now. */
export function privilegedState(
  env: number,
  environments: EnvironmentsView,
  { world, rules }: Pick<RunWorld, 'world' | 'rules'>,
  { planned, start }: StartedEpisode,
  latency: LatencyModel,
): PrivilegedState {
  return {
    env,
    environments,
    world,
    rules: rules[start.rules]!,
    latencyCentiseconds: (decision) => latency.draw(planned, decision),
  };
}
