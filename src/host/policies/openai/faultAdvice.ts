// What a user can do about an endpoint that did not answer.
import type { CallResult } from './callTask.ts';

/** Statuses that will be the same next time: ask no further. */
const refusals = new Set([401, 403, 404]);
const tooMany = 429;

/** What to do about a refusal that lasts; undefined for one that may pass, or that is about one request. */
export function refusalAdvice(
  status: number | undefined,
  { model, apiKeyEnv }: { readonly model: string; readonly apiKeyEnv: string },
): string | undefined {
  if (status === undefined || !refusals.has(status)) return undefined;
  return status === 404
    ? `is there a model "${model}" at this URL?`
    : `is the key in the environment variable ${apiKeyEnv} right?`;
}

/** What to do about a fault of a warm-up call. */
export function warmUpAdvice({ status = 0, connection }: Pick<CallResult, 'status' | 'connection'>): string {
  const without = 'or leave warm-up calls out with --warm-up 0';
  if (connection !== undefined) return `start the endpoint, correct --base-url, ${without}`;
  if (status === tooMany) return `ask less at once with --in-flight, later, ${without}`;
  if (status >= 500) return `see what the endpoint itself logs about it, ${without}`;
  if (status >= 400)
    return 'correct what is asked for: --model, --max-tokens-field, --reasoning-effort, --temperature, --cameras, --extra-body';
  return `is --base-url that of a chat endpoint, up to /v1? Correct it, give more --request-timeout, ${without}`;
}
