// A fetch that reads the whole body, up to a bound, so that one timeout covers it and no answer fills the memory. Over
// node:http, which takes a sixth of the processor time of Node's own fetch: what a thread is busy with for one call,
// others under way in it are charged for.
import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

/** Longest answer that is read. */
export const longestAnswerBytes = 4 * 1024 * 1024;

/** Something about an answer makes it useless; the message says what, for the record. */
export class AnswerFault extends Error {
  override readonly name = 'AnswerFault';
}

/** The endpoint answered with a status that is no success. */
export class StatusFault extends Error {
  override readonly name = 'StatusFault';
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;

  constructor(status: number, headers: IncomingHttpHeaders, body: string) {
    super(`status ${status}`);
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

const transports = {
  'http:': { request: httpRequest, agent: new HttpAgent({ keepAlive: true }) },
  'https:': { request: httpsRequest, agent: new HttpsAgent({ keepAlive: true }) },
} as const;

function readBody(answer: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    answer.on('data', (chunk: Uint8Array) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > longestAnswerBytes) answer.destroy(new AnswerFault('an answer of more than 4 MiB'));
    });
    answer.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    answer.on('error', reject);
  });
}

/** Sends a request, and waits for the head of its answer. */
function send(url: URL, { method = 'GET', headers, body, signal }: RequestInit, onSent: () => void) {
  const { request, agent } = transports[url.protocol as keyof typeof transports];
  return new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(url, {
      agent,
      method,
      headers: Object.fromEntries(new Headers(headers)),
      ...(signal ? { signal } : {}),
    });
    sent.on('response', resolve);
    sent.on('finish', onSent);
    sent.on('error', reject);
    sent.end(body);
  });
}

/**
 * A fetch for texts as bodies. It follows no redirection.
 *
 * @param onSent called when a request is on its way
 * @returns a function that throws StatusFault, AnswerFault for an answer that is too long, empty or not JSON, and whatever
 *   node:http does
 * @example const fetchAnswer = createLimitedFetch(() => {});
 */
export function createLimitedFetch(onSent: () => void): Fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const answer = await send(url, init, onSent);
    const { statusCode: status = 0 } = answer;
    const text = await readBody(answer);
    if (status < 200 || status > 299) throw new StatusFault(status, answer.headers, text);
    if (text.trim() === '') throw new AnswerFault('an empty body');
    try {
      JSON.parse(text);
    } catch {
      throw new AnswerFault('an answer that is not JSON');
    }
    return new Response(text, { status: 200, headers: { 'content-type': 'application/json' } });
  };
}
