// The server of chatEndpoint.ts, over TLS when it is given an identity, in a thread of its own: a test that simulates must not hold up its answers.
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const { answers, identity } = workerData;
const received = [];
let underway = 0;
let mostUnderway = 0;

function completion(
  number,
  { text = '', usage = { prompt_tokens: 700, completion_tokens: 20, total_tokens: 720 } },
) {
  return JSON.stringify({
    id: 'test',
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text.replace('{number}', String(number)) },
        finish_reason: 'stop',
      },
    ],
    ...(usage === null ? {} : { usage }),
  });
}

async function serve(request, response) {
  const chunks = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
  } catch {
    return;
  }
  const start = performance.now();
  if (request.url === '/control') {
    await delay(20);
    response.end(JSON.stringify({ seconds: (performance.now() - start) / 1000 }));
    return;
  }
  const number = received.length;
  const entry = {
    body: JSON.parse(Buffer.concat(chunks).toString()),
    authorization: request.headers.authorization,
    seconds: 0,
  };
  received.push(entry);
  mostUnderway = Math.max(mostUnderway, ++underway);
  const answer = answers[Math.min(number, answers.length - 1)];
  await delay((answer.delaySeconds ?? 0) * 1000);
  const headers = { 'content-type': 'application/json', ...answer.headers };
  const body = (answer.body ?? completion(number, answer)) + ' '.repeat(answer.paddingBytes ?? 0);
  entry.seconds = (performance.now() - start) / 1000;
  if (answer.cut === 'before') request.socket.destroy();
  else if (answer.cut === 'within') {
    response.writeHead(200, { ...headers, 'content-length': String(body.length + 100) });
    response.write(body, () => request.socket.destroy());
  } else {
    response.writeHead(answer.status ?? 200, headers);
    response.end(body);
  }
  underway--;
}

const listener = (request, response) => void serve(request, response);
const server =
  identity === undefined
    ? createServer(listener)
    : createSecureServer({ cert: identity.certificate, key: identity.key }, listener);
server.listen(0, '127.0.0.1', () => parentPort.postMessage({ port: server.address().port }));
parentPort.on('message', () => parentPort.postMessage({ received, mostUnderway }));
