// Pools of CPU workers. They never touch the GPU: a worker that ends with a GPU map in flight takes the whole process
// with it. Node cannot load TypeScript in a worker by itself, so from sources tsx does.
import { Piscina } from 'piscina';

export interface WorkerPoolOptions {
  /** The module of the worker, as the URL of its source: `new URL('../policies/openai/promptWorker.ts', import.meta.url)`. */
  readonly module: URL;
  readonly threads: number;
  /** Above 1 only for tasks that mostly wait. */
  readonly tasksPerThread: number;
  readonly workerData?: unknown;
}

export interface WorkerPool<Task, Result> {
  run(task: Task): Promise<Result>;
  /** Ends the threads once their tasks are over: a thread that is cut off at one ends the process. */
  close(): Promise<void>;
}

/** From dist/ the compiled module; from sources the source itself, with tsx. */
function loadable(module: URL): { filename: string; execArgv: string[] } {
  const isSource = import.meta.url.endsWith('.ts');
  const filename = isSource ? module.href : module.href.replace(/\.ts$/, '.js');
  return { filename, execArgv: isSource ? ['--import', 'tsx'] : [] };
}

/**
 * Starts all threads at once.
 *
 * @example const pool = createWorkerPool<PromptTask, BuiltPrompt>({ module, threads: 2, tasksPerThread: 1 });
 */
export function createWorkerPool<Task, Result>(options: WorkerPoolOptions): WorkerPool<Task, Result> {
  const pool = new Piscina({
    ...loadable(options.module),
    minThreads: options.threads,
    maxThreads: options.threads,
    concurrentTasksPerWorker: options.tasksPerThread,
    workerData: options.workerData,
    // A thread that sleeps on shared memory would not notice that a server has closed its connections.
    atomics: 'disabled',
  });
  const underway = new Set<Promise<Result>>();
  return {
    run(task) {
      const result = pool.run(task) as Promise<Result>;
      underway.add(result);
      const settle = () => underway.delete(result);
      result.then(settle, settle);
      return result;
    },
    async close() {
      await Promise.allSettled(underway);
      await pool.destroy();
    },
  };
}
