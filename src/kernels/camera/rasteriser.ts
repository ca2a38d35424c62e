// What a rasteriser is to the camera: it takes the instances of a pass to pictures. There are two, for GPUs and for drivers that
// run on a CPU; docs/camera.md says why.
import type { GpuContext } from '../device.ts';
import { bufferLayout, createKernel } from '../kernel.ts';
import type { ShaderLibrary } from '../shaderLibrary.ts';
import { type ShapeList, shapeSource } from './kernels.ts';
import { type CameraRig, tangents } from './rig.ts';

export interface ViewRequest {
  readonly env: number;
  /** Of the camera against the agent's heading, to the right. */
  readonly turnDegrees?: number;
  /** Place among the pictures of the pass. Default: the order of the requests. */
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

export interface PassSize {
  /** Most views of a pass. */
  readonly capacity: number;
  /** Tiles side by side. */
  readonly columns: number;
  readonly rows: number;
  /** How many times as much as a small picture's may be kept of a view. */
  readonly listUnit: number;
}

/** What all passes of a camera share, whoever rasterises. */
export interface CameraParts {
  readonly context: GpuContext;
  readonly shaders: ShaderLibrary;
  readonly rig: CameraRig;
  readonly size: PassSize;
  /** Are depth and segmentation ids wanted? */
  readonly geometry: boolean;
  readonly buffers: SharedBuffers;
}

export type SharedBuffers = Record<
  'rig' | 'requests' | 'sightings' | 'views' | 'viewCount' | 'faces' | 'instances' | 'palette',
  GPUBuffer
>;

/** Waits for the pictures of a pass and puts them into `images`, from its view `firstView` on. */
export type Reading = (images: Images, firstView: number) => Promise<void>;

export interface Rasteriser {
  /** Encodes the pass from placed instances to pictures. */
  encode(encoder: GPUCommandEncoder, views: readonly ViewRequest[]): void;
  /** Encodes that the pictures are copied to where the result reads them. */
  encodeReadback(encoder: GPUCommandEncoder, views: readonly ViewRequest[]): Reading;
  /** Triangles or polygons that the last pass was drawn with, of all its `viewCount` views: [kind], as in `meshKinds`. */
  countPrimitives(viewCount: number): Promise<number[]>;
  destroy(): void;
}

/** What a picture has for each pixel: always the first, and with `geometry` all of them. */
export const planes = [
  { name: 'colour', format: 'rgba8unorm' },
  { name: 'depth', format: 'r32float' },
  { name: 'segmentation', format: 'r32uint' },
] as const satisfies readonly { name: keyof Images; format: GPUTextureFormat }[];

/** The bytes of each plane of `images`. */
export function planeBytes(images: Images): Uint8Array<ArrayBuffer>[] {
  return planes.flatMap(({ name }) => {
    const plane = images[name];
    return plane === undefined ? [] : [new Uint8Array(plane.buffer, plane.byteOffset, plane.byteLength)];
  });
}

/** Throws RangeError for a picture whose sides are not 1 to `longest` pixels. */
export function checkSides({ width, height }: CameraRig, longest: number): void {
  if (![width, height].every((side) => side >= 1 && side <= longest))
    throw new RangeError(`image of ${width} x ${height}: allowed are 1 x 1 to ${longest} x ${longest}`);
}

/** Pixels along a side for which `listChunks` and `polygonLimit` are enough, and the most that pictures may have times as many. */
const smallSide = 64;
const largestListUnit = 16;

export function listUnitOf({ width, height }: CameraRig): number {
  return Math.max(1, Math.min(largestListUnit, Math.ceil(Math.sqrt(width * height) / smallSide)));
}

/** Buffers that pictures are copied to; a pass takes a set of them, so that it is drawn while another one is read. */
export class ReadbackPool {
  readonly #device: GPUDevice;
  readonly #labels: readonly string[];
  readonly #size: number;
  readonly #sets: GPUBuffer[][] = [];
  readonly #free: GPUBuffer[][] = [];

  /** Sets of a buffer of `size` bytes for each of the `labels`. */
  constructor(device: GPUDevice, labels: readonly string[], size: number) {
    this.#device = device;
    this.#labels = labels;
    this.#size = size;
  }

  take(): GPUBuffer[] {
    const create = (label: string) =>
      this.#device.createBuffer({
        label: `${label} readback`,
        size: this.#size,
        usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
      });
    const free = this.#free.pop();
    if (free) return free;
    const set = this.#labels.map(create);
    this.#sets.push(set);
    return set;
  }

  giveBack(buffers: GPUBuffer[]): void {
    for (const buffer of buffers) buffer.unmap();
    this.#free.push(buffers);
  }

  destroy(): void {
    for (const buffer of this.#sets.flat()) buffer.destroy();
  }
}

export function bindBuffers(
  device: GPUDevice,
  layout: GPUBindGroupLayout,
  buffers: readonly GPUBuffer[],
): GPUBindGroup {
  return device.createBindGroup({
    label: layout.label,
    layout,
    entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
  });
}

/** The kernel that makes triangles or polygons, and what it does over so many views. */
export interface ShapeKernel {
  encode(pass: GPUComputePassEncoder, viewCount: number): void;
}

export async function createShapeKernel(
  { context, shaders, buffers }: CameraParts,
  list: ShapeList,
  results: readonly [GPUBuffer, GPUBuffer],
): Promise<ShapeKernel> {
  const { device } = context;
  const layout = bufferLayout(device, 'camera shape', [
    'uniform',
    'uniform',
    'uniform',
    'read-only-storage',
    'read-only-storage',
    'read-only-storage',
    'storage',
    'storage',
    'storage',
  ]);
  const pipeline = await createKernel(context, 'cameraShape', shapeSource(shaders, list), [layout], {});
  const { rig, viewCount, palette, faces, views, instances, sightings } = buffers;
  const inputs = [rig, viewCount, palette, faces, views, instances, sightings];
  const group = bindBuffers(device, layout, [...inputs, ...results]);
  return {
    encode(pass, count) {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(Math.ceil(count / 8));
    },
  };
}

/** The words of a whole buffer. */
export async function readWords(context: GpuContext, source: GPUBuffer): Promise<Uint32Array> {
  const { device } = context;
  const readback = device.createBuffer({
    label: `${source.label} readback`,
    size: source.size,
    usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
  });
  const encoder = device.createCommandEncoder({ label: readback.label });
  encoder.copyBufferToBuffer(source, 0, readback, 0, source.size);
  device.queue.submit([encoder.finish()]);
  await context.track(readback.mapAsync(GPUMapMode.READ));
  const words = new Uint32Array(readback.getMappedRange().slice(0));
  readback.destroy();
  return words;
}

/** Focal length in pixels from which the ground's patterns are wider than a pixel at the agent's feet. */
const patternFocal = 30;

/** Are pictures large enough for the ground's patterns? */
export function showsPatterns(rig: CameraRig): boolean {
  return tangents(rig).focal >= patternFocal;
}

/** How many tiles a pass of these views fills, from the first on. */
export function usedTiles(views: readonly ViewRequest[]): number {
  return views.reduce((most, { tile }, order) => Math.max(most, tile ?? order), 0) + 1;
}
