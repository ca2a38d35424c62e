// A small run in a process of its own, for tests that kill it: `node --import tsx runInChild.ts FOLDER RUN`.
import { longerRuns, runSmall } from './testRun.ts';

const [folder, run] = process.argv.slice(2);
if (folder === undefined) throw new Error('which folder?');
await runSmall(folder, { ...longerRuns[run as keyof typeof longerRuns], envs: '3' });
