#!/usr/bin/env node
// The installed command: starts the compiled command line.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// A reader that is gone is no fault of the command; a full disk is.
process.stdout.on('error', ({ code, message }) => {
  if (code === 'EPIPE') process.exit(0);
  process.stderr.write(`rtsafe: standard output: ${message}\n`);
  process.exit(1);
});

const main = new URL('../dist/host/command-line/main.js', import.meta.url);
if (existsSync(fileURLToPath(main))) {
  const { runCommandLine } = await import(main.href);
  process.exitCode = await runCommandLine(process.argv.slice(2));
} else {
  process.stderr.write('rtsafe: not built yet; run "npm run setup" first\n');
  process.exitCode = 1;
}
