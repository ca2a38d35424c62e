// Rasterises in compute kernels: polygons of each view, then a subgroup for each strip of its picture. For drivers that run on a
// CPU, where the fixed functions of rendering are the larger part of a picture's cost.
import { bufferLayout, createKernel } from '../kernel.ts';
import { boundPixels, paintSource, polygonLimit, polygonWords, stripRows } from './kernels.ts';
import { meshKinds } from './meshes.ts';
import {
  bindBuffers,
  type CameraParts,
  checkSides,
  createShapeKernel,
  type Images,
  listUnitOf,
  type PassSize,
  planeBytes,
  planes,
  type Rasteriser,
  readWords,
  type ShapeKernel,
  showsPatterns,
  usedTiles,
  type ViewRequest,
} from './rasteriser.ts';
import type { CameraRig } from './rig.ts';

/** Pixels along a side: bounds are bytes, and areas on the grid of corners stay within 31 bits. */
const longestSide = 256 * boundPixels;
/** Most polygons of a strip. */
const largestStrip = 4096;
/** A polygon's number has 14 bits (cameraPaint.wgsl). */
const largestListUnit = Math.floor(2 ** 14 / polygonLimit);
const polygonBytes = polygonWords * 4;

/** Lanes of a subgroup; undefined where the device has no subgroups, or several sizes of them. */
export function subgroupLanes({ features, adapterInfo }: GPUDevice): number | undefined {
  const { subgroupMinSize: least = 0, subgroupMaxSize: most = 0 } = adapterInfo;
  return features.has('subgroups') && least === most && least >= 4 && least <= 32 ? least : undefined;
}

/**
 * How many views a pass may have.
 *
 * @throws RangeError for pictures too large, or a device without subgroups.
 */
export function computePassSize(device: GPUDevice, rig: CameraRig, most: number): PassSize {
  if (subgroupLanes(device) === undefined)
    throw new RangeError(
      'rasteriser compute: allowed are adapters with subgroups of one size, 4 to 32 lanes',
    );
  checkSides(rig, longestSide);
  const listUnit = Math.min(largestListUnit, listUnitOf(rig));
  const bindingLimit = Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize);
  const viewBytes = Math.max(listUnit * polygonLimit * polygonBytes, rig.width * rig.height * 4);
  const capacity = Math.max(1, Math.min(most, Math.floor(bindingLimit / viewBytes)));
  return { capacity, columns: 1, rows: capacity, listUnit };
}

export class ComputeRasteriser implements Rasteriser {
  readonly #parts: CameraParts;
  readonly #shape: ShapeKernel;
  readonly #paint: GPUComputePipeline;
  readonly #group: GPUBindGroup;
  readonly #buffers: { readonly polygons: GPUBuffer; readonly counts: GPUBuffer };
  readonly #pictures: readonly GPUBuffer[];
  readonly #readbacks: readonly GPUBuffer[];

  private constructor(
    parts: CameraParts,
    shape: ShapeKernel,
    paint: GPUComputePipeline,
    group: GPUBindGroup,
    buffers: { readonly polygons: GPUBuffer; readonly counts: GPUBuffer },
    pictures: readonly GPUBuffer[],
  ) {
    this.#parts = parts;
    this.#shape = shape;
    this.#paint = paint;
    this.#group = group;
    this.#buffers = buffers;
    this.#pictures = pictures;
    this.#readbacks = pictures.map(({ label, size }) =>
      parts.context.device.createBuffer({
        label: `${label} readback`,
        size,
        usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
      }),
    );
  }

  static async create(parts: CameraParts): Promise<ComputeRasteriser> {
    const { context, shaders, rig, size, geometry } = parts;
    const { device } = context;
    const create = (label: string, bytes: number) =>
      device.createBuffer({
        label: `camera ${label}`,
        size: bytes,
        usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC,
      });
    const buffers = {
      polygons: create('polygons', size.capacity * size.listUnit * polygonLimit * polygonBytes),
      counts: create('numbers of polygons', size.capacity * 16),
    };
    const bytes = size.capacity * rig.width * rig.height * 4;
    const pictures = planes.slice(0, geometry ? 3 : 1).map(({ name }) => create(name, bytes));
    const targets = planes.map(({ name }, place) => pictures[place] ?? create(`no ${name}`, 16));
    const layout = bufferLayout(device, 'camera paint', [
      'uniform',
      'read-only-storage',
      'read-only-storage',
      'uniform',
      'read-only-storage',
      'read-only-storage',
      'storage',
      'storage',
      'storage',
    ]);
    const lanes = subgroupLanes(device)!;
    const share = Math.min(largestStrip, size.listUnit * polygonLimit) / lanes;
    const hasPatterns = showsPatterns(rig) ? 1 : 0;
    const [shape, paint] = await Promise.all([
      createShapeKernel(parts, 'cameraPolygons', [buffers.polygons, buffers.counts]),
      createKernel(context, 'cameraPaint', paintSource(shaders, lanes, share), [layout], {
        lanes,
        hasPatterns,
        hasGeometry: geometry ? 1 : 0,
      }),
    ]);
    const { rig: rigRecord, views, instances, requests } = parts.buffers;
    const inputs = [rigRecord, views, instances, requests, buffers.polygons, buffers.counts];
    const group = bindBuffers(device, layout, [...inputs, ...targets]);
    return new ComputeRasteriser(parts, shape, paint, group, buffers, pictures);
  }

  encode(encoder: GPUCommandEncoder, views: readonly ViewRequest[]): void {
    const pass = encoder.beginComputePass({ label: 'camera painting' });
    this.#shape.encode(pass, views.length);
    pass.setPipeline(this.#paint);
    pass.setBindGroup(0, this.#group);
    pass.dispatchWorkgroups(Math.ceil(this.#parts.rig.height / stripRows), views.length);
    pass.end();
  }

  #usedBytes(views: readonly ViewRequest[]): number {
    const { width, height } = this.#parts.rig;
    return usedTiles(views) * width * height * 4;
  }

  encodeReadback(encoder: GPUCommandEncoder, views: readonly ViewRequest[]): void {
    for (const [place, picture] of this.#pictures.entries())
      encoder.copyBufferToBuffer(picture, 0, this.#readbacks[place]!, 0, this.#usedBytes(views));
  }

  async read(views: readonly ViewRequest[], firstView: number, images: Images): Promise<void> {
    const { width, height } = this.#parts.rig;
    const bytes = width * height * 4;
    const used = this.#usedBytes(views);
    const targets = planeBytes(images);
    await Promise.all(
      this.#readbacks.map(async (readback, place) => {
        await this.#parts.context.track(readback.mapAsync(GPUMapMode.READ, 0, used));
        const pictures = new Uint8Array(readback.getMappedRange(0, used));
        for (const [order, { tile = order }] of views.entries())
          targets[place]!.set(
            pictures.subarray(tile * bytes, (tile + 1) * bytes),
            (firstView + order) * bytes,
          );
        readback.unmap();
      }),
    );
  }

  async countPrimitives(viewCount: number): Promise<number[]> {
    const words = await readWords(this.#parts.context, this.#buffers.counts);
    return meshKinds.map((_, list) => {
      let sum = 0;
      for (let view = 0; view < viewCount; view++) sum += words[view * meshKinds.length + list]!;
      return sum;
    });
  }

  destroy(): void {
    for (const buffer of [...Object.values(this.#buffers), ...this.#pictures, ...this.#readbacks])
      buffer.destroy();
  }
}
