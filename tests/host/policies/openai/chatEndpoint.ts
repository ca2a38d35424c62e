// A chat endpoint for tests: real HTTP on this machine, each request answered as a test wants it, and timed at the server.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Identity } from './selfSigned.ts';

export interface ReceivedRequest {
  readonly body: { readonly messages: readonly { readonly content: unknown }[] } & Record<string, unknown>;
  readonly authorization: string | undefined;
  /** From the last byte of the request to the moment at which the answer is sent. */
  readonly seconds: number;
}

export interface Answer {
  readonly delaySeconds?: number;
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** The message's text, put into a completion; `{number}` stands for the request's number, from 0. */
  readonly text?: string;
  /** Sent as it is instead. */
  readonly body?: string;
  /** Blanks behind the answer. */
  readonly paddingBytes?: number;
  readonly usage?: Record<string, unknown> | null;
  /** The connection is cut instead, before or within the answer. */
  readonly cut?: 'before' | 'within';
}

export interface ServedRequests {
  readonly received: readonly ReceivedRequest[];
  /** The most that were answered at once. */
  readonly mostUnderway: number;
}

export class ChatEndpoint {
  readonly baseUrl: string;
  readonly #thread: Worker;

  private constructor(thread: Worker, baseUrl: string) {
    this.#thread = thread;
    this.baseUrl = baseUrl;
  }

  /** Request k gets answer k; those beyond the list get the last. */
  static start(...answers: readonly Answer[]): Promise<ChatEndpoint> {
    return ChatEndpoint.#listen((port) => `http://127.0.0.1:${port}/v1`, { answers });
  }

  /** The same over https, for the host `localhost`. */
  static startSecure(identity: Identity, ...answers: readonly Answer[]): Promise<ChatEndpoint> {
    return ChatEndpoint.#listen((port) => `https://localhost:${port}/v1`, { answers, identity });
  }

  static async #listen(
    baseUrl: (port: number) => string,
    workerData: { answers: readonly Answer[]; identity?: Identity },
  ): Promise<ChatEndpoint> {
    const thread = new Worker(new URL('./chatEndpointThread.mjs', import.meta.url), { workerData });
    const [{ port }] = (await once(thread, 'message')) as [{ port: number }];
    return new ChatEndpoint(thread, baseUrl(port));
  }

  /** Starts a bare client beside the test; the function returns the most that it lost to the machine, and ends it. */
  control(): () => Promise<number> {
    const url = new URL('/control', this.baseUrl).href;
    const thread = new Worker(new URL('./controlThread.mjs', import.meta.url), { workerData: { url } });
    return async () => {
      thread.postMessage('report');
      const [mostExcess] = (await once(thread, 'message')) as [number];
      await thread.terminate();
      return mostExcess;
    };
  }

  async served(): Promise<ServedRequests> {
    this.#thread.postMessage('report');
    const [report] = (await once(this.#thread, 'message')) as [ServedRequests];
    return report;
  }

  async stop(): Promise<void> {
    await this.#thread.terminate();
  }
}
