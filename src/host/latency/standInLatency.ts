// The latency of a stand-in, after the published mean of the model it stands in for.

import { inputFault } from '../input/jsonFault.ts';
import { standIns } from '../policies/standIn.ts';
import type { DecidedEpisode, LatencyModel } from './latencyModel.ts';
import { lognormalLatency } from './models.ts';

/**
 * Spread of ln(response time) over the decisions of one model. Not published; 0.5 puts the 95th percentile at 2.3 times the
 * median, as is common for chat services. The same for all models.
 */
export const standInSigma = 0.5;

/**
 * Charged on top of the response: building the prompt, capturing the images. The release's recorded decisions have 1.4 to
 * 2.6 s (RT-SAFE protocol §18, §19); the published latencies are without it.
 */
export const standInOverheadSeconds = 2;

/** `stand-in`: what a stand-in policy is charged, whichever one decides. */
export const standInLatencyName = 'stand-in';

const models = new Map<string, LatencyModel>(
  standIns.map(({ name, row }) => [
    name,
    lognormalLatency(row.latencySeconds * Math.exp((-standInSigma * standInSigma) / 2), standInSigma),
  ]),
);

function modelOf({ policy }: DecidedEpisode): LatencyModel {
  const model = models.get(policy ?? '');
  if (model !== undefined) return model;
  throw inputFault(
    '--latency',
    `${standInLatencyName} with policy ${JSON.stringify(policy)}`,
    'a stand-in policy',
  );
}

/**
 * Lognormal with the published mean of the deciding stand-in, plus a constant overhead. Drawn as `lognormal` draws: by seed,
 * map, route and decision.
 */
export const standInLatency: LatencyModel = {
  name: standInLatencyName,
  draw: (episode, decision) =>
    modelOf(episode).draw(episode, decision) + Math.round(100 * standInOverheadSeconds),
  checkEpisodes(episodes) {
    for (const episode of episodes) modelOf(episode);
  },
};
