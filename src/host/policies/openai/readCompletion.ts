// What is used of an endpoint's answer. Nothing in it is trusted to be there or to be what it should.
import type { TokenCounts } from '../../records/replyRecord.ts';

export const noTokenCounts: TokenCounts = { prompt: null, completion: null, reasoning: null, cached: null };

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

function tokenCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** Tokens by the `usage` of an answer. */
export function readUsage(answer: unknown): TokenCounts {
  const usage = member(answer, 'usage');
  return {
    prompt: tokenCount(member(usage, 'prompt_tokens')),
    completion: tokenCount(member(usage, 'completion_tokens')),
    reasoning: tokenCount(member(member(usage, 'completion_tokens_details'), 'reasoning_tokens')),
    cached: tokenCount(member(member(usage, 'prompt_tokens_details'), 'cached_tokens')),
  };
}

/**
 * The message of an answer: a text, or the text parts of a list. What a server puts into `reasoning_content` is thinking,
 * no answer. Empty when the model said nothing; undefined when there is no message.
 */
export function readMessage(answer: unknown): string | undefined {
  const choices = member(answer, 'choices');
  const message = Array.isArray(choices) ? member(choices[0], 'message') : undefined;
  if (typeof message !== 'object' || message === null) return undefined;
  const content = member(message, 'content');
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const parts = content.map((part) => member(part, 'text'));
  return parts.filter((part) => typeof part === 'string').join('');
}
