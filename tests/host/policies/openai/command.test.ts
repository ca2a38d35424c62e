// `rtsafe run --policy openai`: the table tells how replies were, a wrong key ends the run, bad options are one line.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as execute from '../../../../src/host/run/executeRun.ts';
import { runCaptured } from '../../command-line/captured.ts';
import { openReference } from '../../run/referenceSimulator.ts';
import { newPath } from '../../run/testRun.ts';
import { folderText, secretKey } from './askedRun.ts';
import { ChatEndpoint } from './chatEndpoint.ts';

vi.mock('../../../../src/host/run/executeRun.ts', { spy: true });

beforeEach(() => {
  vi.mocked(execute.simulatorOn).mockReturnValue(openReference);
});
afterEach(() => {
  vi.clearAllMocks();
});

const run =
  'run --routes rt12:8 --difficulty easy --mode realtime --max-decisions 3 --policy openai --model m --latency measured';
const asked = [...run.split(' '), '--api-key-env', 'RTSAFE_TEST_KEY'];

test('the table shows replies, parse errors and tokens, and verify passes', async () => {
  const answer = { text: 'Action: wait\nParam: 1' };
  const endpoint = await ChatEndpoint.start(answer, { text: 'no idea' }, answer);
  const folder = newPath();
  const parts = ['--base-url', endpoint.baseUrl, '--warm-up', '0', '--out', folder];
  const { exitCode, stdout, stderr } = await runCaptured(...asked, ...parts);
  await endpoint.stop();
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^easy, rt-safe, openai:m, measured +real-time\n/);
  expect(stdout).toMatch(/\nlatency, median +\d\.\d\d s\nreplies +3\n {2}parse errors +1\n/);
  expect(stdout).toMatch(/\n {2}completion tokens +60\n/);
  expect((await runCaptured('verify', folder)).exitCode).toBe(0);
});

test('which replies did not come stands at the end of a run and in its report, the most frequent first', async () => {
  const refusal = { status: 400, body: '{"error":{"message":"Unsupported parameter"}}' };
  const endpoint = await ChatEndpoint.start({ body: '' }, refusal);
  const folder = newPath();
  const parts = ['--base-url', endpoint.baseUrl, '--warm-up', '0', '--out', folder];
  const { exitCode, stdout } = await runCaptured(...asked, ...parts);
  await endpoint.stop();
  const line = '3 of 3 replies did not come: status 400 (2), an empty body (1)';
  expect(exitCode).toBe(0);
  expect(stdout).toContain(
    `\n\n${line}; what the endpoint said, if anything, is in ${join(folder, 'episodes.jsonl')}\n`,
  );
  expect(folderText(folder)).toContain('"text":"Unsupported parameter"');
  const report = join(folder, 'report.md');
  expect((await runCaptured('report', folder, '--format', 'md', '--out', report)).exitCode).toBe(0);
  expect(readFileSync(report, 'utf8')).toContain(line);
});

test('a wrong key: one line, exit code 1, the key nowhere', async () => {
  const endpoint = await ChatEndpoint.start({
    status: 401,
    body: `{"error":{"message":"no key ${secretKey}"}}`,
  });
  const folder = newPath();
  const { exitCode, stdout, stderr } = await runCaptured(
    ...asked,
    '--base-url',
    endpoint.baseUrl,
    '--out',
    folder,
  );
  await endpoint.stop();
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^rtsafe: [^\n]* refuses the request: 401 [^\n]*RTSAFE_TEST_KEY right\?\n$/);
  expect(`${stderr}${folderText(folder)}`).not.toContain(secretKey);
});

test.each([
  [['--base-url', 'nowhere']],
  [['--base-url', 'http://127.0.0.1:1/v1', '--extra-body', '{']],
  [['--base-url', 'http://127.0.0.1:1/v1', '--in-flight', 'many']],
  [['--base-url', 'http://127.0.0.1:1/v1', '--extra-body', '{"__proto__": {"top_p": 1}}']],
  [['--base-url', 'http://127.0.0.1:1/v1', '--max-tokens-field', 'max_tokens']],
  [['--policy', 'greedy']],
])('%j: one line, exit code 2, nothing written', async (parts) => {
  const folder = newPath();
  const { exitCode, stdout, stderr } = await runCaptured(...asked, ...parts, '--out', folder);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^rtsafe: [^\n]*found [^\n]*allowed [^\n]*\n$/);
  expect(existsSync(folder)).toBe(false);
});

const ofOpenai: readonly string[][] = [
  ['--base-url', 'nowhere'],
  ['--model', 'm'],
  ['--api-key-env', 'KEY'],
  ['--reasoning-effort', 'low'],
  ['--temperature', 'hot'],
  ['--max-tokens', '10'],
  ['--max-tokens-field', 'none'],
  ['--cameras', 'left'],
  ['--image-size', '1x1'],
  ['--earlier-frames', '99'],
  ['--keep-prompts'],
  ['--image-detail', 'some'],
  ['--extra-body', '{'],
  ['--timing-note', 'late'],
  ['--request-timeout', '0'],
  ['--retries', '-1'],
  ['--in-flight', '0'],
  ['--warm-up', 'x'],
];

test.each(ofOpenai)('%s is refused where no policy takes it', async (...parts) => {
  const folder = newPath();
  for (const [command, policies] of [
    ['run', 'greedy'],
    ['sweep', 'wait, stand-in:sol'],
  ] as const) {
    const given = [command, '--policy', policies, ...parts, '--out', folder];
    // oxlint-disable-next-line no-await-in-loop -- both catch what is written
    const { exitCode, stdout, stderr } = await runCaptured(...given);
    expect([exitCode, stdout]).toEqual([2, '']);
    const names = policies.replaceAll(/\s/g, '').replaceAll(',', ', ');
    expect(stderr).toBe(`rtsafe: ${parts[0]}: found the policy ${names}, allowed is the policy openai\n`);
    expect(existsSync(folder)).toBe(false);
  }
});

test('every option of openai is among those', async () => {
  const { stdout } = await runCaptured('run', '--help');
  const options = stdout.slice(stdout.indexOf('Policy openai')).match(/^ {2}--[a-z-]+/gm)!;
  expect(options.map((option) => option.trim())).toEqual(ofOpenai.map(([option]) => option));
});

test('a model in two places is refused', async () => {
  const parts = 'run --policy openai:a --model b --base-url http://127.0.0.1:1/v1';
  const { exitCode, stderr } = await runCaptured(...parts.split(' '));
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^rtsafe: --model: found a model in --policy openai:a too, allowed is either\n$/);
});
