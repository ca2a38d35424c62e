// Wall time and CPU time together: where the driver runs on the CPU, the second tells what a busy machine does to the first.

/** What something took: on the clock on the wall, and of the CPUs' time, over all threads of the process. */
export interface Duration {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** The function returned says what has passed since. */
export function startTimer(): () => Duration {
  const cpuBegin = process.cpuUsage();
  const begin = performance.now();
  return () => {
    const seconds = (performance.now() - begin) / 1000;
    const { user, system } = process.cpuUsage(cpuBegin);
    return { seconds, cpuSeconds: (user + system) / 1e6 };
  };
}
