// What a policy behind a wire answered, counted: replies that could not be used, retries, tokens, waiting.
import { counted } from '../counted.ts';
import type { EpisodeDecision } from '../records/episodeRecord.ts';

interface ReplyAmounts {
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

export interface ReplyCounts extends ReplyAmounts {
  /** How often each fault was met, the most frequent first. */
  faultKinds: Readonly<Record<string, number>>;
}

function noAmounts(): ReplyAmounts {
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

function addKinds(counts: readonly (readonly [kind: string, count: number])[]): Record<string, number> {
  const total = new Map<string, number>();
  for (const [kind, count] of counts) total.set(kind, (total.get(kind) ?? 0) + count);
  const byName = [...total].toSorted(([first], [second]) => (first < second ? -1 : 1));
  return Object.fromEntries(byName.toSorted(([, first], [, second]) => second - first));
}

/** @example countReplies(record.trace).parseErrors */
export function countReplies(trace: readonly EpisodeDecision[]): ReplyCounts {
  const counts = noAmounts();
  const faults: [string, number][] = [];
  for (const { reply, queueSeconds } of trace) {
    if (reply === undefined) continue;
    counts.asked++;
    if (reply.outcome === 'parse-error') counts.parseErrors++;
    if (reply.outcome === 'invalid') counts.invalid++;
    if (reply.fault !== undefined) {
      counts.faults++;
      faults.push([reply.fault, 1]);
    }
    counts.retries += reply.retries;
    counts.promptTokens += reply.tokens.prompt ?? 0;
    counts.completionTokens += reply.tokens.completion ?? 0;
    counts.reasoningTokens += reply.tokens.reasoning ?? 0;
    counts.requestSeconds += reply.seconds;
    counts.queueSeconds += queueSeconds;
  }
  return { ...counts, faultKinds: addKinds(faults) };
}

/** The sum of all; undefined when nothing was asked. */
export function addReplies(all: readonly ReplyCounts[]): ReplyCounts | undefined {
  const total = noAmounts();
  for (const counts of all) {
    for (const name of Object.keys(total) as (keyof ReplyAmounts)[]) total[name] += counts[name];
  }
  if (total.asked === 0) return undefined;
  return { ...total, faultKinds: addKinds(all.flatMap(({ faultKinds }) => Object.entries(faultKinds))) };
}

/** Kinds that are named in a line; the others are one number. */
const mostKinds = 4;

/**
 * Why replies did not come, in a line; undefined when all came.
 *
 * @example faultText([replies]) // '39 of 64 replies did not come: status 400 (37), timeout (2)'
 */
export function faultText(all: readonly (ReplyCounts | undefined)[]): string | undefined {
  const total = addReplies(all.filter((counts) => counts !== undefined));
  if (total === undefined || total.faults === 0) return undefined;
  const { asked, faults, faultKinds } = total;
  const kinds = Object.entries(faultKinds);
  const named = kinds.slice(0, mostKinds);
  const others = kinds.slice(mostKinds).reduce((sum, [, count]) => sum + count, 0);
  if (others > 0) named.push(['others', others]);
  return `${faults} of ${counted(asked, 'reply', 'replies')} did not come: ${named.map(([kind, count]) => `${kind} (${count})`).join(', ')}`;
}
