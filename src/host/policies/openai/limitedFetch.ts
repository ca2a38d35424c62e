// A fetch that reads the whole body, up to a bound, so that one timeout covers it and no answer fills the memory.

/** Longest answer that is read. */
export const longestAnswerBytes = 4 * 1024 * 1024;

/** Something about an answer makes it useless; the message says what, for the record. */
export class AnswerFault extends Error {
  override readonly name = 'AnswerFault';
}

async function readBody(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // A body that is not read to its end is cancelled by leaving the loop.
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > longestAnswerBytes) throw new AnswerFault('an answer of more than 4 MiB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** @throws AnswerFault for an answer that is too long, empty or not JSON; what `fetch` throws. */
export async function limitedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  const body = await readBody(response);
  const { status, statusText, headers } = response;
  if (!response.ok) return new Response(body, { status, statusText, headers });
  if (body.trim() === '') throw new AnswerFault('an empty body');
  try {
    JSON.parse(body);
  } catch {
    throw new AnswerFault('an answer that is not JSON');
  }
  return new Response(body, { status, headers: { 'content-type': 'application/json' } });
}
