// What the documents promise is there: every field of the files a run writes, and every file that is linked.
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { summarise } from '../../src/host/metrics/summarise.ts';
import { episodeRecordSchema } from '../../src/host/records/episodeRecord.ts';
import { runConfigSchema } from '../../src/host/records/runConfig.ts';
import { makeEpisode } from '../host/records/makeEpisode.ts';
import { projectFolder, readText } from './sourceFiles.ts';

const runFolder = readText('docs/run-folder.md');

/** Those of `names` that docs/run-folder.md does not name as code. */
function undocumented(names: readonly string[]): string[] {
  return names.filter((name) => !runFolder.includes(`\`${name}\``));
}

test('docs/run-folder.md names every field of an episode and of a decision', () => {
  expect(undocumented(Object.keys(episodeRecordSchema.shape))).toEqual([]);
  expect(undocumented(Object.keys(episodeRecordSchema.shape.trace.element.shape))).toEqual([]);
});

test('docs/run-folder.md names every field of config.json', () => {
  expect(undocumented(Object.keys(runConfigSchema.shape))).toEqual([]);
  expect(undocumented(Object.keys(runConfigSchema.shape.plan.shape))).toEqual([]);
});

test('docs/run-folder.md names every field of a condition in summary.json', () => {
  expect(undocumented(Object.keys(summarise([makeEpisode()])[0]!))).toEqual([]);
});

const documents = [
  ...readdirSync(join(projectFolder, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  ...(existsSync(join(projectFolder, 'README.md')) ? ['README.md'] : []),
];

test.each(documents)('%s: what it links is there', (path) => {
  const links = [...readText(path).matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(([, link]) => link!);
  expect(links.filter((link) => !existsSync(join(projectFolder, dirname(path), link)))).toEqual([]);
});

test.each(documents)('%s: the files of the source that it names are there', (path) => {
  const names = [
    ...readText(path).matchAll(/`((?:src|shaders|tests|scenes|scripts|docs|bench|bin)\/[\w./-]+)`/g),
  ].map(([, name]) => name!);
  expect(names.filter((name) => !existsSync(join(projectFolder, name)))).toEqual([]);
});
