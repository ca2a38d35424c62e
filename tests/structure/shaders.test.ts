// The shaders and the TypeScript around them: every file has an owner, and what is written down on both sides is equal.
import { expect, test } from 'vitest';
import { firstTurn, firstWait, waitCount } from '../../src/host/episodes/actions.ts';
import { drawPurposes } from '../../src/host/episodes/drawPurposes.ts';
import * as batch from '../../src/kernels/batchSimulator.ts';
import * as kernelFiles from '../../src/kernels/kernelFiles.ts';
import type { ShaderLibrary } from '../../src/kernels/shaderLibrary.ts';
import { unitsPerCm } from '../../src/kernels/units.ts';
import { actorClasses, actorLimit, cellShift, shapeKinds, vehicleCount } from '../../src/kernels/world.ts';
import { purposes as referencePurposes } from '../reference/environment.ts';
import { listFiles, readText } from './sourceFiles.ts';

const shaderFiles = listFiles('shaders', '.wgsl').map((path) => path.slice('shaders/'.length));
const entryFiles = shaderFiles.filter((path) => !path.startsWith('common/'));

/** The kernels as they are joined, each with the files it was made of. */
const kernels = (
  [
    ['reset', (library) => kernelFiles.resetSource(library)],
    ['settle', (library) => kernelFiles.settleSource(library)],
    ['advance, team', (library) => kernelFiles.advanceSource(library, 'team')],
    ['advance, solo', (library) => kernelFiles.advanceSource(library, 'solo')],
    ['summarize', (library) => kernelFiles.summarizeSource(library)],
    ['observe', (library) => kernelFiles.observeSource(library)],
  ] satisfies [string, (library: ShaderLibrary) => string][]
).map(([name, source]) => {
  const files = new Set<string>();
  const code = source((path) => {
    files.add(path);
    return readText(`shaders/${path}`);
  });
  return { name, code, files };
});

/** Values of the constants that are whole numbers, by name. A name with two values is a fault. */
function wholeConstants(): Map<string, number> {
  const constants = new Map<string, number>();
  for (const path of shaderFiles) {
    for (const [, name, value] of readText(`shaders/${path}`).matchAll(
      /^const (\w+)(?:\s*:\s*[ui]32)? = (-?\d+)u?;/gm,
    )) {
      const known = constants.get(name!);
      if (known !== undefined) expect([path, name, Number(value)]).toEqual([path, name, known]);
      constants.set(name!, Number(value));
    }
  }
  return constants;
}

const constants = wholeConstants();

/** `CLASS_PEDESTRIANS` and the like as { pedestrians: 1 }. */
function constantsWith(prefix: string): Record<string, number> {
  return Object.fromEntries(
    [...constants]
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length).toLowerCase(), value]),
  );
}

test.each(entryFiles)('%s has one entry point', (path) => {
  const text = readText(`shaders/${path}`).replaceAll(/\/\/[^\n]*/g, '');
  expect(text.match(/@(?:compute|vertex|fragment)\b/g)).toHaveLength(1);
});

test('no shared file has an entry point', () => {
  const faults = shaderFiles.filter(
    (path) =>
      path.startsWith('common/') && /@(?:compute|vertex|fragment)\b/.test(readText(`shaders/${path}`)),
  );
  expect(faults).toEqual([]);
});

test('every shader file is named by the TypeScript that owns it', () => {
  const owners = listFiles('src/kernels', '.ts').map(readText).join('\n');
  const faults = shaderFiles.filter((path) => {
    const name = path.split('/').at(-1)!.slice(0, -'.wgsl'.length);
    return !new RegExp(`['"\`/]${name}(?:\\.wgsl)?['"\`]`).test(owners);
  });
  expect(faults).toEqual([]);
});

test('the entry file of every kernel is joined into it alone', () => {
  const joined = kernels.map(({ files }) => entryFiles.filter((path) => files.has(path)));
  for (const files of joined) expect(files).toHaveLength(1);
  expect(new Set(joined.flat()).size).toBe(kernels.length);
});

test.each(kernels)('$name: the entry point is named as its file begins', ({ files, code }) => {
  const file = entryFiles.find((path) => files.has(path))!;
  const name = /@compute[^{]*?\bfn (\w+)/.exec(code)![1]!;
  expect(file.startsWith(name)).toBe(true);
});

test.each(kernels)('$name: no float decides anything', ({ code }) => {
  const text = code.replaceAll(/\/\/[^\n]*/g, '');
  expect(text.match(/\bf(?:16|32)\b|\bvec\d[fh]\b|\b\d+\.\d/)).toBeNull();
});

test('kinds of shapes agree', () => {
  const kinds = constantsWith('KIND_');
  expect(Object.keys(kinds).length).toBeGreaterThan(5);
  expect(shapeKinds).toMatchObject(kinds);
});

test('bits of actor classes agree', () => {
  expect(constantsWith('CLASS_')).toEqual(actorClasses);
});

test('limits and scales agree', () => {
  const shared = {
    ACTOR_LIMIT: actorLimit,
    CELL_SHIFT: cellShift,
    VEHICLES: vehicleCount,
    UNITS_PER_CM: unitsPerCm,
  };
  expect(Object.fromEntries(Object.keys(shared).map((name) => [name, constants.get(name)]))).toEqual(shared);
});

test('statuses and outcomes agree', () => {
  const { status, outcomes } = batch;
  const shared = {
    AWAITING: status.awaiting,
    PLANNING: status.planning,
    EXECUTING: status.executing,
    RECOVERING: status.recovering,
    DONE: status.done,
    SUCCESS: outcomes.success,
    VEHICLE_COLLISION: outcomes.vehicleCollision,
    REPEATED_BUILDING_COLLISION: outcomes.repeatedBuildingCollision,
    DECISION_BUDGET: outcomes.decisionBudget,
  };
  expect(Object.fromEntries(Object.keys(shared).map((name) => [name, constants.get(name)]))).toEqual(shared);
});

test('codes of actions agree', () => {
  expect([constants.get('LAST_MOVE'), constants.get('LAST_TURN'), constants.get('LAST_WAIT')]).toEqual([
    firstTurn - 1,
    firstWait - 1,
    firstWait + waitCount - 1,
  ]);
});

test('purposes of random draws agree with the rules and the reference, and none is used twice', () => {
  const purposes = constantsWith('PURPOSE_');
  const values = Object.values(purposes).sort((first, second) => first - second);
  expect(values).toEqual(Object.values(referencePurposes));
  expect(new Set([...values, ...Object.values(drawPurposes)]).size).toBe(
    values.length + Object.keys(drawPurposes).length,
  );
  const sentence = /Purposes: ([^.]*)\./.exec(readText('docs/rules.md'))![1]!.replaceAll(/\s+/g, ' ');
  const described = new Map(
    Array.from(sentence.matchAll(/(\d+) ([a-z ]+)/g), ([, number, words]) => [Number(number), words!]),
  );
  for (const [name, value] of Object.entries(purposes)) {
    expect([value, described.get(value)]).toEqual([value, expect.stringContaining(name.split('_').at(-1)!)]);
  }
});
