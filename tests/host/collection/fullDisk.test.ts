// A disk that is full, played by the system's limit on the size of a file: one clear line, and what was written is readable.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { hasPython, python } from '../datasets/support/python.ts';
import { collectSmall, datasetFiles, newPath } from './support/testCollection.ts';

const script = fileURLToPath(new URL('./support/collectInChild.ts', import.meta.url));
const support = fileURLToPath(new URL('../datasets/support', import.meta.url));

/** Collects with files of at most so many KiB, beyond which every write fails with EFBIG. */
function collectLimited(folder: string, format: string, kibibytes: number) {
  const command = `trap '' XFSZ; ulimit -f ${kibibytes}; exec "$@"`;
  const node = [process.execPath, '--import', 'tsx', script, folder, format, '0'];
  return spawnSync('bash', ['-c', command, 'bash', ...node], { encoding: 'utf8' });
}

test('the journal finds no room', { timeout: 300_000 }, async () => {
  const folder = newPath();
  const { status, stdout, stderr } = collectLimited(folder, 'npz', 100);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  const [, kept] =
    /^rtsafe: .*: writing failed \(EFBIG\); (\d+) of 20 episodes are kept in .*episodes\.journal; make room and run the same command again to continue, or with --finish-early to write datasets of those\n$/.exec(
      stderr,
    ) ?? [];
  expect(Number(kept), stderr).toBeGreaterThan(0);
  expect(readdirSync(folder).sort()).toEqual(['collection.json', 'episodes.journal']);
  if (hasPython) {
    const program = `import sys; sys.path.insert(0, sys.argv[1]); import check_dataset
print(sum(1 for header, arrays in check_dataset.read_journal(sys.argv[2]) if len(arrays["actions"]) == header["steps"]))`;
    expect(python(program, support, join(folder, 'episodes.journal'))).toBe(kept);
  }

  const { wall } = await collectSmall(folder, { format: 'npz' });
  expect(wall!.episodes).toBe(20 - Number(kept));
  const whole = newPath();
  await collectSmall(whole, { format: 'npz' });
  expect(datasetFiles(folder)).toEqual(datasetFiles(whole));
});

test.each([
  { format: 'minari', reason: 'File too large' },
  { format: 'lerobot', reason: 'EFBIG' },
  { format: 'npz', reason: 'EFBIG' },
])('a dataset finds no room: $format', { timeout: 300_000 }, async ({ format, reason }) => {
  const folder = newPath();
  const other = format === 'npz' ? 'd3rlpy' : 'npz';
  await collectSmall(folder, { format: other });
  const before = datasetFiles(folder);
  const journal = readFileSync(join(folder, 'episodes.journal'));
  const { status, stdout, stderr } = collectLimited(folder, `${other},${format}`, 64);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(
    new RegExp(
      `^rtsafe: .*/${format}: writing failed \\(${reason}\\); all 20 episodes are kept in episodes\\.journal; run the same command again to continue\\n$`,
    ),
  );
  expect(existsSync(join(folder, format))).toBe(false);
  expect(existsSync(join(folder, `${format}.partial`))).toBe(false);
  expect(datasetFiles(folder)).toEqual(before);
  expect(readFileSync(join(folder, 'episodes.journal')).equals(journal)).toBe(true);
  await collectSmall(folder, { format: `${other},${format}` });
  expect(statSync(join(folder, format)).isDirectory()).toBe(true);
});
