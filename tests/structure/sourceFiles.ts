// The project's own files as text, and what they import.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectFolder = fileURLToPath(new URL('../../', import.meta.url));

/** Paths of the files below a folder, relative to the project, with forward slashes. */
export function listFiles(folder: string, extension: string): string[] {
  return readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith(extension))
    .sort();
}

export function readText(path: string): string {
  return readFileSync(join(projectFolder, path), 'utf8');
}

const importForms = [
  /(?:^|\n)\s*(?:import|export)\s[^;'"]*?\bfrom\s*['"]([^'"]+)['"]/g,
  /(?:^|\n)\s*import\s*['"]([^'"]+)['"]/g,
  /\b(?:import|require)\(\s*['"]([^'"]+)['"]\s*\)/g,
];

/** What a file imports, as written; types too. */
export function importsOf(text: string): string[] {
  return importForms.flatMap((form) => Array.from(text.matchAll(form), ([, specifier]) => specifier!));
}

/** The files of the project that a file imports. */
export function importedFiles(path: string): string[] {
  return importsOf(readText(path))
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.join(dirname(path), specifier));
}

/** Which imports which, for all files of `src`. */
export function importGraph(): Map<string, string[]> {
  return new Map(listFiles('src', '.ts').map((path) => [path, importedFiles(path)]));
}

/**
 * The groups of nodes that reach each other, each sorted; a graph without cycles has none.
 *
 * @example findCycles(new Map([['a', ['b']], ['b', ['a']], ['c', ['a']]])) // [['a', 'b']]
 */
export function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const reach = (start: string): Set<string> => {
    const reached = new Set<string>();
    const open = [...(graph.get(start) ?? [])];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (reached.has(node)) continue;
      reached.add(node);
      open.push(...(graph.get(node) ?? []));
    }
    return reached;
  };
  const reached = new Map([...graph.keys()].map((node) => [node, reach(node)]));
  const groups = new Map<string, string[]>();
  for (const [node, others] of reached) {
    if (!others.has(node)) continue;
    const group = [...others].filter((other) => reached.get(other)?.has(node)).sort();
    groups.set(group.join(), group);
  }
  return [...groups.values()];
}
