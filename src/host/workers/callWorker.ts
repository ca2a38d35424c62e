// Worker: calls a chat endpoint; many calls wait in one thread.
import { BroadcastChannel } from 'node:worker_threads';
import { workerData } from 'piscina';
import { createChatCall } from '../policies/openai/chatCall.ts';
import { limitedFetch } from '../policies/openai/limitedFetch.ts';
import type { CallResult, CallTask, CallWorkerData } from './callTask.ts';

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

async function rehearse(): Promise<undefined> {
  const url = `data:application/json,${encodeURIComponent(answer)}`;
  const rehearsed = createChatCall({ ...settings, retries: 0 }, stop.signal, () => limitedFetch(url));
  const prompt = { system: 'A rehearsal.', user: 'A rehearsal.', imageUrls: [] };
  for (let count = 0; count < rehearsals; count++) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other is what a thread does
    await rehearsed(prompt);
  }
  return undefined;
}

export default function callTask(task: CallTask): Promise<CallResult | undefined> {
  return task === 'rehearse' ? rehearse() : call(task);
}
