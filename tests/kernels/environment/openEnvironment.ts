// Small environments for tests: a short street with everything on it, episodes of a few decisions.

import { compileWorld } from '../../../src/host/scenes/compile.ts';
import { readShader } from '../../../src/host/shaderFiles.ts';
import type { GpuContext } from '../../../src/kernels/device.ts';
import {
  BatchEnvironment,
  type EnvironmentOptions,
} from '../../../src/kernels/environment/batchEnvironment.ts';
import { drawnEpisodes, type Episode } from '../../../src/kernels/environment/episodes.ts';
import { randomU32 } from '../../../src/kernels/random.ts';
import { obstacleCourse } from '../support/obstacleCourse.ts';
import { testProfiles } from '../support/testProfiles.ts';

export const courseWorld = compileWorld([obstacleCourse()]);

const longestEpisode = 5;
const allClasses = 63;

/** Short episodes on all routes, under both bundled profiles and in both modes. */
export const courseEpisodes = drawnEpisodes(
  (draw): Episode => ({
    start: {
      route: draw(0, courseWorld.routeList.length),
      rules: draw(1, 2),
      mode: draw(2, 4) === 0 ? 'static' : 'realtime',
      seed: draw(3, 2 ** 32),
      maxDecisions: 1 + draw(4, longestEpisode),
      percent: 100,
      speedChoices: 1,
      classes: allClasses,
    },
  }),
);

/** Depends on episode and decision alone. */
export function courseLatency({ start }: Episode, decision: number): number {
  return randomU32(start.seed, 3001, decision, 0) % 400;
}

export function openEnvironment(
  context: GpuContext,
  options: Partial<EnvironmentOptions<Episode>> & { readonly numEnvs: number },
): Promise<BatchEnvironment> {
  return BatchEnvironment.create<Episode>(context, {
    shaders: readShader,
    world: courseWorld,
    rules: testProfiles.map(({ compiled }) => compiled),
    episodes: courseEpisodes,
    latency: courseLatency,
    ...options,
  });
}
