// One decision's call of a chat endpoint, with its retries. Every way in which it can end is a result, none an exception.
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import OpenAI, { APIConnectionTimeoutError, APIUserAbortError } from 'openai';
import { actionCode, noAction } from '../../episodes/actions.ts';
import { parseReply } from '../../parser/parseReply.ts';
import { longestReplyText, type TokenCounts } from '../../records/replyRecord.ts';
import type { CallResult, CallSettings, PromptParts } from './callTask.ts';
import { type ConnectionFault, connectionFault } from './connectionFault.ts';
import { endpointWords } from './endpointWords.ts';
import { AnswerFault, createLimitedFetch, StatusFault } from './limitedFetch.ts';
import { noTokenCounts, readMessage, readUsage } from './readCompletion.ts';
import { redact } from './redact.ts';
import { requestBody } from './requestBody.ts';
import { SendGate } from './sendGate.ts';

const worthRetrying = new Set([408, 409, 425, 429]);
const firstPauseSeconds = 0.5;
const longestPauseSeconds = 8;
/** Longest that an endpoint's own wish is followed. */
const longestWishSeconds = 60;

interface Fault {
  readonly fault: string;
  readonly retry: boolean;
  /** What the endpoint wishes to be waited, in seconds. */
  readonly wish?: number | undefined;
  readonly status?: number;
  /** The endpoint's own about it. */
  readonly words?: string;
  readonly connection?: ConnectionFault;
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function retryWish(headers: IncomingHttpHeaders, now: number): number | undefined {
  const milliseconds = Number.parseFloat(String(headers['retry-after-ms'] ?? ''));
  if (milliseconds >= 0) return milliseconds / 1000;
  const text = headers['retry-after']?.trim() ?? '';
  if (text === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000);
}

/** Seconds before attempt `retry` (from 1). */
export function pauseSeconds(retry: number, wish: number | undefined): number {
  if (wish !== undefined) return Math.min(wish, longestWishSeconds);
  return Math.min(firstPauseSeconds * 2 ** (retry - 1), longestPauseSeconds);
}

/** What was thrown before the package put an error of its own around it. */
function causeOf(error: unknown): unknown {
  return (error as { cause?: unknown }).cause ?? error;
}

function faultOf(error: unknown, key: string): Fault {
  if (error instanceof APIUserAbortError || error instanceof APIConnectionTimeoutError) {
    return { fault: 'timeout', retry: true };
  }
  const cause = causeOf(error);
  if (cause instanceof AnswerFault) return { fault: cause.message, retry: false };
  if (cause instanceof StatusFault) {
    const { status, headers, body, message } = cause;
    return {
      fault: message,
      retry: status >= 500 || worthRetrying.has(status),
      wish: retryWish(headers, Date.now()),
      status,
      words: endpointWords(body, key),
    };
  }
  const connection = connectionFault(cause);
  return { fault: 'the connection failed', retry: connection.advice === undefined, connection };
}

/**
 * One per thread. `stop` ends all calls that are under way.
 *
 * @example const call = createChatCall(settings, stop); const { action } = await call(prompt);
 */
export function createChatCall(
  settings: CallSettings,
  stop: AbortSignal,
): (task: PromptParts) => Promise<CallResult> {
  const { apiKey, baseUrl, retries, timeoutSeconds } = settings;
  const gate = new SendGate();
  const client = new OpenAI({
    // The package insists on a key; endpoints that need none ignore it.
    apiKey: apiKey === '' ? 'none' : apiKey,
    baseURL: baseUrl,
    maxRetries: 0,
    timeout: timeoutSeconds * 1000,
    fetch: createLimitedFetch(gate.sent),
    logLevel: 'off',
  });

  const attempt = async (body: ReturnType<typeof requestBody>): Promise<{ answer: unknown } | Fault> => {
    try {
      const signal = AbortSignal.any([stop, AbortSignal.timeout(timeoutSeconds * 1000)]);
      return { answer: await client.chat.completions.create(body, { signal }) };
    } catch (error) {
      return faultOf(error, apiKey);
    }
  };

  const endedWith = (
    start: number,
    lastStart: number,
    retried: number,
    action: number,
    reply: Pick<CallResult['reply'], 'outcome' | 'fault' | 'text'> & { tokens: TokenCounts },
  ): CallResult => {
    const text = redact(reply.text, apiKey).slice(0, longestReplyText);
    return {
      action,
      seconds: (performance.now() - start) / 1000,
      lostSeconds: (lastStart - start) / 1000,
      reply: { ...reply, text, retries: retried },
    };
  };

  const callWithRetries = async (task: PromptParts): Promise<CallResult> => {
    const start = performance.now();
    const body = requestBody(settings.request, task);
    for (let retry = 0; ; retry++) {
      const attemptStart = performance.now();
      // oxlint-disable-next-line no-await-in-loop -- an attempt follows from the one before
      const result = await attempt(body);
      if ('answer' in result) {
        const tokens = readUsage(result.answer);
        const text = readMessage(result.answer);
        const lastStart = retry === 0 ? start : attemptStart;
        if (text === undefined) {
          const fault = 'an answer without a message';
          return endedWith(start, lastStart, retry, noAction, {
            outcome: 'parse-error',
            fault,
            tokens,
            text: '',
          });
        }
        const parsed = parseReply(text);
        const action = parsed.outcome === 'action' ? actionCode(parsed.action) : noAction;
        const { outcome } = parsed;
        return endedWith(start, lastStart, retry, action, { outcome, tokens, text });
      }
      const { fault, wish, status, words = '', connection } = result;
      if (!result.retry || retry >= retries || stop.aborted) {
        const reply = { outcome: 'parse-error' as const, fault, tokens: noTokenCounts, text: words };
        const ended = endedWith(start, performance.now(), retry, noAction, reply);
        return { ...ended, ...(status && { status }), ...(connection && { connection }) };
      }
      // oxlint-disable-next-line no-await-in-loop -- likewise
      await sleep(pauseSeconds(retry + 1, wish) * 1000, undefined, { signal: stop }).catch(() => {});
    }
  };

  return (task) => gate.start(() => callWithRetries(task));
}
