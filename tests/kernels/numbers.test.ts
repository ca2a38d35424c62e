// The integer arithmetic of the shaders against that of the reference, function by function, on every software driver.
import { type Arbitrary, integer, sample as sampleOf, tuple } from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { openGpu } from '../../src/host/adapters/openGpu.ts';
import type { GpuContext } from '../../src/kernels/device.ts';
import { pcg, permutedRank, randomU32, uniformBelow } from '../../src/kernels/random.ts';
import { softwareAdapters, whyAbsent } from '../host/adapters/softwareAdapters.ts';
import {
  crossQ14,
  dotQ14,
  isqrt,
  mulQ14,
  packDirection,
  unpackDirection,
  within,
} from '../reference/numbers.ts';
import { sweptWithin } from '../reference/sweptDistance.ts';
import { type ExpressionCases, runExpressions } from './support/runExpressions.ts';

const samples = 3000;
const i32 = integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const u32 = integer({ min: 0, max: 2 ** 32 - 1 });
const q14 = integer({ min: -16384, max: 16384 });
/** A displacement on a map: coordinates reach 10 km each way. */
const displacement = integer({ min: -(2 ** 26), max: 2 ** 26 });

interface FunctionUnderTest extends ExpressionCases {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: each takes as many numbers as its inputs have
  readonly reference: (...inputs: any[]) => number;
}

function sample(arbitrary: Arbitrary<readonly number[]>): (readonly number[])[] {
  return sampleOf(arbitrary, { numRuns: samples, seed: 20_261 });
}

/** A length and a displacement about as long, so that both answers come up. */
const aboutAsLong = tuple(
  integer({ min: -2, max: 32767 }),
  integer({ min: 0, max: 3599 }),
  integer({ min: -2, max: 2 }),
).map(([radius, heading, more]) => {
  const radians = (heading * Math.PI) / 1800;
  const length = radius + more;
  return [Math.round(length * Math.cos(radians)), Math.round(length * Math.sin(radians)), radius];
});

/** Two discs that come near each other within one tick. */
const passingBy = tuple(
  integer({ min: -4000, max: 4000 }),
  integer({ min: -4000, max: 4000 }),
  integer({ min: -1500, max: 1500 }),
  integer({ min: -1500, max: 1500 }),
  integer({ min: 0, max: 2000 }),
);

const someSquareRoots = [0, 1, 2, 3, 4, 46340, 46341, 65534, 65535].flatMap((root) =>
  [root * root - 1, root * root, root * root + 1].filter((value) => value >= 0 && value < 2 ** 32),
);

const functions: readonly FunctionUnderTest[] = [
  {
    name: 'mulQ14',
    expression: 'mulQ14(a, b)',
    inputs: [...sample(tuple(i32, q14)), [-(2 ** 31), 16384], [-(2 ** 31), -16384], [2 ** 31 - 1, 16384]],
    reference: (a, b) => mulQ14(a, b),
  },
  {
    name: 'scaleQ14',
    expression: 'scaleQ14(a, vec2i(b, c)).x ^ scaleQ14(a, vec2i(b, c)).y',
    inputs: sample(tuple(displacement, q14, q14)),
    reference: (a, b, c) => mulQ14(a, b) ^ mulQ14(a, c),
  },
  {
    name: 'dotQ14',
    expression: 'dotQ14(vec2i(a, b), vec2i(c, d))',
    inputs: sample(tuple(displacement, displacement, q14, q14)),
    reference: (a, b, c, d) => dotQ14(a, b, { x: c, y: d }),
  },
  {
    name: 'crossQ14',
    expression: 'crossQ14(vec2i(a, b), vec2i(c, d))',
    inputs: sample(tuple(displacement, displacement, q14, q14)),
    reference: (a, b, c, d) => crossQ14(a, b, { x: c, y: d }),
  },
  {
    name: 'within, far and near',
    expression: 'within(vec2i(a, b), c)',
    inputs: sample(tuple(displacement, displacement, integer({ min: -40, max: 32767 }))),
    reference: (a, b, c) => Number(within(a, b, c)),
  },
  {
    name: 'within, at the edge',
    expression: 'within(vec2i(a, b), c)',
    inputs: [...sample(aboutAsLong), [0, 0, -1], [0, 0, 0], [32767, 0, 32767], [32767, 32767, 32767]],
    reference: (a, b, c) => Number(within(a, b, c)),
  },
  {
    name: 'integerSquareRoot',
    expression: 'integerSquareRoot(bitcast<u32>(a))',
    inputs: [...sample(tuple(u32)), ...someSquareRoots.map((value) => [value]), [2 ** 32 - 1]],
    reference: (a) => isqrt(a >>> 0),
  },
  {
    name: 'sweptWithin',
    expression: 'sweptWithin(vec2i(a, b), vec2i(a + c, b + d), e)',
    inputs: [...sample(passingBy), [0, 0, 0, 0, 0], [2000, 0, 0, 0, 2000], [2001, 0, 0, 0, 2000]],
    reference: (a, b, c, d, e) => {
      const still = { before: { x: 0, y: 0 }, after: { x: 0, y: 0 } };
      const passing = { before: { x: a, y: b }, after: { x: a + c, y: b + d } };
      return Number(sweptWithin(still, passing, e));
    },
  },
  {
    name: 'packDirection',
    expression: 'packDirection(vec2i(a, b))',
    inputs: sample(tuple(q14, q14)),
    reference: (a, b) => packDirection({ x: a, y: b }),
  },
  {
    name: 'unpackDirection',
    expression: '(unpackDirection(bitcast<u32>(a)).x * 65537) ^ unpackDirection(bitcast<u32>(a)).y',
    inputs: sample(tuple(u32)),
    reference: (a) => Math.imul(unpackDirection(a | 0).x, 65537) ^ unpackDirection(a | 0).y,
  },
  {
    name: 'pcg',
    expression: 'pcg(bitcast<u32>(a))',
    inputs: sample(tuple(u32)),
    reference: (a) => pcg(a),
  },
  {
    name: 'randomU32',
    expression: 'randomU32(bitcast<u32>(a), bitcast<u32>(b), bitcast<u32>(c), bitcast<u32>(d))',
    inputs: sample(tuple(u32, u32, u32, u32)),
    reference: (a, b, c, d) => randomU32(a, b, c, d),
  },
  {
    name: 'uniformBelow',
    expression: 'uniformBelow(bitcast<u32>(a), bitcast<u32>(b))',
    inputs: sample(tuple(u32, integer({ min: 1, max: 65535 }))),
    reference: (a, b) => uniformBelow(a, b),
  },
  {
    name: 'permutedRank',
    expression: 'permutedRank(bitcast<u32>(a), bitcast<u32>(b), bitcast<u32>(c))',
    inputs: sample(
      tuple(u32, integer({ min: 1, max: 65535 }), u32).map(([a, b, c]) => [a % b, b, c] as const),
    ),
    reference: (a, b, c) => permutedRank(a, b, c),
  },
];

const opened: GpuContext[] = [];
afterAll(async () => {
  await Promise.all(opened.splice(0).map((context) => context.close()));
});

describe.for(softwareAdapters)('on %s', (adapter) => {
  test(`${functions.length} functions agree with the reference`, async ({ skip }) => {
    const absent = whyAbsent(adapter);
    if (absent) skip(absent);
    const { context } = await openGpu(adapter);
    opened.push(context);
    const results = await runExpressions(context, ['common/numbers.wgsl', 'common/random.wgsl'], functions);
    const wrong = functions.flatMap(({ name, inputs, reference }, index) =>
      inputs.flatMap((values, place) => {
        const actual = results[index]![place]!;
        const expected = reference(...values) >>> 0;
        return actual === expected ? [] : [{ name, values, actual, expected }];
      }),
    );
    expect(wrong.slice(0, 20)).toEqual([]);
  });
});

test('the inputs bring up both answers of every question', () => {
  for (const { name, inputs, reference } of functions.filter((one) => /within/i.test(one.name))) {
    const answers = new Set(inputs.map((values) => reference(...values)));
    expect(answers.size, name).toBeGreaterThan(1);
  }
});
