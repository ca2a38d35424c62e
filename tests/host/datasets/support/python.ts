// Debian's own Python with h5py and NumPy: a reader that this project did not write. `.ci/run` installs it.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const interpreter = '/usr/bin/python3';
const checker = fileURLToPath(new URL('./check_dataset.py', import.meta.url));

function runPython(arguments_: readonly string[]) {
  // No other Python, and no packages but the system's.
  return spawnSync(interpreter, ['-I', ...arguments_], {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin' },
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** True where Python, h5py and NumPy are there. Under CI they must be: then a missing one fails. */
export const hasPython = (() => {
  const { status, stderr, error } = runPython(['-c', 'import h5py, numpy']);
  if (status === 0) return true;
  const reason = error?.message ?? stderr.trim().split('\n').at(-1);
  if (process.env.CI) throw new Error(`${interpreter} with h5py is needed: ${reason}`);
  process.stderr.write(
    `\n*** DATASETS ARE NOT CHECKED: ${reason}. Install Debian's python3-h5py to check them. ***\n\n`,
  );
  return false;
})();

/** Runs a short program and gives what it prints. @throws what it fails with. */
export function python(program: string, ...arguments_: readonly string[]): string {
  const { status, stdout, stderr } = runPython(['-c', program, ...arguments_]);
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

/** @throws what differs between a dataset and the episodes in `truthFolder`. */
export function checkWithPython(
  kind: 'minari' | 'd3rlpy' | 'npz' | 'journal',
  dataset: string,
  truthFolder: string,
): void {
  const { status, stderr } = runPython([checker, kind, dataset, truthFolder]);
  if (status !== 0) throw new Error(stderr);
}
