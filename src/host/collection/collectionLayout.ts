// What a collection keeps of the environment: which arrays an episode has, and how one row of each is read.
import type { BatchEnvironment } from '../../kernels/environment/batchEnvironment.ts';
import type { CounterName } from '../../kernels/environment/infos.ts';
import { stateFields } from '../../kernels/environment/stateFields.ts';
import type { NumericArray } from '../datasets/dtype.ts';
import { type ArraySpec, clockInfo, type EpisodeLayout, type InfoSpec } from '../datasets/episodeData.ts';
import { actionCount } from '../episodes/actions.ts';
import { inputFault } from '../input/jsonFault.ts';
import { contactTypes, hazardTypes, intervals, violationTypes } from '../records/episodeRecord.ts';

/** The part of the vector environment that a collection uses, so that tests can put another in its place. */
export type CollectedEnvironment = Pick<
  BatchEnvironment,
  'numEnvs' | 'observations' | 'infos' | 'actionMasks' | 'reset' | 'step'
> & { readonly summary: Pick<BatchEnvironment['summary'], 'get'> };

/** What is kept of each observation: `imagePixels` each way, 0 for no image. */
export interface ObservationChoice {
  readonly state: boolean;
  readonly imagePixels: number;
}

const smallestImage = 8;
const largestImage = 512;
const allowedObservations = `state, image<pixels> with ${smallestImage} to ${largestImage} pixels as image64, or both as state,image64`;

/**
 * Reads `--observation`.
 *
 * @throws UsageError for anything but `state`, `image<pixels>` and the two together.
 * @example parseObservation('state,image64') // { state: true, imagePixels: 64 }
 */
export function parseObservation(text: string): ObservationChoice {
  const choice = { state: false, imagePixels: 0 };
  for (const part of text.split(',').map((entry) => entry.trim())) {
    const pixels = Number(/^image(\d{1,4})$/.exec(part)?.[1] ?? 0);
    const isImage = pixels >= smallestImage && pixels <= largestImage;
    if (part === 'state') choice.state = true;
    else if (isImage && choice.imagePixels === 0) choice.imagePixels = pixels;
    else throw inputFault('--observation', `"${part}"`, allowedObservations);
  }
  return choice;
}

/** Action codes: 0 for a decision without an action, 1 to 16. */
const actionCodes = actionCount + 1;
const centisecondsPerSecond = 100;
const channels = 3;
const brightest = 255;

const contactElements = contactTypes.flatMap((type) => intervals.map((interval) => `${type}.${interval}`));

function eventInfo(name: CounterName, elements: readonly string[]): InfoSpec {
  return { name, dtype: 'int32', shape: [elements.length], elements, of: 'step' };
}

const infoSpecs: readonly InfoSpec[] = [
  { name: clockInfo, dtype: 'float64', shape: [], of: 'observation' },
  { name: 'action_mask', dtype: 'bool', shape: [actionCodes], of: 'observation' },
  { name: 'state_hash', dtype: 'int64', shape: [], of: 'observation' },
  { name: 'latency_seconds', dtype: 'float64', shape: [], of: 'step' },
  eventInfo('contacts', contactElements),
  eventInfo('incidents', contactElements),
  eventInfo('hazards', hazardTypes),
  eventInfo('violations', violationTypes),
];

const stateSpec: ArraySpec = {
  name: 'state',
  dtype: 'float32',
  shape: [stateFields.length],
  low: stateFields.map(({ minimum }) => minimum),
  high: stateFields.map(({ maximum }) => maximum),
  elements: stateFields.map(({ name }) => name),
};

/** The arrays of an episode in which these observations are kept. */
export function collectionLayout({ state, imagePixels }: ObservationChoice): EpisodeLayout {
  const image: ArraySpec = {
    name: 'image',
    dtype: 'uint8',
    shape: [imagePixels, imagePixels, channels],
    low: [0],
    high: [brightest],
  };
  return {
    observations: [...(state ? [stateSpec] : []), ...(imagePixels > 0 ? [image] : [])],
    actionCount: actionCodes,
    infos: infoSpecs,
  };
}

function copyEvents(
  events: Uint32Array,
  environment: CollectedEnvironment,
  env: number,
  to: Int32Array,
): void {
  const count = events.length / environment.numEnvs;
  to.set(events.subarray(env * count, (env + 1) * count));
}

/** Writes one environment's row of an info. */
type InfoReader = (environment: CollectedEnvironment, env: number, row: NumericArray) => void;

function eventReader(name: CounterName): InfoReader {
  return (environment, env, row) =>
    copyEvents(environment.infos.events[name], environment, env, row as Int32Array);
}

const infoReaders: Readonly<Record<string, InfoReader>> = {
  [clockInfo]({ infos }, env, row) {
    row[0] = infos.clockCentiseconds[env]! / centisecondsPerSecond;
  },
  action_mask({ actionMasks }, env, row) {
    const mask = row as Uint8Array;
    mask[0] = 1;
    mask.set(actionMasks.subarray(env * actionCount, (env + 1) * actionCount), 1);
  },
  state_hash({ infos }, env, row) {
    (row as BigInt64Array)[0] = BigInt(infos.stateHash[env]!);
  },
  latency_seconds({ infos }, env, row) {
    row[0] = infos.latencyCentiseconds[env]! / centisecondsPerSecond;
  },
  contacts: eventReader('contacts'),
  incidents: eventReader('incidents'),
  hazards: eventReader('hazards'),
  violations: eventReader('violations'),
};

/** Writes one environment's row of an info of the layout. */
export function readInfo(
  name: string,
  environment: CollectedEnvironment,
  env: number,
  row: NumericArray,
): void {
  infoReaders[name]!(environment, env, row);
}
