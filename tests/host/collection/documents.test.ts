// docs/datasets.md says what is in the datasets.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { collectionLayout } from '../../../src/host/collection/collectionLayout.ts';
import { stepColumns } from '../../../src/host/datasets/episodeData.ts';
import { hasPython, python } from '../datasets/support/python.ts';
import { collectSmall, newPath } from './support/testCollection.ts';

const text = readFileSync(fileURLToPath(new URL('../../../docs/datasets.md', import.meta.url)), 'utf8');

test('every array and every info is named', () => {
  const { infos } = collectionLayout({ state: true, imagePixels: 64 });
  const names = [...infos, ...stepColumns].map(({ name }) => name);
  expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

test.skipIf(!hasPython)('the lines that read .npz and journal do', async () => {
  const folder = newPath();
  await collectSmall(folder, { format: 'npz' });
  const programs = [...text.matchAll(/```python\n(.*?)```/gs)].map(([, program]) =>
    program!.replaceAll('datasets/expert', folder),
  );
  const [npz, journal] = ['np.load', 'episodes.journal'].map((word) =>
    programs.find((program) => program.includes(word)),
  );
  const steps = python(`${npz}\nprint(len(next_state) == len(state) == len(done) and len(done))`);
  expect(Number(steps)).toBeGreaterThan(100);
  expect(python(`${journal}\n        print(header["map"], len(arrays["actions"]))`).split('\n')).toHaveLength(
    20,
  );
});
