// A small run in a process of its own, for tests that kill it: `node --import tsx runInChild.ts FOLDER`.
import { longerRun, runSmall } from './testRun.ts';

const folder = process.argv[2];
if (folder === undefined) throw new Error('which folder?');
await runSmall(folder, { ...longerRun, envs: '3' });
