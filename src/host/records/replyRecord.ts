// What a policy behind a wire answered, as episodes.jsonl keeps it with the decision.
import { z } from 'zod';

export const replyOutcomes = ['action', 'invalid', 'parse-error'] as const;

function amountOf(error: string) {
  return z.number({ error }).min(0, { error });
}

const seconds = amountOf('a number of seconds from 0');
const tokens = z.int({ error: 'a whole number from 0' }).min(0, { error: 'a whole number from 0' });

/** Tokens as the endpoint counted them; null: it did not. */
const tokenCounts = z.strictObject(
  {
    prompt: tokens.nullable(),
    completion: tokens.nullable(),
    /** Of the completion's. */
    reasoning: tokens.nullable(),
    /** Of the prompt's. */
    cached: tokens.nullable(),
  },
  { error: 'an object with the keys "prompt", "completion", "reasoning", "cached"' },
);

export const replyRecordSchema = z.strictObject(
  {
    /** `invalid`: an action was named that there is not; `parse-error`: none was, or there was no reply at all. */
    outcome: z.enum(replyOutcomes, {
      error: `one of ${replyOutcomes.map((name) => `"${name}"`).join(', ')}`,
    }),
    /** Why there was no reply. */
    fault: z.string({ error: 'a text' }).exactOptional(),
    /** Wall time of the request: making it up, the call with its retries, reading the reply. */
    seconds,
    /** Attempts after the first. */
    retries: z.int({ error: 'a whole number from 0' }).min(0, { error: 'a whole number from 0' }),
    tokens: tokenCounts,
    /** The reply, cut to `longestReplyText` characters, keys taken out. */
    text: z.string({ error: 'a text' }),
  },
  { error: 'a reply' },
);

export type Reply = z.infer<typeof replyRecordSchema>;
export type TokenCounts = Reply['tokens'];

/** Characters of a reply that are kept. */
export const longestReplyText = 4000;
