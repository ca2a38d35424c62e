// Renders what agents see: views of chosen environments, side by side in an atlas, straight from the batch's state on the
// GPU. See docs/camera.md for the passes.
import type { BatchSimulator, GpuState } from '../batchSimulator.ts';
import type { GpuContext } from '../device.ts';
import { createKernel } from '../kernel.ts';
import { structLayout } from '../layout.ts';
import type { ShaderLibrary } from '../shaderLibrary.ts';
import {
  type FragmentKernel,
  fragmentSource,
  offsetsSource,
  placeSource,
  seeSource,
  type Tiling,
  type VertexKernel,
  vertexSource,
} from './kernels.ts';
import { packMeshes, vertexBytes } from './meshBuilder.ts';
import { familyMeshTable, type MeshKind, meshKinds, meshList } from './meshes.ts';
import { paletteWords } from './paints.ts';
import { type CameraRig, nearMetres, publishedRig, tangents } from './rig.ts';
import type { CameraScene } from './scene.ts';

export type { Tiling } from './kernels.ts';

export interface CameraOptions {
  readonly shaders: ShaderLibrary;
  readonly scene: CameraScene;
  /** Default: the published camera. */
  readonly rig?: CameraRig;
  /** Also render depth in metres along the camera's axis (0: sky), and segmentation ids (segmentation.ts). */
  readonly geometry?: boolean;
  /** Default: clip distances where the device has them. */
  readonly tiling?: Tiling;
  /** Most views in one pass; more are rendered in several. Default: what textures and buffers allow. */
  readonly viewCapacity?: number;
  /** Things whose radius takes fewer pixels are left out. */
  readonly leastRadiusPixels?: number;
  /** Above 1: finer meshes farther away. */
  readonly detail?: number;
}

export interface ViewRequest {
  readonly env: number;
  /** Of the camera against the agent's heading, to the right. */
  readonly turnDegrees?: number;
  /** Place in the atlas of the pass. Default: the order of the requests. */
  readonly tile?: number;
}

/** Pictures in the order of the requests. */
export interface Images {
  readonly count: number;
  readonly width: number;
  readonly height: number;
  /** [view, row, column, red green blue alpha] */
  readonly colour: Uint8Array<ArrayBuffer>;
  /** [view, row, column]: metres along the camera's axis, 0 for the sky. */
  readonly depth: Float32Array<ArrayBuffer> | undefined;
  /** [view, row, column] */
  readonly segmentation: Uint32Array<ArrayBuffer> | undefined;
}

/** Things one view can show. */
const sightLimit = 1024;
const instanceBytes = 48;
/** Views in the uniform array of requests. */
const requestLimit = 4096;
/** Pixels of one atlas: beyond some millions nothing is gained by more at once. */
const atlasPixels = 2 ** 24;
/** Words of an indexed indirect draw. */
const drawWords = 5;
/** Bytes between the uniform records that a dynamic offset chooses. */
const dynamicStep = 256;

const planes = [
  { name: 'colour', format: 'rgba8unorm' },
  { name: 'depth', format: 'r32float' },
  { name: 'segmentation', format: 'r32uint' },
] as const satisfies readonly { name: string; format: GPUTextureFormat }[];

interface AtlasSize {
  readonly columns: number;
  readonly rows: number;
  readonly capacity: number;
}

/** As many tiles as limits allow, in a near-square atlas. */
function atlasSize(device: GPUDevice, rig: CameraRig, wanted: number | undefined): AtlasSize {
  const limit = device.limits.maxTextureDimension2D;
  const mostColumns = Math.floor(limit / rig.width);
  const mostRows = Math.floor(limit / rig.height);
  if (mostColumns < 1 || mostRows < 1 || rig.width < 1 || rig.height < 1)
    throw new RangeError(`image of ${rig.width} x ${rig.height}: allowed are 1 x 1 to ${limit} x ${limit}`);
  const bindingLimit = Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize);
  const most = Math.min(
    requestLimit,
    mostColumns * mostRows,
    Math.floor(bindingLimit / (sightLimit * instanceBytes)),
    Math.max(1, Math.floor(atlasPixels / (rig.width * rig.height))),
  );
  const capacity = Math.max(1, Math.min(most, wanted ?? most));
  const squarest = Math.ceil(Math.sqrt((capacity * rig.height) / rig.width));
  const columns = Math.min(mostColumns, Math.max(squarest, Math.ceil(capacity / mostRows)));
  return { columns, rows: Math.ceil(capacity / columns), capacity };
}

type Buffers = Record<
  | 'rig'
  | 'requests'
  | 'scene'
  | 'sightings'
  | 'views'
  | 'families'
  | 'instances'
  | 'draws'
  | 'meshes'
  | 'bases'
  | 'palette'
  | 'drawn'
  | 'vertices'
  | 'indices',
  GPUBuffer
>;

/**
 * A camera over a batch.
 *
 * @example
 * const camera = await Camera.create(context, batch, { shaders, scene: compileCameraScene(shaders, cities) });
 * const images = await camera.render([{ env: 0 }, { env: 1, turnDegrees: -70 }]);
 */
export class Camera {
  readonly rig: CameraRig;
  readonly tiling: Tiling;
  /** Most views of one pass. */
  readonly viewCapacity: number;
  readonly #context: GpuContext;
  readonly #batch: BatchSimulator;
  readonly #state: GpuState;
  readonly #size: AtlasSize;
  readonly #rigWords: Uint32Array<ArrayBuffer>;
  readonly #buffers: Buffers;
  readonly #textures: readonly GPUTexture[];
  readonly #depth: GPUTexture;
  readonly #compute: Record<'see' | 'offsets' | 'place', GPUComputePipeline>;
  readonly #render: Record<MeshKind | 'backdrop', GPURenderPipeline>;
  readonly #sceneGroup: GPUBindGroup;
  readonly #offsetsGroup: GPUBindGroup;
  readonly #drawGroup: GPUBindGroup;
  readonly #drawnGroup: GPUBindGroup;
  readonly #shardGroups: readonly { range: GPUBuffer; group: GPUBindGroup }[];
  readonly #readbacks: readonly GPUBuffer[];
  #drawnViews = 0;

  private constructor(parts: {
    context: GpuContext;
    batch: BatchSimulator;
    rig: CameraRig;
    tiling: Tiling;
    size: AtlasSize;
    rigWords: Uint32Array<ArrayBuffer>;
    buffers: Buffers;
    textures: readonly GPUTexture[];
    depth: GPUTexture;
    compute: Record<'see' | 'offsets' | 'place', GPUComputePipeline>;
    render: Record<MeshKind | 'backdrop', GPURenderPipeline>;
    groups: Record<'scene' | 'offsets' | 'draw' | 'drawn', GPUBindGroup>;
    shardGroups: readonly { range: GPUBuffer; group: GPUBindGroup }[];
    readbacks: readonly GPUBuffer[];
  }) {
    this.#context = parts.context;
    this.#batch = parts.batch;
    this.#state = parts.batch.gpuState;
    this.rig = parts.rig;
    this.tiling = parts.tiling;
    this.#size = parts.size;
    this.viewCapacity = parts.size.capacity;
    this.#rigWords = parts.rigWords;
    this.#buffers = parts.buffers;
    this.#textures = parts.textures;
    this.#depth = parts.depth;
    this.#compute = parts.compute;
    this.#render = parts.render;
    this.#sceneGroup = parts.groups.scene;
    this.#offsetsGroup = parts.groups.offsets;
    this.#drawGroup = parts.groups.draw;
    this.#drawnGroup = parts.groups.drawn;
    this.#shardGroups = parts.shardGroups;
    this.#readbacks = parts.readbacks;
  }

  /**
   * Compiles the camera's kernels for a batch and allocates its atlas.
   *
   * @throws RangeError for an image larger than a texture may be, or a tiling the device lacks; GpuError when it refuses.
   */
  static async create(context: GpuContext, batch: BatchSimulator, options: CameraOptions): Promise<Camera> {
    const { device } = context;
    const rig = options.rig ?? publishedRig;
    const hasClipDistances = device.features.has('clip-distances');
    const tiling = options.tiling ?? (hasClipDistances ? 'clip-distances' : 'viewport');
    if (tiling === 'clip-distances' && !hasClipDistances)
      throw new RangeError('tiling "clip-distances": this adapter lacks the feature; allowed is "viewport"');
    const size = atlasSize(device, rig, options.viewCapacity);
    const geometry = options.geometry ?? false;
    const state = batch.gpuState;
    const layouts = createLayouts(device);
    const constants = { actorStride: state.actorStride, laneBlock: state.laneBlock };
    const stateLayouts = [state.worldLayout, layouts.shard, layouts.scene];
    const { shaders } = options;
    const [see, offsets, place, render] = await Promise.all([
      createKernel(context, 'cameraSee', seeSource(shaders), stateLayouts, constants),
      createKernel(context, 'cameraOffsets', offsetsSource(shaders), [layouts.offsets], {}),
      createKernel(context, 'cameraPlace', placeSource(shaders), stateLayouts, constants),
      createRenderPipelines(context, shaders, tiling, geometry, layouts),
    ]);
    return context.withErrorScope('allocating the camera', () => {
      const rigWords = rigRecord(shaders, rig, size, tiling, options);
      const buffers = createBuffers(device, options.scene, rigWords, size, tiling);
      const [width, height] = [size.columns * rig.width, size.rows * rig.height];
      const texture = (label: string, format: GPUTextureFormat) =>
        device.createTexture({
          label: `camera ${label}`,
          size: [width, height],
          format,
          usage:
            GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC | GPUTextureUsage.TEXTURE_BINDING,
        });
      const textures = planes.slice(0, geometry ? 3 : 1).map(({ name, format }) => texture(name, format));
      const readbacks = textures.map(({ label }) =>
        device.createBuffer({
          label: `${label} readback`,
          size: rowBytes(width) * height,
          usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
        }),
      );
      const shardGroups = state.shards.map(({ envs, actors }) => {
        const range = device.createBuffer({
          label: 'camera views of shard',
          size: 16,
          usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
        });
        return { range, group: bind(device, layouts.shard, [envs, actors, range]) };
      });
      const { rig: rigBuffer, requests, scene, sightings, views, families, instances } = buffers;
      const { draws, meshes, bases, palette, drawn } = buffers;
      return new Camera({
        context,
        batch,
        rig,
        tiling,
        size,
        rigWords,
        buffers,
        textures,
        depth: texture('distances', 'depth32float'),
        compute: { see, offsets, place },
        render,
        groups: {
          scene: bind(device, layouts.scene, [
            rigBuffer,
            requests,
            scene,
            sightings,
            views,
            families,
            instances,
          ]),
          offsets: bind(device, layouts.offsets, [rigBuffer, sightings, draws, meshes, bases]),
          draw: bind(device, layouts.draw, [rigBuffer, views, instances, bases, palette]),
          drawn: device.createBindGroup({
            label: 'camera tile',
            layout: layouts.drawn,
            entries: [{ binding: 0, resource: { buffer: drawn, size: 16 } }],
          }),
        },
        shardGroups,
        readbacks,
      });
    });
  }

  /** The atlas of the last pass: colour, and depth and segmentation ids where asked for. Tiles in rows. */
  get atlas(): { readonly textures: readonly GPUTexture[]; readonly columns: number } {
    return { textures: this.#textures, columns: this.#size.columns };
  }

  /**
   * Submits one pass over at most `viewCapacity` views and neither waits nor reads back: the images are in `atlas`.
   *
   * @throws RangeError for too many views, a tile or an environment there is not.
   */
  submit(views: readonly ViewRequest[]): void {
    const encoder = this.#context.device.createCommandEncoder({ label: 'camera' });
    this.#encode(encoder, views);
    this.#context.device.queue.submit([encoder.finish()]);
  }

  /** Renders views and reads the pictures back. Any number of views: as many passes as needed. */
  async render(views: readonly ViewRequest[]): Promise<Images> {
    const { width, height } = this.rig;
    const pixels = width * height;
    const images: Images = {
      count: views.length,
      width,
      height,
      colour: new Uint8Array(views.length * pixels * 4),
      depth: this.#textures.length > 1 ? new Float32Array(views.length * pixels) : undefined,
      segmentation: this.#textures.length > 2 ? new Uint32Array(views.length * pixels) : undefined,
    };
    for (let first = 0; first < views.length; first += this.viewCapacity)
      await this.#renderPass(views.slice(first, first + this.viewCapacity), first, images);
    return images;
  }

  /** What the last pass drew: instances and triangles of each mesh, [mesh]. Reads the GPU's own draw commands back. */
  async countDrawn(): Promise<{ readonly instances: number[]; readonly triangles: number[] }> {
    const { device } = this.#context;
    const { draws } = this.#buffers;
    const readback = device.createBuffer({
      label: 'camera draws readback',
      size: draws.size,
      usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
    });
    const encoder = device.createCommandEncoder({ label: 'camera draws' });
    encoder.copyBufferToBuffer(draws, 0, readback, 0, draws.size);
    device.queue.submit([encoder.finish()]);
    await this.#context.track(readback.mapAsync(GPUMapMode.READ));
    const words = new Uint32Array(readback.getMappedRange());
    const instances = meshList.map(() => 0);
    const triangles = meshList.map(() => 0);
    const drawCount = this.tiling === 'viewport' ? this.#drawnViews * meshList.length : meshList.length;
    for (let draw = 0; draw < drawCount; draw++) {
      const [indices, count] = words.subarray(draw * drawWords);
      instances[draw % meshList.length]! += count!;
      triangles[draw % meshList.length]! += (count! * indices!) / 3;
    }
    readback.destroy();
    return { instances, triangles };
  }

  async destroy(): Promise<void> {
    await this.#context.device.queue.onSubmittedWorkDone();
    for (const buffer of Object.values(this.#buffers)) buffer.destroy();
    for (const { range } of this.#shardGroups) range.destroy();
    for (const buffer of this.#readbacks) buffer.destroy();
    for (const texture of [...this.#textures, this.#depth]) texture.destroy();
  }

  async #renderPass(views: readonly ViewRequest[], firstView: number, images: Images): Promise<void> {
    const { device } = this.#context;
    const { columns } = this.#size;
    const { width, height } = this.rig;
    const usedTiles = views.reduce((most, { tile }, order) => Math.max(most, tile ?? order), 0) + 1;
    const usedHeight = Math.ceil(usedTiles / columns) * height;
    const usedWidth = Math.min(columns, usedTiles) * width;
    const stride = rowBytes(columns * width);
    await this.#context.withErrorScope('camera', () => {
      const encoder = device.createCommandEncoder({ label: 'camera' });
      this.#encode(encoder, views);
      for (const [place, texture] of this.#textures.entries()) {
        const buffer = this.#readbacks[place]!;
        encoder.copyTextureToBuffer({ texture }, { buffer, bytesPerRow: stride }, [usedWidth, usedHeight]);
      }
      device.queue.submit([encoder.finish()]);
    });
    const targets = [images.colour, images.depth, images.segmentation];
    await Promise.all(
      this.#readbacks.map(async (readback, place) => {
        await this.#context.track(readback.mapAsync(GPUMapMode.READ, 0, stride * usedHeight));
        const atlas = new Uint8Array(readback.getMappedRange(0, stride * usedHeight));
        const target = new Uint8Array(targets[place]!.buffer);
        const tileRow = width * 4;
        for (const [order, { tile = order }] of views.entries()) {
          let from = Math.floor(tile / columns) * height * stride + (tile % columns) * tileRow;
          let to = (firstView + order) * tileRow * height;
          for (let row = 0; row < height; row++) {
            target.set(atlas.subarray(from, from + tileRow), to);
            from += stride;
            to += tileRow;
          }
        }
        readback.unmap();
      }),
    );
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
    this.#rigWords[viewCountWord] = views.length;
    this.#drawnViews = views.length;
    queue.writeBuffer(this.#buffers.rig, 0, this.#rigWords);
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
    forShards(this.#compute.see, (count) => Math.ceil(count / 8));
    compute.setPipeline(this.#compute.offsets);
    compute.setBindGroup(0, this.#offsetsGroup);
    compute.dispatchWorkgroups(1);
    forShards(this.#compute.place, (count) => count);
    compute.end();

    const pass = encoder.beginRenderPass({
      label: 'camera',
      colorAttachments: this.#textures.map((texture) => ({
        view: texture.createView(),
        clearValue: [0, 0, 0, 0],
        loadOp: 'clear',
        storeOp: 'store',
      })),
      depthStencilAttachment: {
        view: this.#depth.createView(),
        depthClearValue: 0,
        depthLoadOp: 'clear',
        depthStoreOp: 'discard',
      },
    });
    pass.setBindGroup(0, this.#drawGroup);
    pass.setVertexBuffer(0, this.#buffers.vertices);
    pass.setIndexBuffer(this.#buffers.indices, 'uint16');
    if (this.tiling === 'clip-distances') {
      pass.setBindGroup(1, this.#drawnGroup, [0]);
      this.#draw(pass, 0, views.length);
    } else {
      this.#drawOneByOne(pass, views, ranges);
    }
    pass.end();
  }

  #drawOneByOne(
    pass: GPURenderPassEncoder,
    views: readonly ViewRequest[],
    ranges: readonly { first: number; count: number }[],
  ): void {
    const { width, height } = this.rig;
    const { shardSize } = this.#state;
    const next = ranges.map(({ first }) => first);
    for (const [order, { env, tile = order }] of views.entries()) {
      const view = next[Math.floor(env / shardSize)]!++;
      const x = (tile % this.#size.columns) * width;
      const y = Math.floor(tile / this.#size.columns) * height;
      pass.setViewport(x, y, width, height, 0, 1);
      pass.setScissorRect(x, y, width, height);
      pass.setBindGroup(1, this.#drawnGroup, [(view + 1) * dynamicStep]);
      this.#draw(pass, view * meshList.length, 1);
    }
  }

  /** Things first, then what they hide: the backdrop, then the ground over it, then shadows on the ground. */
  #draw(pass: GPURenderPassEncoder, firstDraw: number, viewCount: number): void {
    let current: MeshKind | undefined;
    for (const [mesh, kind] of meshKinds.entries()) {
      if (kind !== current) {
        if (kind === 'ground') {
          pass.setPipeline(this.#render.backdrop);
          pass.draw(6, viewCount);
        }
        pass.setPipeline(this.#render[kind]);
        current = kind;
      }
      pass.drawIndexedIndirect(this.#buffers.draws, (firstDraw + mesh) * 20);
    }
  }
}

function rowBytes(width: number): number {
  return Math.ceil((width * 4) / 256) * 256;
}

/** Word of `viewCount` in CameraRig. */
const viewCountWord = 12;

function rigRecord(
  shaders: ShaderLibrary,
  rig: CameraRig,
  size: AtlasSize,
  tiling: Tiling,
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
    tileScaleX: 1 / size.columns,
    tileScaleY: 1 / size.rows,
    detail: options.detail ?? 1,
  };
  const asWords = {
    columns: size.columns,
    viewCapacity: size.capacity,
    sightLimit,
    flatCount: tiling === 'viewport' ? 1 : 0,
  };
  for (const [name, value] of Object.entries(asFloats)) floats[layout.word(name)] = value;
  for (const [name, value] of Object.entries(asWords)) words[layout.word(name)] = value;
  if (layout.word('viewCount') !== viewCountWord) throw new RangeError('CameraRig.viewCount has moved');
  return words;
}

function createBuffers(
  device: GPUDevice,
  scene: CameraScene,
  rigWords: Uint32Array<ArrayBuffer>,
  { capacity }: AtlasSize,
  tiling: Tiling,
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
  const { STORAGE, UNIFORM, VERTEX, INDEX, INDIRECT } = GPUBufferUsage;
  const meshes = packMeshes(meshList);
  const families = familyMeshTable();
  families.set([scene.clustersFirst, scene.thingsFirst], 31 * 4);
  const isFlat = tiling === 'viewport';
  const drawn = new Uint32Array(((isFlat ? capacity : 0) + 1) * (dynamicStep / 4));
  for (let row = 1; row * (dynamicStep / 4) < drawn.length; row++)
    drawn.set([row * 64, row - 1], row * (dynamicStep / 4));
  return {
    rig: filled('rig', rigWords, UNIFORM),
    requests: create('requests', requestLimit * 16, UNIFORM),
    scene: filled('scene', scene.words, STORAGE),
    sightings: create(
      'sightings',
      ((2 * meshList.length + 1) * capacity + capacity * sightLimit * 2) * 4,
      STORAGE,
    ),
    views: create('views', capacity * 64, STORAGE),
    families: filled('families', families, UNIFORM),
    instances: create('instances', capacity * sightLimit * instanceBytes, STORAGE),
    draws: create('draws', meshList.length * 20 * (isFlat ? capacity : 1), STORAGE | INDIRECT | GPUBufferUsage.COPY_SRC),
    meshes: filled('meshes', meshes.table, STORAGE),
    bases: create('bases', 256 * ((isFlat ? capacity : 0) + 1), STORAGE),
    palette: filled('palette', paletteWords(), UNIFORM),
    drawn: filled('tiles', drawn, UNIFORM),
    vertices: filled('vertices', meshes.vertices, VERTEX),
    indices: filled('indices', meshes.indices, INDEX),
  };
}

type Layouts = Record<'shard' | 'scene' | 'offsets' | 'draw' | 'drawn', GPUBindGroupLayout>;

function createLayouts(device: GPUDevice): Layouts {
  type Kind = 'storage' | 'read-only-storage' | 'uniform';
  const layout = (label: string, visibility: number, kinds: readonly Kind[]) =>
    device.createBindGroupLayout({
      label: `camera ${label}`,
      entries: kinds.map((type, binding) => ({ binding, visibility, buffer: { type } })),
    });
  const { COMPUTE, VERTEX, FRAGMENT } = GPUShaderStage;
  const both = VERTEX | FRAGMENT;
  return {
    shard: layout('shard', COMPUTE, ['storage', 'storage', 'uniform']),
    scene: layout('scene', COMPUTE, [
      'uniform',
      'uniform',
      'read-only-storage',
      'storage',
      'storage',
      'uniform',
      'storage',
    ]),
    offsets: layout('offsets', COMPUTE, ['uniform', 'storage', 'storage', 'read-only-storage', 'storage']),
    draw: layout('draw', both, [
      'uniform',
      'read-only-storage',
      'read-only-storage',
      'read-only-storage',
      'uniform',
    ]),
    drawn: device.createBindGroupLayout({
      label: 'camera tile',
      entries: [{ binding: 0, visibility: VERTEX, buffer: { type: 'uniform', hasDynamicOffset: true } }],
    }),
  };
}

function bind(device: GPUDevice, layout: GPUBindGroupLayout, buffers: readonly GPUBuffer[]): GPUBindGroup {
  return device.createBindGroup({
    label: layout.label,
    layout,
    entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
  });
}

function depthTest(isSolid: boolean, depthCompare: GPUCompareFunction): GPUDepthStencilState {
  return { format: 'depth32float', depthWriteEnabled: isSolid, depthCompare };
}

async function createRenderPipelines(
  context: GpuContext,
  shaders: ShaderLibrary,
  tiling: Tiling,
  geometry: boolean,
  layouts: Layouts,
): Promise<Record<MeshKind | 'backdrop', GPURenderPipeline>> {
  const { device } = context;
  const layout = device.createPipelineLayout({
    label: 'camera',
    bindGroupLayouts: [layouts.draw, layouts.drawn],
  });
  const module = (label: string, code: string) => device.createShaderModule({ label, code });
  const targets: GPUColorTargetState[] = planes.slice(0, geometry ? 3 : 1).map(({ format }) => ({ format }));
  const blend: GPUBlendState = {
    color: { srcFactor: 'src-alpha', dstFactor: 'one-minus-src-alpha', operation: 'add' },
    alpha: { srcFactor: 'zero', dstFactor: 'one', operation: 'add' },
  };
  const shaded = targets.map((target, place) =>
    place === 0 ? { ...target, blend } : { ...target, writeMask: 0 },
  );
  const meshVertices: GPUVertexBufferLayout = {
    arrayStride: vertexBytes,
    attributes: [
      { shaderLocation: 0, offset: 0, format: 'float32x3' },
      { shaderLocation: 1, offset: 12, format: 'snorm8x4' },
      { shaderLocation: 2, offset: 16, format: 'uint8x4' },
    ],
  };
  const create = (
    fragment: FragmentKernel,
    depthStencil: GPUDepthStencilState,
    fragmentTargets: GPUColorTargetState[],
    vertex: VertexKernel = 'cameraVertex',
  ) =>
    context.withErrorScope(`kernel ${fragment}`, () =>
      device.createRenderPipelineAsync({
        label: fragment,
        layout,
        vertex: {
          module: module(vertex, vertexSource(shaders, tiling, vertex)),
          entryPoint: vertex,
          buffers: vertex === 'cameraVertex' ? [meshVertices] : [],
        },
        primitive: {
          topology: 'triangle-list',
          cullMode: vertex === 'cameraVertex' ? 'back' : 'none',
          // Meshes are wound counter-clockwise in right-handed axes; the world's are left-handed, and it is one mirror
          // that brings them to the picture.
          frontFace: 'cw',
        },
        fragment: {
          module: module(fragment, fragmentSource(shaders, fragment)),
          entryPoint: fragment,
          targets: fragmentTargets,
        },
        depthStencil,
      }),
    );
  const [object, building, ground, shadow, backdrop] = await Promise.all([
    create('cameraObject', depthTest(true, 'greater'), targets),
    create('cameraBuilding', depthTest(true, 'greater'), targets),
    create('cameraGround', depthTest(false, 'greater'), targets),
    create('cameraShadow', depthTest(false, 'greater'), shaded),
    create('cameraSky', depthTest(false, 'greater-equal'), targets, 'cameraBackdrop'),
  ]);
  return { object, building, ground, shadow, backdrop };
}
