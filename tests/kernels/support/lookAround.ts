// Runs one look of the walkers at each other on a GPU, with nothing else of the kernels around it.
import { readShader } from '../../../src/host/shaderFiles.ts';
import type { GpuContext } from '../../../src/kernels/device.ts';
import { joinShaders } from '../../../src/kernels/shaderLibrary.ts';

export interface LookingWalker {
  readonly x: number;
  readonly y: number;
  /** Where it faces: a packed Q14 unit vector. */
  readonly direction: number;
  /** As in docs/rules.md, section 3; 0: the slot is empty. */
  readonly status: number;
}

/** Walkers in slot order, and the rules that the look goes by, in units. */
export interface LookScene {
  readonly followGap: number;
  readonly followHalfWidth: number;
  readonly walkers: readonly LookingWalker[];
}

/** All pairs by one thread, as in solo, or each walker by itself, as in team. */
export const searches = ['pairs', 'each'] as const;
export type Search = (typeof searches)[number];

const sceneWords = 4;
const walkerWords = 4;

function source(search: Search, slots: number): string {
  const calls = {
    pairs: 'noteHeld(); lookAround();',
    each: `
  for (var walker = 0u; walker < walkerCount(); walker++) { noteCoarsePlace(walker, coarseScale()); }
  for (var walker = 0u; walker < walkerCount(); walker++) { lookAhead(walker); }`,
  };
  const files = ['numbers', 'coarse', 'looking', ...(search === 'pairs' ? ['pairs'] : [])];
  return `
const ACTOR_LIMIT = ${slots}u;
const HELD = 4;
struct Rules { followGap: i32, followHalfWidth: i32 }
var<private> rules: Rules;
var<private> current: u32;
${search === 'each' ? 'var<private> coarse: array<u32, ACTOR_LIMIT>;' : ''}

@group(0) @binding(0) var<storage, read> scenes: array<vec4i>;            // [scene]: walkers, gap, half width
@group(0) @binding(1) var<storage, read_write> walkers: array<vec4i>;     // [scene, slot]: x, y, direction, status

fn place(slot: u32) -> u32 { return current * ACTOR_LIMIT + slot; }
fn walkerCount() -> u32 { return u32(scenes[current].x); }
fn actorPosition(slot: u32) -> vec2i { return walkers[place(slot)].xy; }
fn readCache(slot: u32) -> u32 { return bitcast<u32>(walkers[place(slot)].z); }
fn actorStatus(slot: u32) -> i32 { return walkers[place(slot)].w; }
fn setActorStatus(slot: u32, status: i32) { walkers[place(slot)].w = status; }

${joinShaders(
  readShader,
  files.map((file) => `common/${file}.wgsl`),
)}

@compute @workgroup_size(8)
fn look(@builtin(global_invocation_id) id: vec3u) {
  current = id.x;
  if (current >= arrayLength(&scenes)) { return; }
  rules = Rules(scenes[current].y, scenes[current].z);
  ${calls[search]}
}`;
}

/**
 * Status of every walker after a look. [scene][slot]
 *
 * @param slots the most walkers of a scene, up to 255
 */
export async function runLooks(
  context: GpuContext,
  search: Search,
  slots: number,
  scenes: readonly LookScene[],
): Promise<number[][]> {
  const { device } = context;
  const heads = new Int32Array(scenes.length * sceneWords);
  const words = new Int32Array(scenes.length * slots * walkerWords);
  scenes.forEach(({ walkers, followGap, followHalfWidth }, scene) => {
    heads.set([walkers.length, followGap, followHalfWidth], scene * sceneWords);
    walkers.forEach(({ x, y, direction, status }, slot) => {
      words.set([x, y, direction, status], (scene * slots + slot) * walkerWords);
    });
  });
  const storage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  const [sceneBuffer, walkerBuffer] = [heads, words].map(({ byteLength }) =>
    device.createBuffer({ label: 'look', size: byteLength, usage: storage }),
  ) as [GPUBuffer, GPUBuffer];
  const readback = device.createBuffer({
    label: 'readback',
    size: walkerBuffer.size,
    usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
  });
  await context.withErrorScope('look', () => {
    device.queue.writeBuffer(sceneBuffer, 0, heads);
    device.queue.writeBuffer(walkerBuffer, 0, words);
    const module = device.createShaderModule({ label: 'look', code: source(search, slots) });
    const pipeline = device.createComputePipeline({
      label: 'look',
      layout: 'auto',
      compute: { module, entryPoint: 'look' },
    });
    const group = device.createBindGroup({
      label: 'look',
      layout: pipeline.getBindGroupLayout(0),
      entries: [sceneBuffer, walkerBuffer].map((buffer, binding) => ({ binding, resource: { buffer } })),
    });
    const encoder = device.createCommandEncoder({ label: 'look' });
    const pass = encoder.beginComputePass({ label: 'look' });
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(Math.ceil(scenes.length / 8));
    pass.end();
    encoder.copyBufferToBuffer(walkerBuffer, 0, readback, 0, readback.size);
    device.queue.submit([encoder.finish()]);
  });
  await context.track(readback.mapAsync(GPUMapMode.READ));
  const after = new Int32Array(readback.getMappedRange()).slice();
  for (const buffer of [sceneBuffer, walkerBuffer, readback]) buffer.destroy();
  return scenes.map(({ walkers }, scene) =>
    walkers.map((_, slot) => after[(scene * slots + slot) * walkerWords + 3]!),
  );
}
