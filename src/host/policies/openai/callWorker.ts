// Worker: calls a chat endpoint; many calls wait in one thread.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BroadcastChannel } from 'node:worker_threads';
import { workerData } from 'piscina';
import type { CallResult, CallTask, CallWorkerData } from './callTask.ts';
import { createChatCall } from './chatCall.ts';

const { settings, stopChannel } = workerData as CallWorkerData;
const stop = new AbortController();
const channel = new BroadcastChannel(stopChannel);
channel.addEventListener('message', () => stop.abort());
channel.unref();
const call = createChatCall(settings, stop.signal);

/** The first calls of a thread take a tenth of a second of its own to compile, which is nobody's thought. */
const rehearsals = 30;
const answer = JSON.stringify({
  choices: [{ message: { role: 'assistant', content: 'Action: wait\nParam: 1\nReasoning: A rehearsal.' } }],
  usage: { prompt_tokens: 1, completion_tokens: 1 },
});

/** Calls a server of its own. */
async function rehearse(): Promise<undefined> {
  const server = createServer((_, response) => response.end(answer));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const rehearsed = createChatCall(
    { ...settings, baseUrl: `http://127.0.0.1:${port}`, apiKey: '', retries: 0 },
    stop.signal,
  );
  const prompt = { system: 'A rehearsal.', user: 'A rehearsal.', imageUrls: [] };
  for (let count = 0; count < rehearsals; count++) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other is what a thread does
    await rehearsed(prompt);
  }
  server.close();
  server.closeAllConnections();
  return undefined;
}

export default function callTask(task: CallTask): Promise<CallResult | undefined> {
  return task === 'rehearse' ? rehearse() : call(task);
}
