// What a policy behind a wire answered, counted: replies that could not be used, retries, tokens, waiting.
import type { EpisodeDecision } from '../records/episodeRecord.ts';

export interface ReplyCounts {
  /** Decisions that were asked for. */
  asked: number;
  /** No action was named: the reply could not be read, or there was none. */
  parseErrors: number;
  /** Of these, without any reply: timeouts, cut connections, error statuses, useless answers. */
  faults: number;
  /** An action was named that there is not. */
  invalid: number;
  retries: number;
  promptTokens: number;
  completionTokens: number;
  /** Of the completion's. */
  reasoningTokens: number;
  /** Wall time of all requests, whatever was charged. */
  requestSeconds: number;
  /** Wall time waiting for their turn. */
  queueSeconds: number;
}

export function noReplies(): ReplyCounts {
  return {
    asked: 0,
    parseErrors: 0,
    faults: 0,
    invalid: 0,
    retries: 0,
    promptTokens: 0,
    completionTokens: 0,
    reasoningTokens: 0,
    requestSeconds: 0,
    queueSeconds: 0,
  };
}

/** @example countReplies(record.trace).parseErrors */
export function countReplies(trace: readonly EpisodeDecision[]): ReplyCounts {
  const counts = noReplies();
  for (const { reply, queueSeconds } of trace) {
    if (reply === undefined) continue;
    counts.asked++;
    if (reply.outcome === 'parse-error') counts.parseErrors++;
    if (reply.outcome === 'invalid') counts.invalid++;
    if (reply.fault !== undefined) counts.faults++;
    counts.retries += reply.retries;
    counts.promptTokens += reply.tokens.prompt ?? 0;
    counts.completionTokens += reply.tokens.completion ?? 0;
    counts.reasoningTokens += reply.tokens.reasoning ?? 0;
    counts.requestSeconds += reply.seconds;
    counts.queueSeconds += queueSeconds;
  }
  return counts;
}

/** The sum of all; undefined when nothing was asked. */
export function addReplies(all: readonly ReplyCounts[]): ReplyCounts | undefined {
  const total = noReplies();
  for (const counts of all) {
    for (const name of Object.keys(total) as (keyof ReplyCounts)[]) total[name] += counts[name];
  }
  return total.asked === 0 ? undefined : total;
}
