// A slice of the batch small enough for one storage binding: its buffers and bind groups. Most batches are one shard.
import type { GpuContext } from './device.ts';
import { actorWords } from './world.ts';

export interface ShardLayouts {
  readonly environment: GPUBindGroupLayout;
  readonly reset: GPUBindGroupLayout;
  readonly summarize: GPUBindGroupLayout;
}

/** Words per environment of each record, from the layouts. */
export interface RecordWords {
  readonly state: number;
  readonly decision: number;
  readonly summary: number;
  readonly request: number;
}

export class Shard {
  readonly envCount: number;
  /** [env, EnvState] */
  readonly envs: GPUBuffer;
  /** [env / laneBlock, half, actorStride, env % laneBlock], an actor in two halves of four words */
  readonly actors: GPUBuffer;
  /** [env, Decision] */
  readonly decisions: GPUBuffer;
  /** [request, ResetRequest] */
  readonly requests: GPUBuffer;
  readonly requestCount: GPUBuffer;
  /** [env, Summary] */
  readonly summaries: GPUBuffer;
  readonly readback: GPUBuffer;
  readonly environmentGroup: GPUBindGroup;
  readonly resetGroup: GPUBindGroup;
  readonly summarizeGroup: GPUBindGroup;
  /** Bytes of GPU memory by what they hold. */
  readonly bytesByBuffer: Record<string, number> = {};
  readonly #buffers: GPUBuffer[] = [];
  readonly #device: GPUDevice;
  readonly #name: string;
  #stateReadback: GPUBuffer | undefined;

  constructor(
    { device }: GpuContext,
    name: string,
    envCount: number,
    actorStride: number,
    words: RecordWords,
    layouts: ShardLayouts,
  ) {
    this.envCount = envCount;
    this.#device = device;
    this.#name = name;
    const storage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    const create = (what: string, size: number, usage = storage) => {
      const buffer = device.createBuffer({ label: `${what} of ${name}`, size: size * 4, usage });
      this.#buffers.push(buffer);
      this.bytesByBuffer[what] = buffer.size;
      return buffer;
    };
    this.envs = create('environments', envCount * words.state);
    this.actors = create('actors', envCount * actorWords * actorStride);
    this.decisions = create('decisions', envCount * words.decision);
    this.requests = create('reset requests', envCount * words.request);
    this.requestCount = create('reset count', 4, GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST);
    this.summaries = create('summaries', envCount * words.summary);
    this.readback = create(
      'summary readback',
      envCount * words.summary,
      GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
    );
    const group = (what: string, layout: GPUBindGroupLayout, buffers: Record<number, GPUBuffer>) =>
      device.createBindGroup({
        label: `${what} of ${name}`,
        layout,
        entries: Object.entries(buffers).map(([binding, buffer]) => ({
          binding: Number(binding),
          resource: { buffer },
        })),
      });
    this.environmentGroup = group('advance', layouts.environment, {
      0: this.envs,
      1: this.actors,
      2: this.decisions,
    });
    this.resetGroup = group('reset', layouts.reset, {
      0: this.envs,
      1: this.actors,
      3: this.requests,
      4: this.requestCount,
    });
    this.summarizeGroup = group('summarize', layouts.summarize, {
      0: this.envs,
      1: this.actors,
      2: this.summaries,
    });
  }

  /** Room for all states and actors, made at the first call: most runs never read them. */
  stateReadback(): GPUBuffer {
    if (this.#stateReadback === undefined) {
      this.#stateReadback = this.#device.createBuffer({
        label: `state readback of ${this.#name}`,
        size: this.envs.size + this.actors.size,
        usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
      });
      this.#buffers.push(this.#stateReadback);
    }
    return this.#stateReadback;
  }

  /** Bytes of GPU memory held by this shard. */
  get bytes(): number {
    return this.#buffers.reduce((sum, buffer) => sum + buffer.size, 0);
  }

  destroy(): void {
    for (const buffer of this.#buffers) buffer.destroy();
  }
}
