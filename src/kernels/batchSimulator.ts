// The batch: thousands of environments on the GPU, driven in rounds. A round applies the resets and decisions that were
// staged, runs every environment to the end of its own decision, and reads one summary per environment back.
import { type GpuContext, runsOnCpu } from './device.ts';
import { directionTable, packDirection } from './directions.ts';
import { EnvironmentsView } from './environmentsView.ts';
import { bufferLayout, createKernel, dispatchGroups } from './kernel.ts';
import { advanceSource, resetSource, settleSource, summarizeSource, type Teamwork } from './kernelFiles.ts';
import { type StructLayout, structLayout } from './layout.ts';
import type { ShaderLibrary } from './shaderLibrary.ts';
import { Shard } from './shard.ts';
import { SummaryView } from './summaryView.ts';
import { centisecondsPerTick } from './units.ts';
import { actorWords, type WorldTables } from './world.ts';

export type Mode = 'static' | 'realtime';

/** What an episode starts from; see `struct ResetRequest` in shaders/common/layout.wgsl. */
export interface ResetRequest {
  /** Slot in the batch. */
  readonly env: number;
  /** Index into `world.routeList`. */
  readonly route: number;
  /** Index into the rule sets given to `create`. */
  readonly rules: number;
  readonly mode: Mode;
  /** The episode seed, u32. */
  readonly seed: number;
  readonly maxDecisions: number;
  /** Share of each actor class, 0 to 100. */
  readonly percent: number;
  readonly speedChoices: 1 | 3;
  /** Bits of `actorClasses`. */
  readonly classes: number;
}

export interface BatchOptions {
  readonly shaders: ShaderLibrary;
  readonly world: WorldTables;
  /** Compiled profiles, each in the layout of `struct Rules`. */
  readonly rules: readonly Int32Array[];
  readonly envCount: number;
  /** How kernels share out the work; the results are the same for any. Default: what suits the adapter. */
  readonly execution?: Partial<Execution>;
  /** Measure kernels with timestamp queries, where the adapter has them. */
  readonly timestamps?: boolean;
}

/** How kernels share out the work. */
export interface Execution {
  readonly teamwork: Teamwork;
  /** Threads per workgroup of the advance kernel. */
  readonly threads: number;
  /** Environments whose actors are interleaved in memory; a power of two. */
  readonly laneBlock: number;
  /** Ticks one environment may run in one dispatch. Smaller keeps dispatches short on a GPU that also draws a screen. */
  readonly tickBudget: number;
}

/** What suits an adapter: software drivers run a thread per environment, GPUs a workgroup. */
export function suitableExecution(adapter: GPUAdapter): Execution {
  return runsOnCpu(adapter)
    ? { teamwork: 'solo', threads: 8, laneBlock: 8, tickBudget: 1 << 20 }
    : { teamwork: 'team', threads: 64, laneBlock: 1, tickBudget: 256 };
}

/** Nanoseconds spent in each kernel so far. */
export interface KernelTimes {
  reset: number;
  settle: number;
  advance: number;
  summarize: number;
}

type KernelName = keyof KernelTimes;

/** `status` of a summary (docs/rules.md, section 4). */
export const status = { awaiting: 1, planning: 2, executing: 3, recovering: 4, done: 5 } as const;

/** `outcome` of a summary. */
export const outcomes = {
  success: 1,
  vehicleCollision: 2,
  repeatedBuildingCollision: 3,
  decisionBudget: 4,
} as const;

/** Looks at environments in the middle of their actions. */
export interface FrameWatch {
  /** Ticks of an action from one look to the next, from 1. */
  readonly frameTicks: number;
  /**
   * Called with the environments that have carried out `frameTicks`, twice that, ... ticks of an action that is not over;
   * their state lies on the GPU until the promise settles, and `summary` shows it.
   */
  onFrame(envs: readonly number[]): Promise<void>;
}

/** What other kernels, such as the camera's, need to read the batch's state where it is. */
export interface GpuState {
  readonly worldLayout: GPUBindGroupLayout;
  /** Bindings of shaders/common/world.wgsl. */
  readonly worldGroup: GPUBindGroup;
  /** Environment e is number e % shardSize of shard floor(e / shardSize). */
  readonly shards: readonly { readonly envs: GPUBuffer; readonly actors: GPUBuffer }[];
  readonly shardSize: number;
  readonly actorStride: number;
  readonly laneBlock: number;
}

/** How far a dispatch carries environments; `struct Stint` of shaders/common/chunk.wgsl. */
type Stint = 'whole' | 'planning' | 'frame';

/** Dispatches of the advance kernel for one phase. */
interface Phase {
  readonly stint: Stint;
  readonly dispatches: number;
}

/** All of one environment, as read back and restored. */
export interface EnvironmentState {
  /** [EnvState word] */
  readonly state: Uint32Array<ArrayBuffer>;
  /** [field, slot] */
  readonly actors: Int32Array<ArrayBuffer>;
}

/** Words of `struct Decision`: pending, action, latency, spare. */
const decisionWords = 4;

/** Ticks of a phase after planning, give or take: every penalty at once. */
const usualPhaseTicks = 180;

/** What a thought may have left over for the next one. */
const mostCarriedCentiseconds = centisecondsPerTick - 1;

function createStints(device: GPUDevice, layout: GPUBindGroupLayout) {
  const create = (stint: Stint) => {
    const buffer = device.createBuffer({
      label: `stint ${stint}`,
      size: 16,
      usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
    });
    const entries = [{ binding: 0, resource: { buffer } }];
    return { buffer, group: device.createBindGroup({ label: `stint ${stint}`, layout, entries }) };
  };
  return { whole: create('whole'), planning: create('planning'), frame: create('frame') };
}

function createFilledBuffer(device: GPUDevice, label: string, data: Uint32Array | Int32Array, usage: number) {
  const size = Math.max(16, data.byteLength);
  const buffer = device.createBuffer({ label, size, usage: usage | GPUBufferUsage.COPY_DST });
  device.queue.writeBuffer(buffer, 0, data);
  return buffer;
}

/** Vectors of four words in the uniform arrays of shaders/common/world.wgsl. */
const routeVectors = 3584;
const ruleVectors = 1024;

function padded(words: Uint32Array | Int32Array, vectors: number, what: string): Uint32Array {
  if (words.length > vectors * 4)
    throw new RangeError(`${what}: ${words.length} words, allowed are ${vectors * 4}`);
  const all = new Uint32Array(vectors * 4);
  all.set(words);
  return all;
}

function joinRules(rules: readonly Int32Array[]): Int32Array {
  const joined = new Int32Array(rules.reduce((sum, { length }) => sum + length, 0));
  let word = 0;
  for (const set of rules) {
    joined.set(set, word);
    word += set.length;
  }
  return joined;
}

function packedDirections(): Uint32Array {
  const table = directionTable();
  return Uint32Array.from({ length: table.length / 2 }, (_, heading) =>
    packDirection(table[heading * 2]!, table[heading * 2 + 1]!),
  );
}

/**
 * A batch of environments.
 *
 * @example
 * const batch = await BatchSimulator.create(context, { shaders, world, rules: [rtSafe], envCount: 1024 });
 * batch.reset(requests);
 * await batch.advance();
 * batch.decide(0, 5, 300); // 4 m ahead, after 3 s of thought
 * await batch.advance();
 * batch.summary.get(0, 'clockCentiseconds');
 */
export class BatchSimulator {
  readonly envCount: number;
  readonly world: WorldTables;
  readonly summary: SummaryView;
  readonly stateLayout: StructLayout;
  readonly actorStride: number;
  /** Undefined where the adapter cannot measure, or measuring was not asked for. */
  readonly kernelTimes: KernelTimes | undefined;
  readonly #context: GpuContext;
  readonly #pipelines: Record<KernelName, GPUComputePipeline>;
  readonly #worldLayout: GPUBindGroupLayout;
  readonly #worldGroup: GPUBindGroup;
  readonly #worldBuffers: readonly GPUBuffer[];
  readonly #stints: Record<Stint, { readonly buffer: GPUBuffer; readonly group: GPUBindGroup }>;
  readonly #shards: readonly Shard[];
  readonly #shardSize: number;
  readonly #decisions: Uint32Array<ArrayBuffer>;
  readonly #requestWords: number;
  readonly #execution: Execution;
  readonly #requests: ResetRequest[][];
  readonly #querySet: GPUQuerySet | undefined;
  readonly #queryResolve: GPUBuffer | undefined;
  readonly #queryReadback: GPUBuffer | undefined;
  #view: EnvironmentsView | undefined;
  #queries: KernelName[] = [];
  #longestLatency = 0;
  #hasDecisions = false;

  private constructor(
    context: GpuContext,
    options: BatchOptions,
    parts: {
      pipelines: Record<KernelName, GPUComputePipeline>;
      worldLayout: GPUBindGroupLayout;
      worldGroup: GPUBindGroup;
      worldBuffers: readonly GPUBuffer[];
      stintLayout: GPUBindGroupLayout;
      shards: readonly Shard[];
      shardSize: number;
      actorStride: number;
      execution: Execution;
    },
  ) {
    this.#context = context;
    this.world = options.world;
    this.envCount = options.envCount;
    this.#pipelines = parts.pipelines;
    this.#worldLayout = parts.worldLayout;
    this.#worldGroup = parts.worldGroup;
    this.#worldBuffers = parts.worldBuffers;
    this.#shards = parts.shards;
    this.#shardSize = parts.shardSize;
    this.actorStride = parts.actorStride;
    const layouts = options.shaders('common/layout.wgsl');
    this.summary = new SummaryView(structLayout(layouts, 'Summary'), options.envCount);
    this.stateLayout = structLayout(layouts, 'EnvState');
    this.#requestWords = structLayout(layouts, 'ResetRequest').words;
    this.#decisions = new Uint32Array(options.envCount * decisionWords);
    this.#execution = parts.execution;
    this.#requests = parts.shards.map(() => []);
    this.#stints = createStints(context.device, parts.stintLayout);
    this.#writeStint('whole', parts.execution.tickBudget, status.recovering);
    this.#writeStint('planning', parts.execution.tickBudget, status.planning);
    if (options.timestamps && context.device.features.has('timestamp-query')) {
      const { device } = context;
      this.kernelTimes = { reset: 0, settle: 0, advance: 0, summarize: 0 };
      this.#querySet = device.createQuerySet({ label: 'kernel times', type: 'timestamp', count: 512 });
      const usage = GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC;
      this.#queryResolve = device.createBuffer({ label: 'kernel times', size: 4096, usage });
      this.#queryReadback = device.createBuffer({
        label: 'kernel times readback',
        size: 4096,
        usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
      });
    }
  }

  /**
   * Compiles the kernels and allocates the batch. Splits it into shards where one storage binding cannot hold it.
   *
   * @throws GpuError when the device refuses (out of memory, say); RangeError for an envCount below 1.
   */
  static async create(context: GpuContext, options: BatchOptions): Promise<BatchSimulator> {
    const { device } = context;
    const { world, shaders, envCount } = options;
    if (!Number.isInteger(envCount) || envCount < 1)
      throw new RangeError(`envCount ${envCount}: allowed is 1 or more`);
    const layouts = shaders('common/layout.wgsl');
    const words = {
      state: structLayout(layouts, 'EnvState').words,
      decision: structLayout(layouts, 'Decision').words,
      summary: structLayout(layouts, 'Summary').words,
      request: structLayout(layouts, 'ResetRequest').words,
    };
    const execution = { ...suitableExecution(context.adapter), ...options.execution };
    const mostActors = world.routeList.reduce((most, { actorCount }) => Math.max(most, actorCount), 0);
    const actorStride = Math.ceil(mostActors / 8) * 8;
    const largestRecord = 4 * Math.max(actorStride * actorWords, words.state);
    const bindingLimit = Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize);
    const { laneBlock: block } = execution;
    const mostEnvs = Math.floor(bindingLimit / largestRecord / block) * block;
    const shardSize = Math.min(Math.ceil(envCount / block) * block, mostEnvs);
    const shardCount = Math.ceil(envCount / shardSize);

    const worldLayout = bufferLayout(device, 'world', [
      'uniform',
      'read-only-storage',
      'read-only-storage',
      'read-only-storage',
      'uniform',
      'uniform',
    ]);
    const shardLayouts = {
      environment: bufferLayout(device, 'advance', ['storage', 'storage', 'storage']),
      reset: bufferLayout(device, 'reset', ['storage', 'storage', undefined, 'read-only-storage', 'uniform']),
      summarize: bufferLayout(device, 'summarize', ['storage', 'storage', 'storage']),
    };
    const stintLayout = bufferLayout(device, 'stint', ['uniform']);
    const { teamwork, threads, laneBlock } = execution;
    const layout = { actorStride, laneBlock };
    const group = [worldLayout, shardLayouts.environment];
    const [reset, settle, advance, summarize] = await Promise.all([
      createKernel(context, 'reset', resetSource(shaders), [worldLayout, shardLayouts.reset], layout),
      createKernel(context, 'settle', settleSource(shaders), group, layout),
      createKernel(context, 'advance', advanceSource(shaders, teamwork), [...group, stintLayout], {
        ...layout,
        threads,
      }),
      createKernel(
        context,
        'summarize',
        summarizeSource(shaders),
        [bufferLayout(device, 'nothing', []), shardLayouts.summarize],
        layout,
      ),
    ]);
    return context.withErrorScope('allocating the batch', () => {
      const buffers = [
        createFilledBuffer(
          device,
          'routes',
          padded(world.routes, routeVectors, 'routes'),
          GPUBufferUsage.UNIFORM,
        ),
        createFilledBuffer(device, 'shapes', world.shapes, GPUBufferUsage.STORAGE),
        createFilledBuffer(device, 'segments', world.segments, GPUBufferUsage.STORAGE),
        createFilledBuffer(device, 'tables', world.tables, GPUBufferUsage.STORAGE),
        createFilledBuffer(
          device,
          'rules',
          padded(joinRules(options.rules), ruleVectors, 'rules'),
          GPUBufferUsage.UNIFORM,
        ),
        createFilledBuffer(device, 'directions', packedDirections(), GPUBufferUsage.UNIFORM),
      ];
      const worldGroup = device.createBindGroup({
        label: 'world',
        layout: worldLayout,
        entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
      });
      // Every shard is of full size, the last one partly unused, so that one pipeline serves all.
      const shards = Array.from(
        { length: shardCount },
        (_, index) => new Shard(context, `shard ${index}`, shardSize, actorStride, words, shardLayouts),
      );
      return new BatchSimulator(context, options, {
        pipelines: { reset, settle, advance, summarize },
        worldLayout,
        worldGroup,
        worldBuffers: buffers,
        stintLayout,
        shards,
        shardSize,
        actorStride,
        execution,
      });
    });
  }

  /** The state on the GPU, for kernels that read it between rounds. Do not write to it. */
  get gpuState(): GpuState {
    return {
      worldLayout: this.#worldLayout,
      worldGroup: this.#worldGroup,
      shards: this.#shards,
      shardSize: this.#shardSize,
      actorStride: this.actorStride,
      laneBlock: this.#execution.laneBlock,
    };
  }

  /** Bytes of GPU buffers: the world's, which grow with the maps, and the batch's, which grow with its size; these also by name. */
  get memory(): { world: number; batch: number; buffers: Record<string, number> } {
    const buffers: Record<string, number> = {};
    for (const { bytesByBuffer } of this.#shards) {
      for (const [name, bytes] of Object.entries(bytesByBuffer)) buffers[name] = (buffers[name] ?? 0) + bytes;
    }
    return {
      world: this.#worldBuffers.reduce((sum, buffer) => sum + buffer.size, 0),
      batch: this.#shards.reduce((sum, shard) => sum + shard.bytes, 0),
      buffers,
    };
  }

  /** Stages new episodes for slots; the next `advance` starts them, whatever ran there before. */
  reset(requests: readonly ResetRequest[]): void {
    for (const request of requests) {
      this.#checkEnv(request.env);
      if (!(request.route in this.world.routeList))
        throw new RangeError(`route ${request.route}: the world has ${this.world.routeList.length}`);
      this.#requests[Math.floor(request.env / this.#shardSize)]!.push(request);
    }
  }

  /**
   * Stages one decision. Ignored by an environment that does not await one.
   *
   * @param action code of `struct Decision`: 0 none, 1-7 moves, 8-13 turns, 14-16 waits
   * @param latencyCentiseconds what the thought is charged, whole centiseconds
   */
  decide(env: number, action: number, latencyCentiseconds: number): void {
    this.#checkEnv(env);
    this.#decisions[env * decisionWords] = 1;
    this.#decisions[env * decisionWords + 1] = action;
    this.#decisions[env * decisionWords + 2] = latencyCentiseconds;
    if (latencyCentiseconds > this.#longestLatency) this.#longestLatency = latencyCentiseconds;
    this.#hasDecisions = true;
  }

  /**
   * Applies what was staged, runs each environment with a decision to its end, and refreshes `summary`. With a `watch` the
   * actions run in parts, with a look between two; the results are the same.
   */
  async advance(watch?: FrameWatch): Promise<void> {
    if (!this.#hasDecisions) {
      await this.#submitRound([]);
      return;
    }
    const [planning, ...later] = this.#usualPhases();
    if (watch === undefined) {
      await this.#submitRound([planning, ...later]);
    } else {
      await this.#runActions(planning, watch);
      await this.#submitRound(later);
    }
    while (this.#isAnyRunning()) await this.#submitRound([{ stint: 'whole', dispatches: 1 }]);
    this.#longestLatency = 0;
    this.#hasDecisions = false;
  }

  /** Runs every thought and action to its end, part by part. */
  async #runActions(planning: Phase, watch: FrameWatch): Promise<void> {
    const { frameTicks } = watch;
    if (!(Number.isInteger(frameTicks) && frameTicks >= 1))
      throw new RangeError(`frameTicks ${frameTicks}: allowed is 1 or more`);
    this.#writeStint('frame', frameTicks, status.executing);
    const frame: Phase = { stint: 'frame', dispatches: 1 };
    await this.#submitRound([{ ...planning, stint: 'planning' }, frame]);
    for (;;) {
      const envs = [...this.#withStatus(status.executing)];
      if (envs.length === 0) return;
      await watch.onFrame(envs);
      await this.#submitRound([frame]);
    }
  }

  /**
   * Submits a round like `advance` and neither waits nor reads back: `summary` stays as it was. For benchmarks, and for
   * callers that need no summary of this round.
   */
  submit(): void {
    this.#encodeRound(this.#hasDecisions ? this.#usualPhases() : [], false);
    this.#longestLatency = 0;
    this.#hasDecisions = false;
  }

  /** Planning, execution, recovery. */
  #usualPhases(): [planning: Phase, execution: Phase, recovery: Phase] {
    const { tickBudget } = this.#execution;
    const owedTicks = Math.floor((this.#longestLatency + mostCarriedCentiseconds) / centisecondsPerTick);
    const planning = { stint: 'whole', dispatches: Math.ceil(owedTicks / tickBudget) } as const;
    const later = { stint: 'whole', dispatches: Math.ceil(usualPhaseTicks / tickBudget) } as const;
    return [planning, later, later];
  }

  #writeStint(stint: Stint, ticks: number, lastStatus: number): void {
    this.#context.device.queue.writeBuffer(this.#stints[stint].buffer, 0, Uint32Array.of(ticks, lastStatus));
  }

  async #submitRound(phases: readonly Phase[]): Promise<void> {
    await this.#context.withErrorScope('round', () => this.#encodeRound(phases, true));
    await this.#readSummaries();
  }

  #checkEnv(env: number): void {
    if (!(env >= 0 && env < this.envCount))
      throw new RangeError(`environment ${env}: allowed are 0 to ${this.envCount - 1}`);
  }

  /** The environments with a status from `first` to `last`. */
  *#withStatus(first: number, last = first): Generator<number> {
    const { words, layout } = this.summary;
    const statusWord = layout.word('status');
    for (let env = 0; env < this.envCount; env++) {
      const found = words[env * layout.words + statusWord]!;
      if (found >= first && found <= last) yield env;
    }
  }

  #isAnyRunning(): boolean {
    return !this.#withStatus(status.planning, status.recovering).next().done;
  }

  #pass(encoder: GPUCommandEncoder, kernel: KernelName): GPUComputePassEncoder {
    const descriptor: GPUComputePassDescriptor = { label: kernel };
    if (this.#querySet !== undefined && this.#queries.length < 256) {
      const first = this.#queries.length * 2;
      this.#queries.push(kernel);
      descriptor.timestampWrites = {
        querySet: this.#querySet,
        beginningOfPassWriteIndex: first,
        endOfPassWriteIndex: first + 1,
      };
    }
    const pass = encoder.beginComputePass(descriptor);
    pass.setPipeline(this.#pipelines[kernel]);
    return pass;
  }

  #writeRequests(shard: Shard, shardIndex: number): number {
    const requests = this.#requests[shardIndex]!;
    if (requests.length === 0) return 0;
    // The last request for a slot wins; two workgroups must not write one environment.
    const bySlot = new Map(requests.map((request) => [request.env, request]));
    const data = new Uint32Array(bySlot.size * this.#requestWords);
    let word = 0;
    for (const request of bySlot.values()) {
      data.set(
        [
          request.env - shardIndex * this.#shardSize,
          request.route,
          request.rules,
          request.mode === 'realtime' ? 1 : 0,
          request.seed,
          request.maxDecisions,
          request.percent,
          request.speedChoices,
          request.classes,
        ],
        word,
      );
      word += this.#requestWords;
    }
    const { queue } = this.#context.device;
    queue.writeBuffer(shard.requests, 0, data);
    queue.writeBuffer(shard.requestCount, 0, Uint32Array.of(bySlot.size, 0, 0, 0));
    this.#requests[shardIndex] = [];
    return bySlot.size;
  }

  /** Submits one round: resets, then settle before, between and after the phases. */
  #encodeRound(phases: readonly Phase[], readsBack: boolean): void {
    const { device } = this.#context;
    const limit = device.limits.maxComputeWorkgroupsPerDimension;
    for (const [index, shard] of this.#shards.entries()) {
      const encoder = device.createCommandEncoder({ label: `round of shard ${index}` });
      const run = (
        kernel: KernelName,
        workgroups: number,
        group: GPUBindGroup,
        { stint, dispatches: times }: Phase = { stint: 'whole', dispatches: 1 },
      ) => {
        if (times === 0) return;
        const pass = this.#pass(encoder, kernel);
        pass.setBindGroup(0, this.#worldGroup);
        pass.setBindGroup(1, group);
        if (kernel === 'advance') pass.setBindGroup(2, this.#stints[stint].group);
        for (let time = 0; time < times; time++) dispatchGroups(pass, workgroups, limit);
        pass.end();
      };
      const requested = this.#writeRequests(shard, index);
      if (requested > 0) run('reset', Math.ceil(requested / 8), shard.resetGroup);
      if (phases.length > 0) {
        const first = index * this.#shardSize * decisionWords;
        const count = Math.min(this.#shardSize * decisionWords, this.#decisions.length - first);
        device.queue.writeBuffer(shard.decisions, 0, this.#decisions, first, count);
        const threadGroups = Math.ceil(shard.envCount / 64);
        const { teamwork, threads } = this.#execution;
        const teams = teamwork === 'team' ? shard.envCount : Math.ceil(shard.envCount / threads);
        for (const phase of phases) {
          run('settle', threadGroups, shard.environmentGroup);
          run('advance', teams, shard.environmentGroup, phase);
        }
        run('settle', threadGroups, shard.environmentGroup);
      }
      if (!readsBack) {
        device.queue.submit([encoder.finish()]);
        continue;
      }
      const pass = this.#pass(encoder, 'summarize');
      pass.setBindGroup(1, shard.summarizeGroup);
      dispatchGroups(pass, Math.ceil(shard.envCount / 8), limit);
      pass.end();
      encoder.copyBufferToBuffer(shard.summaries, 0, shard.readback, 0, shard.summaries.size);
      if (index === this.#shards.length - 1) this.#resolveQueries(encoder);
      device.queue.submit([encoder.finish()]);
    }
    // A decision is taken up once; a second submit of the same round must not repeat it.
    this.#decisions.fill(0);
  }

  #resolveQueries(encoder: GPUCommandEncoder): void {
    if (!this.#querySet || !this.#queryResolve || !this.#queryReadback) return;
    encoder.resolveQuerySet(this.#querySet, 0, this.#queries.length * 2, this.#queryResolve, 0);
    encoder.copyBufferToBuffer(this.#queryResolve, 0, this.#queryReadback, 0, this.#queryReadback.size);
  }

  async #readSummaries(): Promise<void> {
    await Promise.all(
      this.#shards.map(async (shard, index) => {
        await this.#context.track(shard.readback.mapAsync(GPUMapMode.READ));
        const first = index * this.#shardSize * this.summary.layout.words;
        const target = this.summary.words.subarray(first, first + shard.readback.size / 4);
        target.set(new Uint32Array(shard.readback.getMappedRange()).subarray(0, target.length));
        shard.readback.unmap();
      }),
    );
    await this.#readQueries();
  }

  async #readQueries(): Promise<void> {
    if (!this.#queryReadback || !this.kernelTimes) return;
    await this.#context.track(this.#queryReadback.mapAsync(GPUMapMode.READ));
    const stamps = new BigUint64Array(this.#queryReadback.getMappedRange());
    for (const [index, kernel] of this.#queries.entries()) {
      this.kernelTimes[kernel] += Number(stamps[index * 2 + 1]! - stamps[index * 2]!);
    }
    this.#queryReadback.unmap();
    this.#queries = [];
  }

  /** Reads one environment's whole state. */
  async readEnvironment(env: number): Promise<EnvironmentState> {
    this.#checkEnv(env);
    const shard = this.#shards[Math.floor(env / this.#shardSize)]!;
    const slot = env % this.#shardSize;
    const { laneBlock } = this.#execution;
    const lane = slot % laneBlock;
    const stateBytes = this.stateLayout.words * 4;
    const blockBytes = this.actorStride * actorWords * laneBlock * 4;
    const { device } = this.#context;
    const readback = device.createBuffer({
      label: 'environment readback',
      size: stateBytes + blockBytes,
      usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
    });
    const encoder = device.createCommandEncoder({ label: 'environment readback' });
    encoder.copyBufferToBuffer(shard.envs, slot * stateBytes, readback, 0, stateBytes);
    encoder.copyBufferToBuffer(
      shard.actors,
      ((slot - lane) / laneBlock) * blockBytes,
      readback,
      stateBytes,
      blockBytes,
    );
    device.queue.submit([encoder.finish()]);
    await this.#context.track(readback.mapAsync(GPUMapMode.READ));
    const bytes = readback.getMappedRange().slice(0);
    readback.destroy();
    const interleaved = new Int32Array(bytes, stateBytes);
    return {
      state: new Uint32Array(bytes, 0, this.stateLayout.words).slice(),
      actors: Int32Array.from(
        { length: this.actorStride * actorWords },
        // Stored as halves of four fields: [half, slot, laneBlock, field % 4].
        (_, word) => {
          const field = Math.floor(word / this.actorStride);
          const row = Math.floor(field / 4) * this.actorStride + (word % this.actorStride);
          return interleaved[(row * laneBlock + lane) * 4 + (field % 4)]!;
        },
      ),
    };
  }

  /**
   * Puts a state that `readEnvironment` gave, of this batch or one with the same world and rules, into a slot; what follows is
   * what followed it there. A reset that is staged for the slot still comes after it. `advance` refreshes the summary.
   *
   * @throws RangeError for a state of another layout or number of actor slots.
   */
  restoreEnvironment(env: number, { state, actors }: EnvironmentState): void {
    this.#checkEnv(env);
    const stateWords = this.stateLayout.words;
    const allActorWords = this.actorStride * actorWords;
    if (state.length !== stateWords || actors.length !== allActorWords)
      throw new RangeError(
        `state: found ${state.length} and ${actors.length} words, allowed are ${stateWords} and ${allActorWords}`,
      );
    const { device } = this.#context;
    const shard = this.#shards[Math.floor(env / this.#shardSize)]!;
    const slot = env % this.#shardSize;
    const { laneBlock } = this.#execution;
    const lane = slot % laneBlock;
    const halfWords = 4;
    const rows = allActorWords / halfWords;
    const staging = device.createBuffer({
      label: 'environment restore',
      size: allActorWords * 4,
      usage: GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
    });
    const halves = Int32Array.from({ length: allActorWords }, (_, word) => {
      const row = Math.floor(word / halfWords);
      const field = Math.floor(row / this.actorStride) * halfWords + (word % halfWords);
      return actors[field * this.actorStride + (row % this.actorStride)]!;
    });
    device.queue.writeBuffer(staging, 0, halves);
    device.queue.writeBuffer(shard.envs, slot * stateWords * 4, state);
    const encoder = device.createCommandEncoder({ label: 'environment restore' });
    const halfBytes = halfWords * 4;
    const firstRow = ((slot - lane) / laneBlock) * rows;
    for (let row = 0; row < rows; row++) {
      const target = ((firstRow + row) * laneBlock + lane) * halfBytes;
      encoder.copyBufferToBuffer(staging, row * halfBytes, shard.actors, target, halfBytes);
    }
    device.queue.submit([encoder.finish()]);
    staging.destroy();
  }

  /**
   * Reads the whole state of every environment, about 7 KiB each, over one buffer per shard that is kept. The view is the
   * same one every time, and the next call overwrites it.
   */
  async readEnvironments(): Promise<EnvironmentsView> {
    const { device } = this.#context;
    const { laneBlock } = this.#execution;
    const slots = this.#shardSize * this.#shards.length;
    this.#view ??= new EnvironmentsView(this.stateLayout, slots, this.actorStride, laneBlock);
    const { states, actors } = this.#view;
    const encoder = device.createCommandEncoder({ label: 'readback of all environments' });
    const readbacks = this.#shards.map((shard) => {
      const { envs } = shard;
      const readback = shard.stateReadback();
      encoder.copyBufferToBuffer(envs, 0, readback, 0, envs.size);
      encoder.copyBufferToBuffer(shard.actors, 0, readback, envs.size, shard.actors.size);
      return readback;
    });
    device.queue.submit([encoder.finish()]);
    await Promise.all(
      readbacks.map(async (readback, index) => {
        await this.#context.track(readback.mapAsync(GPUMapMode.READ));
        const words = new Int32Array(readback.getMappedRange());
        const stateWords = states.length / readbacks.length;
        states.set(words.subarray(0, stateWords), index * stateWords);
        actors.set(words.subarray(stateWords), (index * actors.length) / readbacks.length);
        readback.unmap();
      }),
    );
    return this.#view;
  }

  /** Frees the batch's buffers; the context stays open. */
  async destroy(): Promise<void> {
    await this.#context.device.queue.onSubmittedWorkDone();
    for (const shard of this.#shards) shard.destroy();
    for (const buffer of this.#worldBuffers) buffer.destroy();
    for (const { buffer } of Object.values(this.#stints)) buffer.destroy();
    this.#querySet?.destroy();
    this.#queryResolve?.destroy();
    this.#queryReadback?.destroy();
  }
}
