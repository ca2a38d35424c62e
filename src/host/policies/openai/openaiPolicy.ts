// The policy `openai`: any OpenAI-compatible chat endpoint. Prompts are written and pictures encoded in one pool of
// workers, calls wait in another, so that encoding for one request never holds up the clock of another.
import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { BroadcastChannel } from 'node:worker_threads';
import { unitsPerCm } from '../../../kernels/units.ts';
import { RunError } from '../../errors.ts';
import type { AgentImage, PictureSettings } from '../../images/pictures.ts';
import type { Observation } from '../../prompt/observation.ts';
import { Slots } from '../../workers/slots.ts';
import { createWorkerPool, type WorkerPool } from '../../workers/workerPool.ts';
import type { AskedDecision, Policy, PolicyRequest } from '../policy.ts';
import type { CallResult, CallTask, CallWorkerData } from './callTask.ts';
import { refusalAdvice, warmUpAdvice } from './faultAdvice.ts';
import type { BuiltPrompt, PromptTask } from './promptTask.ts';
import { redact } from './redact.ts';
import type { OpenaiSettings } from './settings.ts';

/** One thread waits for so many calls: waiting costs nothing, but one reads one long answer at a time. */
const callsPerThread = 32;

function observationOf(request: PolicyRequest): Observation {
  const { view } = request;
  return {
    mode: request.episode.mode,
    decision: request.decision,
    xCm: request.x / unitsPerCm,
    yCm: request.y / unitsPerCm,
    headingDegrees: request.heading / 10,
    speedCmS: view?.speedCmS ?? 0,
    subgoalXCm: request.subgoalX / unitsPerCm,
    subgoalYCm: request.subgoalY / unitsPerCm,
    isFinalSubgoal: request.isFinalSubgoal,
    clockSeconds: request.clockCentiseconds / 100,
    past: view?.past ?? [],
    images: view?.images.map(({ kind }) => kind) ?? [],
  };
}

/** Made-up: the calls before a run only warm the endpoint up and try the key. */
const warmUpObservation: Observation = {
  mode: 'realtime',
  decision: 1,
  xCm: 0,
  yCm: 0,
  headingDegrees: 0,
  speedCmS: 200,
  subgoalXCm: 1000,
  subgoalYCm: 0,
  isFinalSubgoal: true,
  clockSeconds: 0,
  past: [],
  images: [],
};

/** A grey picture, so that an endpoint that looks is warmed up for looking. */
function greyImage({ width, height }: PictureSettings): AgentImage {
  const data = new Uint8Array(new SharedArrayBuffer(width * height * 4)).fill(128);
  return { kind: 'latest', width, height, data };
}

function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

interface Pools {
  readonly stopChannel: string;
  readonly prompts: WorkerPool<PromptTask, BuiltPrompt>;
  readonly calls: WorkerPool<CallTask, CallResult>;
}

class OpenaiPolicy implements Policy {
  readonly name: string;
  readonly pictures: PictureSettings | undefined;
  readonly writesPrompts = true;
  readonly mostAtOnce: number;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly #settings: OpenaiSettings;
  readonly #slots: Slots;
  #pools: Pools | undefined;

  constructor(settings: OpenaiSettings) {
    const { request, pictures, timingNote, baseUrl, apiKey, timeoutSeconds, retries } = settings;
    this.name = `openai:${request.model}`;
    this.pictures = pictures;
    this.mostAtOnce = settings.inFlight;
    this.settings = {
      baseUrl: redact(baseUrl, apiKey),
      ...request,
      pictures: pictures ?? null,
      timingNote,
      timeoutSeconds,
      retries,
    };
    this.#settings = settings;
    this.#slots = new Slots(settings.inFlight);
  }

  async open(seesPictures: boolean): Promise<void> {
    const { request, baseUrl, apiKey, timeoutSeconds, retries, inFlight, warmUp } = this.#settings;
    const stopChannel = `rtsafe calls ${randomUUID()}`;
    const settings = { request, baseUrl, apiKey, timeoutSeconds, retries };
    const workerData: CallWorkerData = { settings, stopChannel };
    const threads = Math.ceil(inFlight / callsPerThread);
    const pools: Pools = {
      stopChannel,
      prompts: createWorkerPool({
        module: new URL('./promptWorker.ts', import.meta.url),
        threads: Math.min(inFlight, Math.max(1, availableParallelism() - 1)),
        tasksPerThread: 1,
      }),
      calls: createWorkerPool({
        module: new URL('./callWorker.ts', import.meta.url),
        threads,
        tasksPerThread: Math.ceil(inFlight / threads),
        workerData,
      }),
    };
    this.#pools = pools;
    await Promise.all(Array.from({ length: threads }, () => pools.calls.run('rehearse')));
    const images = seesPictures && this.pictures !== undefined ? [greyImage(this.pictures)] : [];
    const observation = { ...warmUpObservation, images: images.map(({ kind }) => kind) };
    const warmUps = Array.from({ length: warmUp }, () =>
      this.#slots.run(() => this.#answer(observation, images)),
    );
    for (const { result } of await Promise.all(warmUps)) {
      const { fault, text } = result.reply;
      if (fault === undefined) continue;
      const reason = result.connection?.reason ?? text;
      throw new RunError(
        `${baseUrl}: ${fault} at a warm-up call${reason === '' ? '' : `: ${reason}`}; ${warmUpAdvice(result)}`,
      );
    }
  }

  async close(): Promise<void> {
    const pools = this.#pools;
    this.#pools = undefined;
    if (pools === undefined) return;
    const channel = new BroadcastChannel(pools.stopChannel);
    channel.postMessage('stop');
    channel.close();
    await Promise.all([pools.prompts.close(), pools.calls.close()]);
  }

  async ask(request: PolicyRequest): Promise<AskedDecision> {
    const start = performance.now();
    const { images = [], keepAt } = request.view ?? {};
    const { prompt, result } = await this.#slots.run(() =>
      this.#answer(observationOf(request), images, keepAt),
    );
    const seconds = prompt.seconds + result.seconds;
    const waited = (performance.now() - start) / 1000 - seconds;
    return {
      action: result.action,
      thought: {
        seconds,
        lostSeconds: result.lostSeconds,
        queueSeconds: toMilliseconds(Math.max(0, waited)),
        reply: { ...result.reply, seconds: toMilliseconds(seconds) },
      },
    };
  }

  decide(requests: readonly PolicyRequest[]): Promise<AskedDecision[]> {
    return Promise.all(requests.map((request) => this.ask(request)));
  }

  async #answer(
    observation: Observation,
    images: readonly AgentImage[],
    keepAt?: string,
  ): Promise<{ prompt: BuiltPrompt; result: CallResult }> {
    const pools = this.#pools;
    if (pools === undefined) throw new Error(`policy ${this.name} is not open`);
    const { timingNote, baseUrl, apiKeyEnv, request } = this.#settings;
    const prompt = await pools.prompts.run({ observation, timing: timingNote, images, keepAt });
    if (this.#pools !== pools) throw new Error(`policy ${this.name} was closed`);
    const { system, user, imageUrls } = prompt;
    const result = await pools.calls.run({ system, user, imageUrls });
    const { connection } = result;
    if (connection?.advice !== undefined)
      throw new RunError(`${baseUrl}: the connection failed: ${connection.reason}; ${connection.advice}`);
    const advice = refusalAdvice(result.status, { model: request.model, apiKeyEnv });
    if (advice !== undefined)
      throw new RunError(`${baseUrl} refuses the request: ${result.status} ${result.reply.text}; ${advice}`);
    return { prompt, result };
  }
}

/**
 * A policy that asks a chat endpoint for each environment by itself.
 *
 * @example openaiPolicy(readOpenaiSettings({ baseUrl: 'http://127.0.0.1:8000/v1', model: 'qwen3-vl-8b' }, process.env))
 */
export function openaiPolicy(settings: OpenaiSettings): Policy {
  return new OpenaiPolicy(settings);
}
