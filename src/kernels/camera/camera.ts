// Renders what agents see: views of chosen environments, side by side in an atlas, straight from the batch's state on the
// GPU. See docs/camera.md for the passes.
import type { BatchSimulator, GpuState } from '../batchSimulator.ts';
import type { GpuContext } from '../device.ts';
import { createKernel } from '../kernel.ts';
import { structLayout } from '../layout.ts';
import type { ShaderLibrary } from '../shaderLibrary.ts';
import {
  chunkTriangles,
  type DrawingKernel,
  drawingSource,
  hiderLimit,
  listStart,
  placedWords,
  placeSource,
  seeSource,
  shapeSource,
  sightLimit,
  viewLimit,
} from './kernels.ts';
import { packMeshes } from './meshBuilder.ts';
import { familyMeshTable, type MeshKind, meshKinds, meshList } from './meshes.ts';
import { paletteWords } from './paints.ts';
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

/** Pixels of one atlas: beyond some millions nothing is gained by more at once. */
const atlasPixels = 2 ** 24;
/** Pixels along a side for which `listChunks` are enough triangles, and the most that pictures may have times as many. */
const smallSide = 64;
const largestListUnit = 16;
/** Corners of triangles are 16 bits of 1/16 pixel. */
const longestSide = 4095;
/** Focal length in pixels from which the ground's patterns are wider than a pixel at the agent's feet. */
const patternFocal = 30;
/** Words of an indirect draw. */
const drawWords = 4;
const triangleBytes = 32;

const planes = [
  { name: 'colour', format: 'rgba8unorm' },
  { name: 'depth', format: 'r32float' },
  { name: 'segmentation', format: 'r32uint' },
] as const satisfies readonly { name: string; format: GPUTextureFormat }[];

interface AtlasSize {
  readonly columns: number;
  readonly rows: number;
  readonly capacity: number;
  /** Triangles a view may have, in units of `listChunks`. */
  readonly listUnit: number;
}

/** As many tiles as limits allow, in a near-square atlas. */
function atlasSize(device: GPUDevice, rig: CameraRig, wanted: number | undefined): AtlasSize {
  const limit = Math.min(device.limits.maxTextureDimension2D, longestSide);
  const mostColumns = Math.floor(device.limits.maxTextureDimension2D / rig.width);
  const mostRows = Math.floor(device.limits.maxTextureDimension2D / rig.height);
  if (![rig.width, rig.height].every((side) => side >= 1 && side <= limit))
    throw new RangeError(`image of ${rig.width} x ${rig.height}: allowed are 1 x 1 to ${limit} x ${limit}`);
  const side = Math.sqrt(rig.width * rig.height);
  const listUnit = Math.max(1, Math.min(largestListUnit, Math.ceil(side / smallSide)));
  const bindingLimit = Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize);
  const viewBytes = Math.max(
    sightLimit * placedWords * 4,
    listUnit * listStart(4) * chunkTriangles * triangleBytes,
  );
  const most = Math.min(
    viewLimit,
    mostColumns * mostRows,
    Math.floor(bindingLimit / viewBytes),
    Math.max(1, Math.floor(atlasPixels / (rig.width * rig.height))),
  );
  const capacity = Math.max(1, Math.min(most, wanted ?? most));
  const squarest = Math.ceil(Math.sqrt((capacity * rig.height) / rig.width));
  const columns = Math.min(mostColumns, Math.max(squarest, Math.ceil(capacity / mostRows)));
  return { columns, rows: Math.ceil(capacity / columns), capacity, listUnit };
}

type Buffers = Record<
  | 'rig'
  | 'requests'
  | 'scene'
  | 'sightings'
  | 'views'
  | 'viewCount'
  | 'families'
  | 'meshes'
  | 'faces'
  | 'instances'
  | 'triangles'
  | 'draws'
  | 'palette',
  GPUBuffer
>;

type ComputeKernel = 'see' | 'place' | 'shape';

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
  readonly #context: GpuContext;
  readonly #batch: BatchSimulator;
  readonly #state: GpuState;
  readonly #size: AtlasSize;
  readonly #buffers: Buffers;
  readonly #textures: readonly GPUTexture[];
  readonly #depth: GPUTexture;
  readonly #compute: Record<ComputeKernel, GPUComputePipeline>;
  readonly #render: Record<MeshKind | 'backdrop', GPURenderPipeline>;
  readonly #sceneGroup: GPUBindGroup;
  readonly #shapeGroup: GPUBindGroup;
  readonly #drawGroup: GPUBindGroup;
  readonly #shardGroups: readonly { range: GPUBuffer; group: GPUBindGroup }[];
  readonly #readbacks: readonly GPUBuffer[];

  private constructor(parts: {
    context: GpuContext;
    batch: BatchSimulator;
    rig: CameraRig;
    size: AtlasSize;
    buffers: Buffers;
    textures: readonly GPUTexture[];
    depth: GPUTexture;
    compute: Record<ComputeKernel, GPUComputePipeline>;
    render: Record<MeshKind | 'backdrop', GPURenderPipeline>;
    groups: Record<'scene' | 'shape' | 'draw', GPUBindGroup>;
    shardGroups: readonly { range: GPUBuffer; group: GPUBindGroup }[];
    readbacks: readonly GPUBuffer[];
  }) {
    this.#context = parts.context;
    this.#batch = parts.batch;
    this.#state = parts.batch.gpuState;
    this.rig = parts.rig;
    this.#size = parts.size;
    this.viewCapacity = parts.size.capacity;
    this.#buffers = parts.buffers;
    this.#textures = parts.textures;
    this.#depth = parts.depth;
    this.#compute = parts.compute;
    this.#render = parts.render;
    this.#sceneGroup = parts.groups.scene;
    this.#shapeGroup = parts.groups.shape;
    this.#drawGroup = parts.groups.draw;
    this.#shardGroups = parts.shardGroups;
    this.#readbacks = parts.readbacks;
  }

  /**
   * Compiles the camera's kernels for a batch and allocates its atlas.
   *
   * @throws RangeError for an image larger than is allowed; GpuError when the device refuses.
   */
  static async create(context: GpuContext, batch: BatchSimulator, options: CameraOptions): Promise<Camera> {
    const { device } = context;
    const rig = options.rig ?? publishedRig;
    const size = atlasSize(device, rig, options.viewCapacity);
    const geometry = options.geometry ?? false;
    const state = batch.gpuState;
    const layouts = createLayouts(device);
    const constants = { actorStride: state.actorStride, laneBlock: state.laneBlock };
    const stateLayouts = [state.worldLayout, layouts.shard, layouts.scene];
    const { shaders } = options;
    const [see, place, shape, render] = await Promise.all([
      createKernel(context, 'cameraSee', seeSource(shaders), stateLayouts, constants),
      createKernel(context, 'cameraPlace', placeSource(shaders), stateLayouts, constants),
      createKernel(context, 'cameraShape', shapeSource(shaders), [layouts.shape], {}),
      createRenderPipelines(context, shaders, rig, geometry, layouts.draw),
    ]);
    return context.withErrorScope('allocating the camera', () => {
      const buffers = createBuffers(device, options.scene, rigRecord(shaders, rig, size, options), size);
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
      const { requests, scene, sightings, views, viewCount, families, meshes, faces } = buffers;
      const { rig: rigRecords, instances, triangles, draws, palette } = buffers;
      return new Camera({
        context,
        batch,
        rig,
        size,
        buffers,
        textures,
        depth: texture('distances', 'depth32float'),
        compute: { see, place, shape },
        render,
        groups: {
          scene: bind(device, layouts.scene, [
            rigRecords,
            requests,
            scene,
            sightings,
            views,
            families,
            instances,
            meshes,
          ]),
          shape: bind(device, layouts.shape, [
            rigRecords,
            viewCount,
            palette,
            faces,
            views,
            instances,
            sightings,
            triangles,
            draws,
          ]),
          draw: bind(device, layouts.draw, [rigRecords, views, instances, triangles]),
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
    for (let first = 0; first < views.length; first += this.viewCapacity)
      await this.#renderPass(views.slice(first, first + this.viewCapacity), first, images);
    return images;
  }

  /** Triangles that the last pass drew, of all its views: [kind], as in `meshKinds`. Reads the GPU's draws back. */
  async countTriangles(): Promise<number[]> {
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
    const counts = meshKinds.map((_, list) => words[list * drawWords]! / 3);
    readback.destroy();
    return counts;
  }

  #newImages(count: number): Images {
    const { width, height } = this.rig;
    const words = count * width * height;
    return {
      count,
      width,
      height,
      colour: new Uint8Array(words * 4),
      depth: this.#textures.length > 1 ? new Float32Array(words) : undefined,
      segmentation: this.#textures.length > 2 ? new Uint32Array(words) : undefined,
    };
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
    queue.writeBuffer(this.#buffers.viewCount, 0, Uint32Array.of(views.length, 0, 0, 0));
    queue.writeBuffer(this.#buffers.draws, 0, emptyDraws(this.#size));
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
    forShards(this.#compute.place, (count) => count);
    compute.setPipeline(this.#compute.shape);
    compute.setBindGroup(0, this.#shapeGroup);
    compute.dispatchWorkgroups(Math.ceil(views.length / 8));
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
    const draw = (kind: MeshKind) => {
      pass.setPipeline(this.#render[kind]);
      pass.drawIndirect(this.#buffers.draws, meshKinds.indexOf(kind) * drawWords * 4);
    };
    // What stands first, then what it hides; shadows over the ground.
    draw('object');
    draw('building');
    draw('ground');
    pass.setPipeline(this.#render.backdrop);
    pass.draw(6 * views.length);
    draw('shadow');
    pass.end();
  }
}

/** An indirect draw for each list, of nothing yet. */
function emptyDraws({ capacity, listUnit }: AtlasSize): Uint32Array<ArrayBuffer> {
  const draws = new Uint32Array(meshKinds.length * drawWords);
  for (const list of meshKinds.keys())
    draws.set([0, 1, listStart(list) * listUnit * capacity * chunkTriangles * 3], list * drawWords);
  return draws;
}

function rowBytes(width: number): number {
  return Math.ceil((width * 4) / 256) * 256;
}

function rigRecord(
  shaders: ShaderLibrary,
  rig: CameraRig,
  size: AtlasSize,
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
  { capacity, listUnit }: AtlasSize,
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
  const { STORAGE, UNIFORM, INDIRECT, COPY_SRC } = GPUBufferUsage;
  const meshes = packMeshes(meshList);
  const meshTable = new Uint32Array(64 * 4);
  meshTable.set(meshes.table);
  const families = familyMeshTable();
  families.set([scene.clustersFirst, scene.thingsFirst], 31 * 4);
  const triangles = capacity * listUnit * listStart(meshKinds.length) * chunkTriangles;
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
    triangles: create('triangles', triangles * triangleBytes, STORAGE),
    draws: create('draws', meshKinds.length * drawWords * 4, STORAGE | INDIRECT | COPY_SRC),
    palette: filled('palette', paletteWords(), UNIFORM),
  };
}

type Layouts = Record<'shard' | 'scene' | 'shape' | 'draw', GPUBindGroupLayout>;

function createLayouts(device: GPUDevice): Layouts {
  type Kind = 'storage' | 'read-only-storage' | 'uniform';
  const layout = (label: string, visibility: number, kinds: readonly Kind[]) =>
    device.createBindGroupLayout({
      label: `camera ${label}`,
      entries: kinds.map((type, binding) => ({ binding, visibility, buffer: { type } })),
    });
  const { COMPUTE, VERTEX, FRAGMENT } = GPUShaderStage;
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
      'uniform',
    ]),
    shape: layout('shape', COMPUTE, [
      'uniform',
      'uniform',
      'uniform',
      'read-only-storage',
      'read-only-storage',
      'read-only-storage',
      'storage',
      'storage',
      'storage',
    ]),
    draw: layout('draw', VERTEX | FRAGMENT, [
      'uniform',
      'read-only-storage',
      'read-only-storage',
      'read-only-storage',
    ]),
  };
}

function bind(device: GPUDevice, layout: GPUBindGroupLayout, buffers: readonly GPUBuffer[]): GPUBindGroup {
  return device.createBindGroup({
    label: layout.label,
    layout,
    entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
  });
}

async function createRenderPipelines(
  context: GpuContext,
  shaders: ShaderLibrary,
  rig: CameraRig,
  geometry: boolean,
  drawLayout: GPUBindGroupLayout,
): Promise<Record<MeshKind | 'backdrop', GPURenderPipeline>> {
  const { device } = context;
  const layout = device.createPipelineLayout({ label: 'camera', bindGroupLayouts: [drawLayout] });
  const module = (kernel: DrawingKernel) =>
    device.createShaderModule({ label: kernel, code: drawingSource(shaders, kernel) });
  const hasPatterns = tangents(rig).focal >= patternFocal ? 1 : 0;
  const fragmentConstants = (kernel: DrawingKernel): Record<string, number> =>
    kernel === 'cameraGround' || kernel === 'cameraSky' ? { hasPatterns } : {};
  const targets: GPUColorTargetState[] = planes.slice(0, geometry ? 3 : 1).map(({ format }) => ({ format }));
  const blend: GPUBlendState = {
    color: { srcFactor: 'src-alpha', dstFactor: 'one-minus-src-alpha', operation: 'add' },
    alpha: { srcFactor: 'zero', dstFactor: 'one', operation: 'add' },
  };
  const shaded = targets.map((target, place) =>
    place === 0 ? { ...target, blend } : { ...target, writeMask: 0 },
  );
  interface Choices {
    readonly vertex?: DrawingKernel;
    readonly targets?: GPUColorTargetState[];
    readonly writesDepth?: boolean;
  }
  const create = (
    fragment: DrawingKernel,
    { vertex = 'cameraCorner', targets: fragmentTargets = targets, writesDepth = true }: Choices = {},
  ) =>
    context.withErrorScope(`kernel ${fragment}`, () =>
      device.createRenderPipelineAsync({
        label: fragment,
        layout,
        vertex: {
          module: module(vertex),
          entryPoint: vertex,
          constants:
            vertex === 'cameraCorner' ? { hasMarks: geometry || fragment !== 'cameraObject' ? 1 : 0 } : {},
        },
        primitive: { topology: 'triangle-list', cullMode: 'none' },
        fragment: {
          module: module(fragment),
          entryPoint: fragment,
          targets: fragmentTargets,
          constants: fragmentConstants(fragment),
        },
        depthStencil: { format: 'depth32float', depthWriteEnabled: writesDepth, depthCompare: 'greater' },
      }),
    );
  const [object, building, ground, shadow, backdrop] = await Promise.all([
    create('cameraObject'),
    create('cameraBuilding'),
    create('cameraGround'),
    create('cameraShadow', { targets: shaded, writesDepth: false }),
    create('cameraSky', { vertex: 'cameraBackdrop' }),
  ]);
  return { object, building, ground, shadow, backdrop };
}
