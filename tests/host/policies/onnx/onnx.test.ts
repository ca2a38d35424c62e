// The policy `onnx`: what models may take and give, and runs with small models that this file writes.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { UsageError } from '../../../../src/host/errors.ts';
import {
  fillImage,
  largestLogits,
  readModelInterface,
} from '../../../../src/host/policies/onnx/modelInterface.ts';
import { onnxPolicy } from '../../../../src/host/policies/onnx/onnxPolicy.ts';
import { loadOnnxRuntime, type ValueMetadata } from '../../../../src/host/policies/onnx/runtime.ts';
import { parsePolicy } from '../../../../src/host/policies/parsePolicy.ts';
import { readEpisodes } from '../../../../src/host/records/readEpisodes.ts';
import {
  executeRun,
  type OpenedSimulator,
  type OpenSimulator,
  simulatorOn,
} from '../../../../src/host/run/executeRun.ts';
import { prepareRun } from '../../../../src/host/run/prepareRun.ts';
import { verifyRun } from '../../../../src/host/verify/verifyRun.ts';
import { stateFields } from '../../../../src/kernels/environment/stateFields.ts';
import { StateObserver } from '../../../../src/kernels/environment/stateObserver.ts';
import { openReference } from '../../run/referenceSimulator.ts';
import { newPath, silent, smallRun } from '../../run/testRun.ts';
import { imageModel, stateModel } from './writeModel.ts';

const fields = StateObserver.fieldCount;
const anyBatch = (shape: readonly (number | string)[], type = 'float32', name = 'x'): ValueMetadata => ({
  name,
  isTensor: true,
  type,
  shape,
});
const logits = anyBatch(['N', 16], 'float32', 'logits');

describe('what a model takes', () => {
  test.each([
    [[anyBatch(['N', 3, 64, 48])], { image: { layout: 'channels-first', width: 48, height: 64 } }],
    [[anyBatch([-1, 64, 48, 3], 'uint8')], { image: { layout: 'channels-last', width: 48, height: 64 } }],
    [[anyBatch(['N', fields])], { image: undefined, state: 'x', batch: undefined }],
    [[anyBatch([1, fields])], { state: 'x', batch: 1 }],
    [
      [anyBatch(['N', fields]), anyBatch(['N', 3, 8, 8], 'float32', 'y')],
      { state: 'x', image: { name: 'y' } },
    ],
  ])('%j', (inputs, expected) => {
    expect(readModelInterface('m', inputs, [logits], fields)).toMatchObject(expected);
  });

  test.each([
    [[]],
    [[anyBatch(['N', 4, 64, 64])]],
    [[anyBatch(['N', 3, 'H', 'W'])]],
    [[anyBatch(['N', 3, 64, 64], 'float16')]],
    [[anyBatch(['N', fields + 1])]],
    [[anyBatch([8, fields])]],
    [[anyBatch(['N', fields]), anyBatch(['N', fields], 'float32', 'y')]],
    [[anyBatch(['N', fields]), anyBatch(['N', 1], 'int64', 'y')]],
    [[{ name: 'list', isTensor: false }]],
  ])('not %j', (inputs) => {
    const read = () => readModelInterface('m', inputs, [logits], fields);
    expect(read).toThrow(UsageError);
    expect(read).toThrow(/^m: inputs: found (none|".*), allowed is pictures, [^\n]* states, [^\n]*$/);
  });

  test.each([[[]], [[anyBatch(['N', 15])]], [[anyBatch(['N', 16], 'int64')]]])(
    'and gives, not %j',
    (outputs) => {
      const read = () => readModelInterface('m', [anyBatch(['N', fields])], outputs, fields);
      expect(read).toThrow(/^m: outputs: found [^\n]*, allowed is logits, float32 \[N, 16\], among them$/);
    },
  );
});

test('pixels go where the layout has them', () => {
  const pixels = Uint8Array.of(10, 20, 30, 255, 40, 50, 60, 255);
  const size = { width: 2, height: 1 };
  const first = new Uint8Array(12);
  fillImage(first, 1, { ...size, type: 'uint8', layout: 'channels-first' }, pixels);
  expect([...first]).toEqual([0, 0, 0, 0, 0, 0, 10, 40, 20, 50, 30, 60]);
  const last = new Float32Array(6);
  fillImage(last, 0, { ...size, type: 'float32', layout: 'channels-last' }, pixels);
  expect([...last]).toEqual([10, 20, 30, 40, 50, 60].map((value) => Math.fround(value / 255)));
});

test('the largest logit, the first of equal ones; none among what is no number', () => {
  const rows = [
    [0, 3, 3, 1],
    [-5, -5, -5, -5],
    [Number.NaN, -1, Number.NaN, 2],
    [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, -Infinity, -Infinity],
    [Number.NaN, Number.NaN, Number.NaN, Number.NaN],
  ].map((row) => [...row, ...new Array<number>(12).fill(row[0]! < -5 ? -Infinity : Math.min(...row))]);
  expect(largestLogits(Float32Array.from(rows.flat()))).toEqual([2, 1, 4, 1, 0]);
});

function modelFile(bytes: Uint8Array | string, name = 'model.onnx'): string {
  const path = join(mkdtempSync(join(tmpdir(), 'rtsafe-onnx-')), name);
  writeFileSync(path, bytes);
  return path;
}

test('without the package: one line that says how to install it', async () => {
  await expect(loadOnnxRuntime('--policy onnx:m', 'onnxruntime-node-of-nobody')).rejects.toThrow(
    /^--policy onnx:m: found no package \S+, allowed is with it installed: npm install --no-save --save-prod \S+@\d+\.\d+\.\d+$/,
  );
});

test('no file is a usage error', async () => {
  expect(() => parsePolicy('onnx:')).toThrow(UsageError);
  await expect(onnxPolicy('nowhere.onnx').load!()).rejects.toThrow(
    /^--policy onnx:nowhere.onnx: found no file that can be read \(ENOENT\), allowed is /,
  );
});

const runtime = await loadOnnxRuntime('tests').catch((error: unknown) => error as UsageError);
const isAbsent = runtime instanceof UsageError;
if (isAbsent) process.stderr.write(`tests of models are SKIPPED: ${runtime.message}\n`);

let opened: OpenedSimulator | undefined;
/** Opens the GPU once for all: compiling the kernels is what takes time here. */
const openOnce: OpenSimulator = async (runWorld) => {
  opened ??= await simulatorOn('auto', () => {})(runWorld, 2);
  return { ...opened, close: () => Promise.resolve() };
};
afterAll(() => opened?.close());

async function play(path: string, latency = 'fixed:0.5') {
  const changes = { routes: 'rt12:8', mode: 'realtime', seeds: '0,1', envs: '2', maxDecisions: '6' };
  const prepared = await prepareRun({ ...smallRun, ...changes, policy: `onnx:${path}`, latency });
  const folder = newPath();
  await executeRun(prepared, folder, openOnce, silent);
  const records = [...readEpisodes(join(folder, 'episodes.jsonl'))];
  return { folder, prepared, traces: records.map(({ trace }) => trace) };
}

const only = (chosen: Readonly<Record<number, number>>, elsewhere: number) =>
  Array.from({ length: 16 }, (_, place) => chosen[place + 1] ?? elsewhere);
const place = (field: string) => stateFields.findIndex(({ name }) => name === field);
const patience = 400_000;

describe.skipIf(isAbsent)('with onnxruntime-node', () => {
  test('a file that is no model, and a model of something else: one line', async () => {
    await expect(onnxPolicy(modelFile('no model')).load!()).rejects.toThrow(
      /^--policy onnx:\S+: found a file that onnxruntime does not take \([^\n]*\), allowed is an ONNX model$/,
    );
    const other = modelFile(stateModel(3, new Array<number>(48).fill(0), only({}, 0)));
    await expect(onnxPolicy(other).load!()).rejects.toThrow(
      /: inputs: found "state" float32 \[N, 3\], allowed is pictures/,
    );
  });

  test('a model over states: its actions follow from them', { timeout: patience }, async () => {
    // Looks to the left while the episode is young, turns back when the subgoal is to the right, and else walks on.
    const [ahead, left, right] = [2, 8, 11];
    const weights = new Array<number>(fields * 16).fill(0);
    weights[place('subgoal[0].sin') * 16 + right - 1] = 1;
    weights[place('agent.clock') * 16 + left - 1] = -0.1;
    const bias = only({ [ahead]: 0.2, [left]: 0.45, [right]: 0 }, -9);
    const path = modelFile(stateModel(fields, weights, bias));
    const { folder, traces } = await play(path);
    const expected = ['turn_around L30', 'turn_around R30', 'move_to 2'];
    const actionsOf = (played: typeof traces) =>
      played.map((trace) => trace.map(({ action }) => `${action.type} ${action.param}`));
    for (const actions of actionsOf(traces)) expect(actions.slice(0, 3)).toEqual(expected);
    expect((await verifyRun(folder, openReference, silent)).mismatches).toEqual([]);
    // One environment at a time gives the same.
    const one = await play(modelFile(stateModel(fields, weights, bias, 1)));
    expect(actionsOf(one.traces)).toEqual(actionsOf(traces));

    const measured = (await play(path, 'measured')).traces.flat();
    for (const { reply, latencySeconds } of measured) {
      expect(reply).toMatchObject({ outcome: 'action', retries: 0, text: '' });
      expect(reply!.seconds).toBeGreaterThan(0);
      expect(latencySeconds).toBeCloseTo(reply!.seconds, 1);
    }
  });

  test('models over pictures: both layouts and types see the same', { timeout: patience }, async () => {
    const shapes = [
      ['uint8', ['N', 64, 64, 3]],
      ['float32', ['N', 3, 64, 64]],
    ] as const;
    const brightness = { uint8: 255, float32: 1 } as const;
    const thresholds = [0, 0.42, 0.44, 0.46, 0.48, 1];
    const played: string[][] = [];
    for (const [type, shape] of shapes) {
      // Waits 1 s where the picture is darker than a threshold, and turns where it is brighter.
      for (const threshold of thresholds) {
        const weights = only({ 9: 1 / brightness[type] }, 0);
        const path = modelFile(imageModel(type, shape, weights, only({ 9: 0, 14: threshold }, -9)));
        const { traces, prepared } = await play(path);
        played.push(traces.flat().map(({ action }) => action.type));
        expect(prepared.config.policySettings).toMatchObject([
          { name: `onnx:${path}`, settings: { model: expect.stringMatching(/^[0-9a-f]{64}$/) } },
        ]);
      }
    }
    const kinds = played.map((types) => [...new Set(types)].join());
    expect(played.slice(0, thresholds.length)).toEqual(played.slice(thresholds.length));
    expect([kinds[0], kinds[thresholds.length - 1]]).toEqual(['turn_around', 'wait']);
    // Somewhere between, it is one or the other by what is seen.
    expect(kinds.some((types) => types.includes(','))).toBe(true);
  });
});
