// A small collection in a process of its own, for tests that kill it or take its disk away:
// `node --import tsx collectInChild.ts FOLDER FORMATS MILLISECONDS`, which waits so long before every step.
import { setTimeout as delay } from 'node:timers/promises';
import { reportFailure } from '../../../../src/host/command-line/main.ts';
import { openScripted } from './scriptedEnvironment.ts';
import { collectSmall } from './testCollection.ts';

const [folder, format, milliseconds] = process.argv.slice(2);
if (folder === undefined || format === undefined) throw new Error('which folder and formats?');
try {
  const open = openScripted(new Map(), async () => {
    await delay(Number(milliseconds));
  });
  await collectSmall(folder, { format }, { open });
} catch (error) {
  process.exitCode = reportFailure(error);
}
