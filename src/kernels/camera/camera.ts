// Renders what agents see: views of chosen environments, straight from the batch's state on the GPU. What is seen is found and
// placed here; a rasteriser makes pictures of it. See docs/camera.md for the passes.
import type { BatchSimulator, GpuState } from '../batchSimulator.ts';
import { type GpuContext, runsOnCpu } from '../device.ts';
import { type BindingKind, bufferLayout, createKernel } from '../kernel.ts';
import { structLayout } from '../layout.ts';
import type { ShaderLibrary } from '../shaderLibrary.ts';
import { ComputeRasteriser, computePassSize, subgroupLanes } from './computeRasteriser.ts';
import { atlasSize, HardwareRasteriser } from './hardwareRasteriser.ts';
import { hiderLimit, placedWords, placeSource, seeSource, sightLimit, viewLimit } from './kernels.ts';
import { packMeshes } from './meshBuilder.ts';
import { familyMeshTable, meshList } from './meshes.ts';
import { paletteWords } from './paints.ts';
import {
  bindBuffers,
  type Images,
  type PassSize,
  type Rasteriser,
  type SharedBuffers,
  type ViewRequest,
} from './rasteriser.ts';
import { type CameraRig, nearMetres, publishedRig, tangents } from './rig.ts';
import type { CameraScene } from './scene.ts';

export interface CameraOptions {
  readonly shaders: ShaderLibrary;
  readonly scene: CameraScene;
  /** Default: the published camera. */
  readonly rig?: CameraRig;
  /** Also render depth in metres along the camera's axis (0: sky), and segmentation ids (segmentation.ts). */
  readonly geometry?: boolean;
  /** Most views in one pass; more are rendered in several. Default: what textures and buffers allow. */
  readonly viewCapacity?: number;
  /** Things whose radius takes fewer pixels are left out. */
  readonly leastRadiusPixels?: number;
  /** Above 1: finer meshes farther away. */
  readonly detail?: number;
  /** False: what stands behind buildings is drawn too. The pictures are the same. */
  readonly culling?: boolean;
  /** Who takes instances to pictures. Default: `suitableRasteriser`. */
  readonly rasteriser?: RasteriserName;
}

export type RasteriserName = 'hardware' | 'compute';

/** Pixels of a picture up to which a driver on a CPU is faster in compute kernels (docs/camera.md). */
const largestPainted = 2 ** 16;

/** What draws such pictures fastest on a device. */
export function suitableRasteriser(
  { adapter, device }: GpuContext,
  { width, height }: CameraRig,
): RasteriserName {
  const isSmall = width * height <= largestPainted;
  return runsOnCpu(adapter) && subgroupLanes(device) !== undefined && isSmall ? 'compute' : 'hardware';
}

/** Pixels of one pass: beyond some millions nothing is gained by more at once. */
const passPixels = 2 ** 24;

/**
 * How many views a pass may have, and where they go.
 *
 * @throws RangeError for a picture larger than is allowed.
 */
function passSize(
  device: GPUDevice,
  rig: CameraRig,
  rasteriser: RasteriserName,
  wanted: number | undefined,
): PassSize {
  const bindingLimit = Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize);
  const most = Math.min(
    viewLimit,
    wanted ?? viewLimit,
    Math.floor(bindingLimit / (sightLimit * placedWords * 4)),
    Math.max(1, Math.floor(passPixels / (rig.width * rig.height))),
  );
  return rasteriser === 'compute' ? computePassSize(device, rig, most) : atlasSize(device, rig, most);
}

type Buffers = SharedBuffers & Record<'scene' | 'families' | 'meshes', GPUBuffer>;

type SeeingKernel = 'see' | 'place';

/**
 * A camera over a batch.
 *
 * @example
 * const camera = await Camera.create(context, batch, { shaders, scene: compileCameraScene(shaders, cities) });
 * const images = await camera.render([{ env: 0 }, { env: 1, turnDegrees: -70 }]);
 */
export class Camera {
  readonly rig: CameraRig;
  /** Most views of one pass. */
  readonly viewCapacity: number;
  readonly rasteriser: RasteriserName;
  readonly #context: GpuContext;
  readonly #batch: BatchSimulator;
  readonly #state: GpuState;
  readonly #geometry: boolean;
  readonly #buffers: Buffers;
  readonly #kernels: Record<SeeingKernel, GPUComputePipeline>;
  readonly #sceneGroup: GPUBindGroup;
  readonly #shardGroups: readonly { range: GPUBuffer; group: GPUBindGroup }[];
  readonly #drawing: Rasteriser;

  private constructor(parts: {
    context: GpuContext;
    batch: BatchSimulator;
    rig: CameraRig;
    size: PassSize;
    geometry: boolean;
    buffers: Buffers;
    kernels: Record<SeeingKernel, GPUComputePipeline>;
    sceneGroup: GPUBindGroup;
    shardGroups: readonly { range: GPUBuffer; group: GPUBindGroup }[];
    rasteriser: RasteriserName;
    drawing: Rasteriser;
  }) {
    this.#context = parts.context;
    this.#batch = parts.batch;
    this.#state = parts.batch.gpuState;
    this.rig = parts.rig;
    this.viewCapacity = parts.size.capacity;
    this.#geometry = parts.geometry;
    this.#buffers = parts.buffers;
    this.#kernels = parts.kernels;
    this.#sceneGroup = parts.sceneGroup;
    this.#shardGroups = parts.shardGroups;
    this.rasteriser = parts.rasteriser;
    this.#drawing = parts.drawing;
  }

  /**
   * Compiles the camera's kernels for a batch and allocates what a pass needs.
   *
   * @throws RangeError for an image larger than is allowed; GpuError when the device refuses.
   */
  static async create(context: GpuContext, batch: BatchSimulator, options: CameraOptions): Promise<Camera> {
    const { device } = context;
    const rig = options.rig ?? publishedRig;
    const rasteriser = options.rasteriser ?? suitableRasteriser(context, rig);
    const size = passSize(device, rig, rasteriser, options.viewCapacity);
    const geometry = options.geometry ?? false;
    const state = batch.gpuState;
    const layouts = createLayouts(device);
    const constants = { actorStride: state.actorStride, laneBlock: state.laneBlock };
    const stateLayouts = [state.worldLayout, layouts.shard, layouts.scene];
    const { shaders } = options;
    return context.withErrorScope('allocating the camera', async () => {
      const buffers = createBuffers(device, options.scene, rigRecord(shaders, rig, size, options), size);
      const shardGroups = state.shards.map(({ envs, actors }) => {
        const range = device.createBuffer({
          label: 'camera views of shard',
          size: 16,
          usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
        });
        return { range, group: bindBuffers(device, layouts.shard, [envs, actors, range]) };
      });
      const { requests, scene, sightings, views, families, instances, meshes } = buffers;
      const sceneBuffers = [buffers.rig, requests, scene, sightings, views, families, instances, meshes];
      const parts = { context, shaders, rig, size, geometry, buffers };
      const [see, place, drawing] = await Promise.all([
        createKernel(context, 'cameraSee', seeSource(shaders), stateLayouts, constants),
        createKernel(context, 'cameraPlace', placeSource(shaders), stateLayouts, constants),
        (rasteriser === 'compute' ? ComputeRasteriser : HardwareRasteriser).create(parts),
      ]);
      const kernels = { see, place };
      const sceneGroup = bindBuffers(device, layouts.scene, sceneBuffers);
      const passes = { kernels, sceneGroup, shardGroups, rasteriser, drawing };
      return new Camera({ context, batch, rig, size, geometry, buffers, ...passes });
    });
  }

  /**
   * Submits one pass over at most `viewCapacity` views and neither waits nor reads back.
   *
   * @throws RangeError for too many views, a tile or an environment there is not.
   */
  submit(views: readonly ViewRequest[]): void {
    const encoder = this.#context.device.createCommandEncoder({ label: 'camera' });
    this.#encode(encoder, views);
    this.#context.device.queue.submit([encoder.finish()]);
  }

  /**
   * Renders views and reads the pictures back. Any number of views: as many passes as needed.
   *
   * @param into pictures of an earlier call for as many views, to be written over.
   * @throws RangeError for a tile or an environment there is not, or for `into` of another number of views.
   */
  async render(views: readonly ViewRequest[], into?: Images): Promise<Images> {
    if (into !== undefined && into.count !== views.length)
      throw new RangeError(`pictures of ${into.count} views for ${views.length}: allowed are as many`);
    const images = into ?? this.#newImages(views.length);
    const passes: Promise<void>[] = [];
    for (let first = 0; first < views.length; first += this.viewCapacity) {
      // Two at a time: one is read while the next is drawn.
      await passes.at(-2);
      const pass = this.#renderPass(views.slice(first, first + this.viewCapacity), first, images);
      // Its error is the last line's to throw, if no earlier one's is.
      pass.catch(() => undefined);
      passes.push(pass);
    }
    await Promise.all(passes);
    return images;
  }

  /**
   * Triangles or polygons, as the rasteriser has them, that the last pass of `viewCount` views was drawn with: [kind], as in
   * `meshKinds`. Reads the GPU's counts back.
   */
  countPrimitives(viewCount: number): Promise<number[]> {
    return this.#drawing.countPrimitives(viewCount);
  }

  #newImages(count: number): Images {
    const { width, height } = this.rig;
    const words = count * width * height;
    return {
      count,
      width,
      height,
      colour: new Uint8Array(words * 4),
      depth: this.#geometry ? new Float32Array(words) : undefined,
      segmentation: this.#geometry ? new Uint32Array(words) : undefined,
    };
  }

  async destroy(): Promise<void> {
    await this.#context.device.queue.onSubmittedWorkDone();
    for (const buffer of Object.values(this.#buffers)) buffer.destroy();
    for (const { range } of this.#shardGroups) range.destroy();
    this.#drawing.destroy();
  }

  async #renderPass(views: readonly ViewRequest[], firstView: number, images: Images): Promise<void> {
    const { device } = this.#context;
    const read = await this.#context.withErrorScope('camera', () => {
      const encoder = device.createCommandEncoder({ label: 'camera' });
      this.#encode(encoder, views);
      const reading = this.#drawing.encodeReadback(encoder, views);
      device.queue.submit([encoder.finish()]);
      return reading;
    });
    await read(images, firstView);
  }

  /** Writes the requests, sorted by shard; returns the views of each shard as ranges of that order. */
  #writeRequests(views: readonly ViewRequest[]): { first: number; count: number }[] {
    const { shards, shardSize } = this.#state;
    const words = new Int32Array(Math.max(1, views.length) * 4);
    const ranges: { first: number; count: number }[] = [];
    let place = 0;
    for (const shard of shards.keys()) {
      const first = place;
      for (const [order, { env, turnDegrees = 0, tile = order }] of views.entries()) {
        if (Math.floor(env / shardSize) !== shard) continue;
        words.set([env - shard * shardSize, tile, Math.round(turnDegrees * 10) % 3600], place * 4);
        place++;
      }
      ranges.push({ first, count: place - first });
    }
    this.#context.device.queue.writeBuffer(this.#buffers.requests, 0, words);
    return ranges;
  }

  #check(views: readonly ViewRequest[]): void {
    if (views.length > this.viewCapacity)
      throw new RangeError(`${views.length} views in one pass: allowed are ${this.viewCapacity}`);
    for (const { env, tile = 0 } of views) {
      if (!(env >= 0 && env < this.#batch.envCount))
        throw new RangeError(`view of environment ${env}: allowed are 0 to ${this.#batch.envCount - 1}`);
      if (!(tile >= 0 && tile < this.viewCapacity))
        throw new RangeError(`tile ${tile}: allowed are 0 to ${this.viewCapacity - 1}`);
    }
  }

  #encode(encoder: GPUCommandEncoder, views: readonly ViewRequest[]): void {
    this.#check(views);
    const { queue } = this.#context.device;
    const ranges = this.#writeRequests(views);
    queue.writeBuffer(this.#buffers.viewCount, 0, Uint32Array.of(views.length, 0, 0, 0));
    for (const [shard, { first, count }] of ranges.entries())
      queue.writeBuffer(this.#shardGroups[shard]!.range, 0, Uint32Array.of(first, count, 0, 0));

    const compute = encoder.beginComputePass({ label: 'camera culling' });
    const forShards = (pipeline: GPUComputePipeline, workgroups: (count: number) => number) => {
      compute.setPipeline(pipeline);
      compute.setBindGroup(0, this.#state.worldGroup);
      compute.setBindGroup(2, this.#sceneGroup);
      for (const [shard, { count }] of ranges.entries()) {
        if (count === 0) continue;
        compute.setBindGroup(1, this.#shardGroups[shard]!.group);
        compute.dispatchWorkgroups(workgroups(count));
      }
    };
    forShards(this.#kernels.see, (count) => Math.ceil(count / 8));
    forShards(this.#kernels.place, (count) => count);
    compute.end();
    this.#drawing.encode(encoder, views);
  }
}

function rigRecord(
  shaders: ShaderLibrary,
  rig: CameraRig,
  size: PassSize,
  options: CameraOptions,
): Uint32Array<ArrayBuffer> {
  const layout = structLayout(shaders('common/cameraLayout.wgsl'), 'CameraRig');
  const words = new Uint32Array(layout.words);
  const floats = new Float32Array(words.buffer);
  const { slopeX, slopeY, focal } = tangents(rig);
  const pitch = (rig.pitchDegrees * Math.PI) / 180;
  const asFloats = {
    slopeX,
    slopeY,
    focal,
    near: nearMetres,
    pitchCosine: Math.cos(pitch),
    pitchSine: Math.sin(pitch),
    eyeHeight: rig.eyeHeightCm / 100,
    leastRadius: options.leastRadiusPixels ?? 0.8,
    halfWidth: rig.width / 2,
    halfHeight: rig.height / 2,
    scaleX: 2 / (size.columns * rig.width),
    scaleY: 2 / (size.rows * rig.height),
    detail: options.detail ?? 1,
  };
  const asWords = {
    columns: size.columns,
    listUnit: size.listUnit,
    viewCapacity: size.capacity,
    width: rig.width,
    height: rig.height,
    hiderCount: (options.culling ?? true) ? hiderLimit : 0,
  };
  for (const [name, value] of Object.entries(asFloats)) floats[layout.word(name)] = value;
  for (const [name, value] of Object.entries(asWords)) words[layout.word(name)] = value;
  return words;
}

function createBuffers(
  device: GPUDevice,
  scene: CameraScene,
  rigWords: Uint32Array<ArrayBuffer>,
  { capacity }: PassSize,
): Buffers {
  const create = (label: string, bytes: number, usage: number) =>
    device.createBuffer({
      label: `camera ${label}`,
      size: Math.max(16, bytes),
      usage: usage | GPUBufferUsage.COPY_DST,
    });
  const filled = (
    label: string,
    data:
      | Uint32Array<ArrayBuffer>
      | Float32Array<ArrayBuffer>
      | Uint8Array<ArrayBuffer>
      | Uint16Array<ArrayBuffer>,
    usage: number,
  ) => {
    const buffer = create(label, data.byteLength, usage);
    device.queue.writeBuffer(buffer, 0, data);
    return buffer;
  };
  const { STORAGE, UNIFORM } = GPUBufferUsage;
  const meshes = packMeshes(meshList);
  const meshTable = new Uint32Array(64 * 4);
  meshTable.set(meshes.table);
  const families = familyMeshTable();
  families.set([scene.clustersFirst, scene.thingsFirst], 31 * 4);
  return {
    rig: filled('rig', rigWords, UNIFORM),
    requests: create('requests', viewLimit * 16, UNIFORM),
    scene: filled('scene', scene.words, STORAGE),
    sightings: create('sightings', (viewLimit + capacity * sightLimit) * 4, STORAGE),
    views: create('views', capacity * 64, STORAGE),
    viewCount: create('number of views', 16, UNIFORM),
    families: filled('families', families, UNIFORM),
    meshes: filled('meshes', meshTable, UNIFORM),
    faces: filled('faces', meshes.faces, STORAGE),
    instances: create('instances', capacity * sightLimit * placedWords * 4, STORAGE),
    palette: filled('palette', paletteWords(), UNIFORM),
  };
}

function createLayouts(device: GPUDevice): Record<'shard' | 'scene', GPUBindGroupLayout> {
  const layout = (label: string, kinds: readonly BindingKind[]) =>
    bufferLayout(device, `camera ${label}`, kinds);
  return {
    shard: layout('shard', ['storage', 'storage', 'uniform']),
    scene: layout('scene', [
      'uniform',
      'uniform',
      'read-only-storage',
      'storage',
      'storage',
      'uniform',
      'storage',
      'uniform',
    ]),
  };
}
