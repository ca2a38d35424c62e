// A bare client beside a test: what this machine adds to a request by itself, while other work goes on.
import { request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

let mostExcess = 0;

function ask() {
  const start = performance.now();
  const asked = request(workerData.url, { method: 'POST' }, (response) => {
    const chunks = [];
    response.on('data', (chunk) => chunks.push(chunk));
    response.on('end', () => {
      const seconds = (performance.now() - start) / 1000;
      mostExcess = Math.max(mostExcess, seconds - JSON.parse(Buffer.concat(chunks).toString()).seconds);
      setTimeout(ask, 10);
    });
  });
  asked.end('{}');
}

ask();
parentPort.on('message', () => {
  parentPort.postMessage(mostExcess);
  mostExcess = 0;
});
