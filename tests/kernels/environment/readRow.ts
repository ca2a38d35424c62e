// One environment's entries out of the flat arrays, by name.
import type { BatchEnvironment, Observations } from '../../../src/kernels/environment/batchEnvironment.ts';
import type { Episode } from '../../../src/kernels/environment/episodes.ts';
import type { EpisodeInfos } from '../../../src/kernels/environment/infos.ts';
import { stateFields } from '../../../src/kernels/environment/stateFields.ts';
import type { Expected, Standing } from './gymnasiumModel.ts';

const fieldPlaces = new Map(stateFields.map(({ name }, place) => [name, place]));

/** One field of the state vector. */
export function stateOf({ state }: Observations, env: number, field: string): number {
  const place = fieldPlaces.get(field);
  if (place === undefined) throw new RangeError(`no field ${field}`);
  return state![env * stateFields.length + place]!;
}

function standingOf(infos: EpisodeInfos, observations: Observations, env: number, numEnvs: number): Standing {
  const { contacts } = infos.totals;
  const row = contacts.length / numEnvs;
  return {
    seed: infos.environmentSeed[env]!,
    number: infos.episodeNumber[env]!,
    episodeSeed: infos.episodeSeed[env]!,
    stateHash: infos.stateHash[env]!,
    clockCentiseconds: infos.clockCentiseconds[env]!,
    decisions: infos.decisions[env]!,
    outcome: infos.outcome[env]!,
    contacts: [...contacts.subarray(env * row, (env + 1) * row)],
    lastAction: stateOf(observations, env, 'agent.lastAction'),
    decisionsLeft: stateOf(observations, env, 'agent.decisionsLeft'),
  };
}

/** Everything that the model says of an environment, as the environment has it. */
export function foundOf<Played extends Episode>(
  environment: BatchEnvironment<Played>,
  step: { rewards: Float32Array; terminations: Uint8Array; truncations: Uint8Array },
  env: number,
): Expected {
  const { infos, observations, numEnvs } = environment;
  return {
    decided: infos.decided[env]!,
    started: infos.started[env]!,
    reward: step.rewards[env]!,
    termination: step.terminations[env]!,
    truncation: step.truncations[env]!,
    present: standingOf(infos, observations, env, numEnvs),
    final: infos.finalMask[env] === 1 ? standingOf(infos.finalInfo, infos.finalObs, env, numEnvs) : undefined,
  };
}
