// State vectors for policies that read them, from the kernel that the vector environment uses.
import type { BatchSimulator } from '../../kernels/batchSimulator.ts';
import type { GpuContext } from '../../kernels/device.ts';
import { actionCount, StateObserver } from '../../kernels/environment/stateObserver.ts';
import { readShader } from '../shaderFiles.ts';

/** Reads the state vectors of environments that are to decide. */
export interface StateSource {
  /** [env][field], in the order of the environments. */
  states(envs: readonly number[]): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
}

export type OpenState = () => Promise<StateSource>;

export async function openStates(context: GpuContext, batch: BatchSimulator): Promise<StateSource> {
  const observer = await StateObserver.create(context, readShader, batch);
  const { fieldCount } = StateObserver;
  const all = new Float32Array(batch.envCount * fieldCount);
  const masks = new Uint8Array(batch.envCount * actionCount);
  return {
    async states(envs) {
      await observer.observe(envs, all, masks);
      return envs.map((env) => all.slice(env * fieldCount, (env + 1) * fieldCount));
    },
    close: () => observer.destroy(),
  };
}
