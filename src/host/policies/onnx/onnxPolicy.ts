// The policy `onnx:<file>`: a small network on this machine's CPU, over pictures, state vectors or both. All environments
// that wait when a round is over are one batch of it.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { StateObserver } from '../../../kernels/environment/stateObserver.ts';
import { RunError } from '../../errors.ts';
import type { PictureSettings } from '../../images/pictures.ts';
import { inputFault } from '../../input/jsonFault.ts';
import { Slots } from '../../workers/slots.ts';
import { noTokenCounts } from '../openai/readCompletion.ts';
import type { AskedDecision, Policy, PolicyRequest } from '../policy.ts';
import { fillImage, largestLogits, type ModelInterface, readModelInterface } from './modelInterface.ts';
import { loadOnnxRuntime, type OnnxRuntime, type OnnxSession } from './runtime.ts';

export const onnxForm = 'onnx:<FILE>';
export const onnxPrefix = 'onnx:';

/** Environments in one call at most: more take memory, and nothing is faster for it. */
const largestBatch = 256;

interface Waiting {
  readonly request: PolicyRequest;
  readonly since: number;
  readonly resolve: (decision: AskedDecision) => void;
  readonly reject: (error: unknown) => void;
}

interface Model {
  readonly runtime: OnnxRuntime;
  readonly session: OnnxSession;
  readonly takes: ModelInterface;
  readonly hash: string;
}

function readModel(source: string, path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw inputFault(source, `no file that can be read (${code})`, `${onnxForm}, a model in a file`);
  }
}

class OnnxPolicy implements Policy {
  readonly name: string;
  readonly #path: string;
  /** Option and name, for messages. */
  readonly #source: string;
  /** One call after the other: each is timed by itself. */
  readonly #turn = new Slots(1);
  #model: Model | undefined;
  #waiting: Waiting[] = [];

  constructor(path: string, option: string) {
    this.name = `${onnxPrefix}${path}`;
    this.#path = path;
    this.#source = `${option} ${this.name}`;
  }

  async load(): Promise<void> {
    const source = this.#source;
    const bytes = readModel(source, this.#path);
    const runtime = await loadOnnxRuntime(source);
    let session: OnnxSession;
    try {
      session = await runtime.InferenceSession.create(bytes);
    } catch (error) {
      const [line] = (error as Error).message.split('\n');
      throw inputFault(source, `a file that onnxruntime does not take (${line})`, 'an ONNX model');
    }
    const { inputMetadata, outputMetadata } = session;
    const takes = readModelInterface(source, inputMetadata, outputMetadata, StateObserver.fieldCount);
    this.#model = { runtime, session, takes, hash: createHash('sha256').update(bytes).digest('hex') };
  }

  get settings(): Record<string, unknown> {
    return { model: this.#loaded.hash };
  }

  get pictures(): PictureSettings | undefined {
    const { image } = this.#loaded.takes;
    if (image === undefined) return undefined;
    const { width, height } = image;
    return { width, height, markers: false, sides: false, earlierFrames: 0 };
  }

  get readsState(): boolean {
    return this.#loaded.takes.state !== undefined;
  }

  get #loaded(): Model {
    if (this.#model === undefined) throw new Error(`policy ${this.name} is not loaded`);
    return this.#model;
  }

  ask(request: PolicyRequest): Promise<AskedDecision> {
    return new Promise((resolve, reject) => {
      // All that are asked in one go are one batch.
      if (this.#waiting.length === 0) queueMicrotask(() => this.#askModel());
      this.#waiting.push({ request, since: performance.now(), resolve, reject });
    });
  }

  decide(requests: readonly PolicyRequest[]): Promise<AskedDecision[]> {
    return Promise.all(requests.map((request) => this.ask(request)));
  }

  async close(): Promise<void> {
    await this.#turn.run(() => this.#loaded.session.release());
  }

  #askModel(): void {
    const all = this.#waiting;
    this.#waiting = [];
    const size = this.#loaded.takes.batch ?? largestBatch;
    for (let first = 0; first < all.length; first += size) {
      const batch = all.slice(first, first + size);
      const answered = this.#turn.run(() => this.#infer(batch));
      answered.catch((error: unknown) => {
        for (const { reject } of batch) reject(error);
      });
    }
  }

  async #infer(batch: readonly Waiting[]): Promise<void> {
    const start = performance.now();
    const { session, takes } = this.#loaded;
    const outputs = await session.run(this.#feeds(batch));
    const logits = outputs[takes.logits]?.data;
    const actions = logits instanceof Float32Array ? largestLogits(logits) : [];
    if (actions.length !== batch.length || actions.includes(0)) {
      throw new RunError(
        `policy ${this.name}: logits that are no numbers, or not one row for each environment`,
      );
    }
    const seconds = (performance.now() - start) / 1000;
    for (const [place, { since, resolve }] of batch.entries()) {
      resolve({
        action: actions[place]!,
        thought: {
          seconds,
          lostSeconds: 0,
          queueSeconds: Math.max(0, Math.round(start - since) / 1000),
          reply: {
            outcome: 'action',
            seconds: Math.round(seconds * 1e6) / 1e6,
            retries: 0,
            tokens: noTokenCounts,
            text: '',
          },
        },
      });
    }
  }

  #feeds(batch: readonly Waiting[]): Record<string, unknown> {
    const { runtime, takes } = this.#loaded;
    const { image, state } = takes;
    const feeds: Record<string, unknown> = {};
    if (image !== undefined) {
      const { type, layout, width, height } = image;
      const words = batch.length * width * height * 3;
      const data = type === 'float32' ? new Float32Array(words) : new Uint8Array(words);
      for (const [row, { request }] of batch.entries()) fillImage(data, row, image, latestImage(request));
      const dims =
        layout === 'channels-first' ? [batch.length, 3, height, width] : [batch.length, height, width, 3];
      feeds[image.name] = new runtime.Tensor(type, data, dims);
    }
    if (state !== undefined) {
      const fields = StateObserver.fieldCount;
      const data = new Float32Array(batch.length * fields);
      for (const [row, { request }] of batch.entries()) data.set(stateOf(request), row * fields);
      feeds[state] = new runtime.Tensor('float32', data, [batch.length, fields]);
    }
    return feeds;
  }
}

function latestImage({ view }: PolicyRequest): Uint8Array {
  const image = view?.images.at(-1);
  if (image === undefined) throw new Error('no picture came with a request');
  return image.data;
}

function stateOf({ view }: PolicyRequest): Float32Array {
  if (view?.state === undefined) throw new Error('no state came with a request');
  return view.state;
}

/**
 * A policy that takes the action with the largest logit. `load` it before anything else.
 *
 * @example const policy = onnxPolicy('actor.onnx'); await policy.load?.();
 */
export function onnxPolicy(path: string, option = '--policy'): Policy {
  if (path === '') throw inputFault(option, `"${onnxPrefix}" without a file`, onnxForm);
  return new OnnxPolicy(path, option);
}
