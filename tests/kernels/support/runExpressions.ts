// Evaluates WGSL expressions over many inputs on a GPU, with the shared functions of shaders/common/ in reach.
import { readShader } from '../../../src/host/shaderFiles.ts';
import type { GpuContext } from '../../../src/kernels/device.ts';
import { joinShaders } from '../../../src/kernels/shaderLibrary.ts';

/** One expression and the inputs to evaluate it over. */
export interface ExpressionCases {
  /** Over `a` to `f`, all i32; gives one u32 or one i32. */
  readonly expression: string;
  /** Up to six numbers a case, i32 or u32. [case, input] */
  readonly inputs: readonly (readonly number[])[];
}

const inputNames = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
const caseWords = inputNames.length + 1;
const workgroupSize = 64;

function source(files: readonly string[], expressions: readonly string[]): string {
  return `${joinShaders(readShader, files)}
@group(0) @binding(0) var<storage, read> cases: array<i32>;           // [case, expression and inputs]
@group(0) @binding(1) var<storage, read_write> results: array<u32>;   // [case]

@compute @workgroup_size(${workgroupSize})
fn evaluate(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&results)) { return; }
  let first = id.x * ${caseWords}u;
${inputNames.map((name, index) => `  let ${name} = cases[first + ${index + 1}u];`).join('\n')}
  switch cases[first] {
${expressions.map((expression, index) => `    case ${index}: { results[id.x] = u32(${expression}); }`).join('\n')}
    default: {}
  }
}`;
}

/**
 * The value of each expression for each of its cases, as u32. [expression][case]
 *
 * @param files the WGSL files below shaders/ that the expressions need; they must not declare bindings
 */
export async function runExpressions(
  context: GpuContext,
  files: readonly string[],
  expressions: readonly ExpressionCases[],
): Promise<Uint32Array[]> {
  const { device } = context;
  const cases = expressions.flatMap(({ inputs }, index) =>
    inputs.map((values) => [index, ...values, 0, 0, 0, 0, 0, 0].slice(0, caseWords)),
  );
  const words = Int32Array.from(cases.flat());
  const storage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  const input = device.createBuffer({ label: 'cases', size: words.byteLength, usage: storage });
  const results = device.createBuffer({ label: 'results', size: cases.length * 4, usage: storage });
  const readback = device.createBuffer({
    label: 'readback',
    size: results.size,
    usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
  });
  const code = source(
    files,
    expressions.map(({ expression }) => expression),
  );
  await context.withErrorScope('evaluate expressions', () => {
    device.queue.writeBuffer(input, 0, words);
    const pipeline = device.createComputePipeline({
      label: 'evaluate',
      layout: 'auto',
      compute: { module: device.createShaderModule({ label: 'evaluate', code }), entryPoint: 'evaluate' },
    });
    const group = device.createBindGroup({
      label: 'evaluate',
      layout: pipeline.getBindGroupLayout(0),
      entries: [input, results].map((buffer, binding) => ({ binding, resource: { buffer } })),
    });
    const encoder = device.createCommandEncoder({ label: 'evaluate' });
    const pass = encoder.beginComputePass({ label: 'evaluate' });
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(Math.ceil(cases.length / workgroupSize));
    pass.end();
    encoder.copyBufferToBuffer(results, 0, readback, 0, results.size);
    device.queue.submit([encoder.finish()]);
  });
  await context.track(readback.mapAsync(GPUMapMode.READ));
  const values = new Uint32Array(readback.getMappedRange()).slice();
  for (const buffer of [input, results, readback]) buffer.destroy();
  let first = 0;
  return expressions.map(({ inputs }) => {
    first += inputs.length;
    return values.subarray(first - inputs.length, first);
  });
}
