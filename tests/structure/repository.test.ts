// What is checked in belongs to no machine.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from './sourceFiles.ts';

const tracked = spawnSync('git', ['ls-files', '-z'], { cwd: projectFolder, encoding: 'utf8' });

/** Folders that exist on somebody's machine only. Put together here, so that this file does not match itself. */
const machineFolders = new RegExp(
  ['work', 'root', 'home/[a-z]', 'Users/[A-Za-z]'].map((folder) => `(?<![\\w.$}])/${folder}/`).join('|') +
    '|[A-Z]:\\\\Users\\\\',
);

test('no file mentions a path of the machine it was written on', (context) => {
  if (tracked.status !== 0) context.skip('this is no git checkout');
  const faults = tracked.stdout
    .split('\0')
    .filter((path) => path !== '')
    .flatMap((path) => {
      let text: string;
      try {
        text = readFileSync(join(projectFolder, path), 'utf8');
      } catch {
        return [];
      }
      return text
        .split('\n')
        .flatMap((line, index) =>
          machineFolders.test(line) ? [`${path}:${index + 1}: ${line.trim().slice(0, 120)}`] : [],
        );
    });
  expect(faults).toEqual([]);
});
