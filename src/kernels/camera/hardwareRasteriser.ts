// Rasterises with the render passes of the GPU: triangles of all views, in one indirect draw for each of their kinds, into an
// atlas with a tile for each view.
import type { GpuContext } from '../device.ts';
import type { ShaderLibrary } from '../shaderLibrary.ts';
import { chunkTriangles, type DrawingKernel, drawingSource, listStart } from './kernels.ts';
import { type MeshKind, meshKinds } from './meshes.ts';
import {
  bindBuffers,
  type CameraParts,
  checkSides,
  createShapeKernel,
  listUnitOf,
  type PassSize,
  planeBytes,
  planes,
  type Rasteriser,
  ReadbackPool,
  type Reading,
  readWords,
  type ShapeKernel,
  showsPatterns,
  usedTiles,
  type ViewRequest,
} from './rasteriser.ts';
import type { CameraRig } from './rig.ts';

/** Corners of triangles are 16 bits of 1/16 pixel. */
const longestSide = 4095;
/** Words of an indirect draw. */
const drawWords = 4;
const triangleBytes = 32;

/**
 * As many tiles as limits allow, in a near-square atlas.
 *
 * @throws RangeError for pictures that no texture holds.
 */
export function atlasSize(device: GPUDevice, rig: CameraRig, mostViews: number): PassSize {
  const limit = Math.min(device.limits.maxTextureDimension2D, longestSide);
  const mostColumns = Math.floor(device.limits.maxTextureDimension2D / rig.width);
  const mostRows = Math.floor(device.limits.maxTextureDimension2D / rig.height);
  checkSides(rig, limit);
  const listUnit = listUnitOf(rig);
  const bindingLimit = Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize);
  const viewBytes = listUnit * listStart(4) * chunkTriangles * triangleBytes;
  const capacity = Math.max(
    1,
    Math.min(mostViews, mostColumns * mostRows, Math.floor(bindingLimit / viewBytes)),
  );
  const squarest = Math.ceil(Math.sqrt((capacity * rig.height) / rig.width));
  const columns = Math.min(mostColumns, Math.max(squarest, Math.ceil(capacity / mostRows)));
  return { capacity, columns, rows: Math.ceil(capacity / columns), listUnit };
}

interface Atlas {
  readonly textures: readonly GPUTexture[];
  readonly distances: GPUTexture;
  readonly readbacks: ReadbackPool;
}

function createAtlas(device: GPUDevice, rig: CameraRig, size: PassSize, geometry: boolean): Atlas {
  const [width, height] = [size.columns * rig.width, size.rows * rig.height];
  const texture = (label: string, format: GPUTextureFormat) =>
    device.createTexture({
      label: `camera ${label}`,
      size: [width, height],
      format,
      usage: GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC,
    });
  const textures = planes.slice(0, geometry ? 3 : 1).map(({ name, format }) => texture(name, format));
  const labels = textures.map(({ label }) => label);
  const readbacks = new ReadbackPool(device, labels, rowBytes(width) * height);
  return { textures, distances: texture('distances', 'depth32float'), readbacks };
}

export class HardwareRasteriser implements Rasteriser {
  readonly #parts: CameraParts;
  readonly #shape: ShapeKernel;
  readonly #pipelines: Record<MeshKind | 'backdrop', GPURenderPipeline>;
  readonly #group: GPUBindGroup;
  readonly #buffers: { readonly triangles: GPUBuffer; readonly draws: GPUBuffer };
  readonly #atlas: Atlas;

  private constructor(
    parts: CameraParts,
    shape: ShapeKernel,
    pipelines: Record<MeshKind | 'backdrop', GPURenderPipeline>,
    group: GPUBindGroup,
    buffers: { readonly triangles: GPUBuffer; readonly draws: GPUBuffer },
    atlas: Atlas,
  ) {
    this.#parts = parts;
    this.#shape = shape;
    this.#pipelines = pipelines;
    this.#group = group;
    this.#buffers = buffers;
    this.#atlas = atlas;
  }

  static async create(parts: CameraParts): Promise<HardwareRasteriser> {
    const { context, shaders, rig, size, geometry } = parts;
    const { device } = context;
    const { STORAGE, INDIRECT, COPY_SRC, COPY_DST } = GPUBufferUsage;
    const buffers = {
      triangles: device.createBuffer({
        label: 'camera triangles',
        size: size.capacity * size.listUnit * listStart(meshKinds.length) * chunkTriangles * triangleBytes,
        usage: STORAGE,
      }),
      draws: device.createBuffer({
        label: 'camera draws',
        size: meshKinds.length * drawWords * 4,
        usage: STORAGE | INDIRECT | COPY_SRC | COPY_DST,
      }),
    };
    const layout = device.createBindGroupLayout({
      label: 'camera draw',
      entries: (['uniform', 'read-only-storage', 'read-only-storage', 'read-only-storage'] as const).map(
        (type, binding) => ({
          binding,
          visibility: GPUShaderStage.VERTEX | GPUShaderStage.FRAGMENT,
          buffer: { type },
        }),
      ),
    });
    const [shape, pipelines] = await Promise.all([
      createShapeKernel(parts, 'cameraTriangles', [buffers.triangles, buffers.draws]),
      createRenderPipelines(context, shaders, rig, geometry, layout),
    ]);
    const { rig: rigRecord, views, instances } = parts.buffers;
    const group = bindBuffers(device, layout, [rigRecord, views, instances, buffers.triangles]);
    return new HardwareRasteriser(
      parts,
      shape,
      pipelines,
      group,
      buffers,
      createAtlas(device, rig, size, geometry),
    );
  }

  encode(encoder: GPUCommandEncoder, views: readonly ViewRequest[]): void {
    this.#parts.context.device.queue.writeBuffer(this.#buffers.draws, 0, emptyDraws(this.#parts.size));
    const compute = encoder.beginComputePass({ label: 'camera shaping' });
    this.#shape.encode(compute, views.length);
    compute.end();
    const pass = encoder.beginRenderPass({
      label: 'camera',
      colorAttachments: this.#atlas.textures.map((texture) => ({
        view: texture.createView(),
        clearValue: [0, 0, 0, 0],
        loadOp: 'clear',
        storeOp: 'store',
      })),
      depthStencilAttachment: {
        view: this.#atlas.distances.createView(),
        depthClearValue: 0,
        depthLoadOp: 'clear',
        depthStoreOp: 'discard',
      },
    });
    pass.setBindGroup(0, this.#group);
    const draw = (kind: MeshKind) => {
      pass.setPipeline(this.#pipelines[kind]);
      pass.drawIndirect(this.#buffers.draws, meshKinds.indexOf(kind) * drawWords * 4);
    };
    // What stands first, then what it hides; shadows over the ground.
    draw('object');
    draw('building');
    draw('ground');
    pass.setPipeline(this.#pipelines.backdrop);
    pass.draw(6 * views.length);
    draw('shadow');
    pass.end();
  }

  /** Of the atlas, as far as views fill it: width and height, and the bytes of a row of it in a buffer. */
  #usedArea(views: readonly ViewRequest[]): { width: number; height: number; stride: number } {
    const { columns } = this.#parts.size;
    const { width, height } = this.#parts.rig;
    const tiles = usedTiles(views);
    return {
      width: Math.min(columns, tiles) * width,
      height: Math.ceil(tiles / columns) * height,
      stride: rowBytes(columns * width),
    };
  }

  encodeReadback(encoder: GPUCommandEncoder, views: readonly ViewRequest[]): Reading {
    const readbacks = this.#atlas.readbacks.take();
    const used = this.#usedArea(views);
    const { stride } = used;
    for (const [place, texture] of this.#atlas.textures.entries()) {
      const buffer = readbacks[place]!;
      encoder.copyTextureToBuffer({ texture }, { buffer, bytesPerRow: stride }, [used.width, used.height]);
    }
    return async (images, firstView) => {
      const { columns } = this.#parts.size;
      const { width, height } = this.#parts.rig;
      const targets = planeBytes(images);
      await Promise.all(
        readbacks.map(async (readback, place) => {
          await this.#parts.context.track(readback.mapAsync(GPUMapMode.READ, 0, stride * used.height));
          const atlas = new Uint8Array(readback.getMappedRange(0, stride * used.height));
          const target = targets[place]!;
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
        }),
      );
      this.#atlas.readbacks.giveBack(readbacks);
    };
  }

  async countPrimitives(): Promise<number[]> {
    const words = await readWords(this.#parts.context, this.#buffers.draws);
    return meshKinds.map((_, list) => words[list * drawWords]! / 3);
  }

  destroy(): void {
    for (const buffer of Object.values(this.#buffers)) buffer.destroy();
    this.#atlas.readbacks.destroy();
    for (const texture of [...this.#atlas.textures, this.#atlas.distances]) texture.destroy();
  }
}

/** An indirect draw for each list, of nothing yet. */
function emptyDraws({ capacity, listUnit }: PassSize): Uint32Array<ArrayBuffer> {
  const draws = new Uint32Array(meshKinds.length * drawWords);
  for (const list of meshKinds.keys())
    draws.set([0, 1, listStart(list) * listUnit * capacity * chunkTriangles * 3], list * drawWords);
  return draws;
}

function rowBytes(width: number): number {
  return Math.ceil((width * 4) / 256) * 256;
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
  const hasPatterns = showsPatterns(rig) ? 1 : 0;
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
