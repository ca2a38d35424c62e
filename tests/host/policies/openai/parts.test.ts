// The small parts: options, waiting between attempts, what is read of an answer, slots.
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { UsageError } from '../../../../src/host/errors.ts';
import { pauseSeconds, retryWish } from '../../../../src/host/policies/openai/chatCall.ts';
import { endpointWords } from '../../../../src/host/policies/openai/endpointWords.ts';
import { openaiPolicy } from '../../../../src/host/policies/openai/openaiPolicy.ts';
import { readMessage, readUsage } from '../../../../src/host/policies/openai/readCompletion.ts';
import { redact } from '../../../../src/host/policies/openai/redact.ts';
import { requestBody } from '../../../../src/host/policies/openai/requestBody.ts';
import { type OpenaiOptions, readOpenaiSettings } from '../../../../src/host/policies/openai/settings.ts';
import { parsePolicy } from '../../../../src/host/policies/parsePolicy.ts';
import { Slots } from '../../../../src/host/workers/slots.ts';

const local = { baseUrl: 'http://127.0.0.1:8000/v1/', model: 'qwen' };

test('options have defaults, and a local endpoint needs no key', () => {
  const settings = readOpenaiSettings(local, {});
  expect(settings).toMatchObject({
    baseUrl: 'http://127.0.0.1:8000/v1',
    apiKey: '',
    timingNote: 'same',
    timeoutSeconds: 120,
    retries: 2,
    inFlight: 16,
    warmUp: 1,
    request: { model: 'qwen', imageDetail: 'auto', extraBody: {} },
  });
  const prompt = { system: 's', user: 'u', imageUrls: [] };
  expect(requestBody(settings.request, prompt)).toEqual({
    model: 'qwen',
    messages: [
      { role: 'system', content: 's' },
      { role: 'user', content: 'u' },
    ],
  });
});

test('the policy is named by its model, and its settings hold no key', () => {
  const policy = parsePolicy('openai:qwen3-vl', { baseUrl: local.baseUrl, apiKeyEnv: 'PATH' });
  expect(policy.name).toBe('openai:qwen3-vl');
  expect(JSON.stringify(policy.settings)).not.toContain(process.env.PATH);
});

test('the settings name the endpoint in one way, and a key in its path is taken out', () => {
  const baseUrl = 'HTTP://Host:80/sk-1/v1//';
  const settings = readOpenaiSettings({ ...local, baseUrl, apiKeyEnv: 'KEY' }, { KEY: 'sk-1' });
  expect(settings.baseUrl).toBe('http://host/sk-1/v1');
  expect(openaiPolicy(settings).settings).toMatchObject({ baseUrl: 'http://host/[key]/v1', model: 'qwen' });
});

test.each<[OpenaiOptions, RegExp]>([
  [{ model: 'gpt' }, /found no key in the environment variable OPENAI_API_KEY/],
  [{ ...local, model: ' ' }, /no --model/],
  [{ ...local, baseUrl: 'ftp://here' }, /--base-url: found "ftp/],
  [{ ...local, baseUrl: 'here' }, /--base-url: found "here"/],
  [{ ...local, temperature: 'hot' }, /--temperature: found "hot", allowed is a number from 0 to 2/],
  [{ ...local, maxTokens: '1.5' }, /--max-tokens: .* a whole number/],
  [{ ...local, maxTokensField: 'tokens' }, /--max-tokens-field: .*max_tokens, max_completion_tokens/],
  [{ ...local, imageDetail: 'ultra' }, /--image-detail/],
  [{ ...local, timingNote: 'none' }, /--timing-note: .*same, mode/],
  [{ ...local, extraBody: '{' }, /--extra-body: found text that is not JSON/],
  [{ ...local, extraBody: '[1]' }, /^--extra-body: found \[1\], allowed is a JSON object/],
  [
    { ...local, extraBody: '{"__proto__":{}}' },
    /^--extra-body: found the member "__proto__", allowed is any /,
  ],
  [{ ...local, extraBody: '{"a":{"__proto__":1}}' }, /^--extra-body: found the member "__proto__"/],
  [
    { ...local, maxTokensField: 'max_tokens' },
    /^--max-tokens-field: found no --max-tokens, allowed is both or neither$/,
  ],
  [
    { ...local, cameras: 'none', imageSize: '360x320' },
    /^--image-size: found --cameras none, allowed is a camera/,
  ],
  [{ ...local, cameras: ' none', earlierFrames: '1' }, /^--earlier-frames: found --cameras none, /],
  [{ ...local, cameras: 'none', imageDetail: 'low' }, /^--image-detail: found --cameras none, /],
  [{ ...local, extraBody: 'null' }, /^--extra-body: found null, allowed is a JSON object/],
  ...[
    'model',
    'messages',
    'stream',
    'reasoning_effort',
    'temperature',
    'max_tokens',
    'max_completion_tokens',
  ].map((name): [OpenaiOptions, RegExp] => [
    { ...local, extraBody: `{"top_p":1,"${name}":0}` },
    new RegExp(`--extra-body: found the member "${name}", allowed is any but model, messages, `),
  ]),
  [{ ...local, reasoningEffort: ' ' }, /--reasoning-effort: found " ", allowed is a level/],
  [{ ...local, requestTimeout: '0' }, /--request-timeout/],
  [{ ...local, retries: '-1' }, /--retries/],
  [{ ...local, inFlight: '0' }, /--in-flight/],
  [{ ...local, warmUp: 'x' }, /--warm-up/],
])('%j is refused in one line', (options, message) => {
  expect(() => readOpenaiSettings(options, {})).toThrow(UsageError);
  expect(() => readOpenaiSettings(options, {})).toThrow(message);
});

test.each([
  ['http://me:hunter2@host/v1', /^--base-url: found a URL with a user or password, /],
  ['http://host/v1?key=hunter2', /^--base-url: found a URL with a query or fragment, /],
  ['http://host/v1#hunter2', /^--base-url: found a URL with a query or fragment, /],
])('%s is refused, and the secret in it is not repeated', (baseUrl, message) => {
  const read = () => readOpenaiSettings({ ...local, baseUrl }, {});
  expect(read).toThrow(message);
  expect(read).not.toThrow(/hunter2/);
});

test.each<[Record<string, string>, number | undefined]>([
  [{}, undefined],
  [{ 'retry-after': '7' }, 7],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:20 GMT' }, 10],
  [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:01 GMT' }, 0],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after-ms': '250', 'retry-after': '7' }, 0.25],
])('the wish of %j is %s s', (headers, wish) => {
  expect(retryWish(headers, 10_000)).toBe(wish);
});

test('pauses double up to 8 s, and wishes are followed up to a minute', () => {
  expect([1, 2, 3, 4, 5, 6, 20].map((retry) => pauseSeconds(retry, undefined))).toEqual([
    0.5, 1, 2, 4, 8, 8, 8,
  ]);
  expect([pauseSeconds(1, 0), pauseSeconds(1, 30), pauseSeconds(1, 3600)]).toEqual([0, 30, 60]);
});

test.each([
  [{ choices: [{ message: { content: 'hello' } }] }, 'hello'],
  [{ choices: [{ message: { content: null } }] }, ''],
  [
    { choices: [{ message: { content: [{ type: 'text', text: 'a' }, { type: 'image' }, { text: 'b' }] } }] },
    'ab',
  ],
  [{ choices: [{ message: 'hello' }] }, undefined],
  [{ choices: [{}] }, undefined],
  [{ choices: {} }, undefined],
  ['text', undefined],
  [null, undefined],
  [7, undefined],
])('the message of %j is %s', (answer, message) => {
  expect(readMessage(answer)).toBe(message);
});

test('usage is taken where it is whole numbers', () => {
  const usage = {
    prompt_tokens: 5,
    completion_tokens: 1.5,
    completion_tokens_details: { reasoning_tokens: 3 },
    prompt_tokens_details: { cached_tokens: '2' },
  };
  expect(readUsage({ usage })).toEqual({ prompt: 5, completion: null, reasoning: 3, cached: null });
  expect(readUsage({ usage: [] })).toEqual({ prompt: null, completion: null, reasoning: null, cached: null });
});

test('a key is taken out everywhere it stands', () => {
  expect(redact('sk-1 and Bearer sk-1', 'sk-1')).toBe('[key] and Bearer [key]');
  expect(redact('nothing', '')).toBe('nothing');
});

test.each([
  ['{"error":{"message":"Unsupported parameter: \'max_tokens\'"}}', "Unsupported parameter: 'max_tokens'"],
  ['{"error":"model not loaded"}', 'model not loaded'],
  ['{"object":"error","message":"too long","code":400}', 'too long'],
  ['{"detail":"Not Found"}', 'Not Found'],
  ['{"detail":[{"loc":["body"]}]}', '{"detail":[{"loc":["body"]}]}'],
  ['<html>\r\n <b>502</b>\u001B[31m\n</html>', '<html> <b>502</b> [31m </html>'],
  ['{"error":{"message":"no key sk-1"}}', 'no key [key]'],
  [`${'x'.repeat(195)}sk-1`, `${'x'.repeat(195)}[key]`],
  [`${'x'.repeat(196)}sk-1 and more`, `${'x'.repeat(196)}[...`],
  ['\u{1F6B6}'.repeat(5000), `${'\u{1F6B6}'.repeat(98)}...`],
  ['{"error":'.repeat(50_000), `${'{"error":'.repeat(50).slice(0, 197)}...`],
  [`${'{"error":'.repeat(50_000)}1${'}'.repeat(50_000)}`, `${'{"error":'.repeat(50).slice(0, 197)}...`],
  ['', ''],
])('of the body %j is kept %j', (body, words) => {
  expect(endpointWords(body, 'sk-1')).toBe(words);
});

test('slots bound what is under way, in order, also when work fails', async () => {
  const slots = new Slots(2);
  let underway = 0;
  let most = 0;
  const begun: number[] = [];
  const work = Array.from({ length: 7 }, (_, number) =>
    slots.run(async () => {
      begun.push(number);
      most = Math.max(most, ++underway);
      await delay(2);
      underway--;
      if (number === 1) throw new Error('failed');
    }),
  );
  const results = await Promise.allSettled(work);
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(most).toBe(2);
});
