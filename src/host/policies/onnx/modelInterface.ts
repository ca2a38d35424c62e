// What a model takes and gives, checked against what environments offer: pictures and state vectors, for 16 logits.

import { actionCount } from '../../episodes/actions.ts';
import { inputFault } from '../../input/jsonFault.ts';
import type { TensorData, TensorType, ValueMetadata } from './runtime.ts';

export interface ImageInput {
  readonly name: string;
  readonly type: TensorType;
  readonly layout: 'channels-first' | 'channels-last';
  readonly width: number;
  readonly height: number;
}

export interface ModelInterface {
  readonly image: ImageInput | undefined;
  /** Name of the input that takes state vectors. */
  readonly state: string | undefined;
  /** Name of the output with the logits. */
  readonly logits: string;
  /** Environments in one call; undefined: any number. */
  readonly batch: 1 | undefined;
}

const channels = 3;
const largestSide = 2048;
const brightest = 255;

function shapeText({ name, type = 'no tensor', shape = [] }: ValueMetadata): string {
  return `"${name}" ${type} [${shape.join(', ')}]`;
}

function isSide(length: number | string | undefined): length is number {
  return typeof length === 'number' && length >= 1 && length <= largestSide;
}

function imageInput({ name, type, shape = [] }: ValueMetadata): ImageInput | undefined {
  if (shape.length !== 4 || (type !== 'float32' && type !== 'uint8')) return undefined;
  const [, second, third, fourth] = shape;
  if (second === channels && isSide(third) && isSide(fourth))
    return { name, type, layout: 'channels-first', height: third, width: fourth };
  if (fourth === channels && isSide(second) && isSide(third))
    return { name, type, layout: 'channels-last', height: second, width: third };
  return undefined;
}

/** How many environments a call takes by an axis: undefined any, NaN a number that is not offered. */
function batchOf({ shape = [] }: ValueMetadata): 1 | undefined {
  const [length] = shape;
  if (length === 1) return 1;
  return typeof length === 'string' || (length !== undefined && length < 1) ? undefined : (Number.NaN as 1);
}

/**
 * @param source the model, for messages
 * @param stateFields numbers in a state vector
 * @throws UsageError for a model that wants or gives something else.
 */
export function readModelInterface(
  source: string,
  inputs: readonly ValueMetadata[],
  outputs: readonly ValueMetadata[],
  stateFields: number,
): ModelInterface {
  const offered =
    `pictures, uint8 (0 to 255) or float32 (0 to 1) [N, 3, height, width] or [N, height, width, 3], ` +
    `and states, float32 [N, ${stateFields}], one of each at most, N of any length or 1`;
  const images = inputs.flatMap((input) => imageInput(input) ?? []);
  const states = inputs.filter(
    ({ type, shape = [] }) => type === 'float32' && shape.length === 2 && shape[1] === stateFields,
  );
  const batches = inputs.map(batchOf);
  const isOffered =
    inputs.length > 0 &&
    images.length <= 1 &&
    states.length <= 1 &&
    images.length + states.length === inputs.length &&
    !batches.some(Number.isNaN);
  if (!isOffered) {
    throw inputFault(`${source}: inputs`, inputs.map(shapeText).join(', ') || 'none', offered);
  }
  const logits = outputs.find(
    ({ type, shape = [] }) => type === 'float32' && shape.length === 2 && shape[1] === actionCount,
  );
  if (logits === undefined) {
    throw inputFault(
      `${source}: outputs`,
      outputs.map(shapeText).join(', ') || 'none',
      `logits, float32 [N, ${actionCount}], among them`,
    );
  }
  return {
    image: images[0],
    state: states[0]?.name,
    logits: logits.name,
    batch: batches.includes(1) ? 1 : undefined,
  };
}

/**
 * Writes one picture into a model's tensor.
 *
 * @param pixels [row, column, red green blue alpha]
 * @param target [N, ...] in the input's layout; float32 gets shares of the brightest
 */
export function fillImage(
  target: TensorData,
  row: number,
  { type, layout, width, height }: Omit<ImageInput, 'name'>,
  pixels: Uint8Array,
): void {
  const area = width * height;
  const first = row * area * channels;
  const [pixelStep, channelStep] = layout === 'channels-first' ? [1, area] : [channels, 1];
  const scale = type === 'float32' ? 1 / brightest : 1;
  for (let pixel = 0; pixel < area; pixel++) {
    const to = first + pixel * pixelStep;
    for (let channel = 0; channel < channels; channel++)
      target[to + channel * channelStep] = pixels[pixel * 4 + channel]! * scale;
  }
}

/**
 * The code of each row's action: the largest logit, the first of several that are equal.
 *
 * @param logits [N, 16]
 * @returns 1 to 16 for each row; 0 where no logit is a number
 */
export function largestLogits(logits: Float32Array): number[] {
  return Array.from({ length: logits.length / actionCount }, (_, row) => {
    let action = 0;
    let largest = Number.NEGATIVE_INFINITY;
    for (let place = 0; place < actionCount; place++) {
      const logit = logits[row * actionCount + place]!;
      if (logit > largest || (action === 0 && logit === largest)) {
        largest = logit;
        action = place + 1;
      }
    }
    return action;
  });
}
