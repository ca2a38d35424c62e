// What a command says to a person at a terminal while it works: all of it on stderr, none of it when nobody watches.

/** One line on stderr, if that is a terminal. */
export function sayOnTerminal(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`rtsafe: ${line}\n`);
}

/**
 * Runs `work` with a signal that Ctrl-C aborts, so that it can end in good order. A second Ctrl-C ends the process at once.
 */
export async function untilInterrupted<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const interrupt = () => {
    process.stderr.write('\nrtsafe: stopping after this round (again to stop at once)\n');
    controller.abort();
  };
  process.once('SIGINT', interrupt);
  try {
    return await work(controller.signal);
  } finally {
    process.removeListener('SIGINT', interrupt);
  }
}
