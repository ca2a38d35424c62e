// `rtsafe run --policy openai`: the table tells how replies were, a wrong key ends the run, bad options are one line.
import { existsSync } from 'node:fs';
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
  [['--policy', 'greedy']],
])('%j: one line, exit code 2, nothing written', async (parts) => {
  const folder = newPath();
  const { exitCode, stdout, stderr } = await runCaptured(...asked, ...parts, '--out', folder);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^rtsafe: [^\n]*found [^\n]*allowed [^\n]*\n$/);
  expect(existsSync(folder)).toBe(false);
});
