// Who may import whom: the kernels stand on the WebGPU API alone, and dependencies point one way.
import { builtinModules } from 'node:module';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { findCycles, importedFiles, importGraph, importsOf, listFiles, readText } from './sourceFiles.ts';

test('imports are found in every form', () => {
  const text = `
import { a } from './a.ts';
import type { B } from "./b.ts";
import {
  c,
} from './c.ts';
export { d } from './d.ts';
import './e.ts';
const f = await import('./f.ts');
`;
  expect(importsOf(text).sort()).toEqual(['./a.ts', './b.ts', './c.ts', './d.ts', './e.ts', './f.ts']);
});

test('cycles are found, of any length', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c']],
    ['c', ['a', 'd']],
    ['d', ['e']],
    ['e', []],
    ['self', ['self']],
  ]);
  expect(findCycles(graph)).toEqual([['a', 'b', 'c'], ['self']]);
});

/** Packages that run in a page as they are. */
const pagePackages = ['wgpu-matrix'];

test('the kernels import nothing but kernels: no host, no Node module, no package that needs Node', () => {
  const faults = listFiles('src/kernels', '.ts').flatMap((path) => [
    ...importsOf(readText(path))
      .filter((specifier) => !specifier.startsWith('.') && !pagePackages.includes(specifier))
      .map((specifier) => `${path} imports ${specifier}`),
    ...importedFiles(path)
      .filter((imported) => !imported.startsWith('src/kernels/'))
      .map((imported) => `${path} imports ${imported}`),
  ]);
  expect(faults).toEqual([]);
});

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '');
}

test("the kernels use none of Node's globals", () => {
  const globals = /\b(?:process|Buffer|__dirname|__filename|setImmediate|require)\b/;
  const faults = listFiles('src/kernels', '.ts').filter((path) =>
    globals.test(withoutComments(readText(path))),
  );
  expect(faults).toEqual([]);
});

test('Node modules are imported with their prefix, so that none is taken for a package', () => {
  const faults = [...listFiles('src', '.ts'), ...listFiles('tests', '.ts')].flatMap((path) =>
    importsOf(readText(path))
      .filter((specifier) => builtinModules.includes(specifier))
      .map((specifier) => `${path} imports ${specifier}`),
  );
  expect(faults).toEqual([]);
});

test('every import of the source names a file that is there', () => {
  const graph = importGraph();
  const faults = [...graph].flatMap(([path, imported]) =>
    imported.filter((target) => !graph.has(target)).map((target) => `${path} imports ${target}`),
  );
  expect(faults).toEqual([]);
});

test('no file of the source imports itself, over whatever way', () => {
  expect(findCycles(importGraph())).toEqual([]);
});

/**
 * What counts as one part: a folder of src/host with all below it, src/kernels, and each file directly in src/host by
 * itself (the few that all others share, and the entry point that uses them all).
 */
function partOf(path: string): string {
  const [, , part = ''] = path.split('/');
  if (path.startsWith('src/kernels/')) return 'kernels';
  return dirname(path) === 'src/host' ? part : `${part}/`;
}

function partGraph(): Map<string, string[]> {
  const graph = new Map<string, Set<string>>();
  for (const [path, imported] of importGraph()) {
    const from = graph.get(partOf(path)) ?? new Set();
    for (const target of imported) if (partOf(target) !== partOf(path)) from.add(partOf(target));
    graph.set(partOf(path), from);
  }
  return new Map([...graph].map(([part, others]) => [part, [...others]]));
}

test('between the parts of the host, dependencies point one way', () => {
  expect(findCycles(partGraph())).toEqual([]);
});
