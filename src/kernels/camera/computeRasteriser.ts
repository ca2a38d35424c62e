// Rasterises in compute kernels: polygons of each view, then a subgroup for each strip of its picture. For drivers that run on a
// CPU, where the fixed functions of rendering are the larger part of a picture's cost.
import { bufferLayout, createKernel } from '../kernel.ts';
import { bandRows, boundPixels, paintSource, polygonLimit, polygonWords } from './kernels.ts';
import { meshKinds } from './meshes.ts';
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

/** Pixels along a side: bounds are bytes, and areas on the grid of corners stay within 31 bits. */
const longestSide = 256 * boundPixels;
/** Most views of a pass: enough for some tens of threads, and few enough that one pass is read while the next is drawn. */
const largestPass = 512;
/** A polygon's number has 13 bits (cameraPaint.wgsl). */
const largestListUnit = Math.floor(2 ** 13 / polygonLimit);
const polygonBytes = polygonWords * 4;

/** Lanes of a subgroup; undefined where the device has no subgroups, several sizes of them, or too few for eight words. */
export function subgroupLanes({ features, adapterInfo }: GPUDevice): number | undefined {
  const { subgroupMinSize: least = 0, subgroupMaxSize: most = 0 } = adapterInfo;
  return features.has('subgroups') && least === most && least >= 8 && least <= 32 ? least : undefined;
}

/**
 * How many views a pass may have.
 *
 * @throws RangeError for pictures too large, or a device without subgroups.
 */
export function computePassSize(device: GPUDevice, rig: CameraRig, most: number): PassSize {
  if (subgroupLanes(device) === undefined)
    throw new RangeError(
      'rasteriser compute: allowed are adapters with subgroups of one size, 8 to 32 lanes',
    );
  checkSides(rig, longestSide);
  const listUnit = Math.min(largestListUnit, listUnitOf(rig));
  const bindingLimit = Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize);
  const viewBytes = Math.max(listUnit * polygonLimit * polygonBytes, rig.width * rig.height * 4);
  const capacity = Math.max(1, Math.min(most, largestPass, Math.floor(bindingLimit / viewBytes)));
  return { capacity, columns: 1, rows: capacity, listUnit };
}

export class ComputeRasteriser implements Rasteriser {
  readonly #parts: CameraParts;
  readonly #shape: ShapeKernel;
  readonly #paint: GPUComputePipeline;
  readonly #group: GPUBindGroup;
  readonly #buffers: { readonly polygons: GPUBuffer; readonly counts: GPUBuffer };
  readonly #pictures: readonly GPUBuffer[];
  readonly #readbacks: ReadbackPool;

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
    const { context, rig, size } = parts;
    const labels = pictures.map(({ label }) => label);
    this.#readbacks = new ReadbackPool(context.device, labels, size.capacity * rig.width * rig.height * 4);
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
    const hasPatterns = showsPatterns(rig) ? 1 : 0;
    const [shape, paint] = await Promise.all([
      createShapeKernel(parts, 'cameraPolygons', [buffers.polygons, buffers.counts]),
      createKernel(
        context,
        'cameraPaint',
        paintSource(shaders, lanes, size.listUnit * polygonLimit),
        [layout],
        {
          hasPatterns,
          hasGeometry: geometry ? 1 : 0,
        },
      ),
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
    pass.dispatchWorkgroups(Math.ceil(this.#parts.rig.height / bandRows), views.length);
    pass.end();
  }

  #usedBytes(views: readonly ViewRequest[]): number {
    const { width, height } = this.#parts.rig;
    return usedTiles(views) * width * height * 4;
  }

  encodeReadback(encoder: GPUCommandEncoder, views: readonly ViewRequest[]): Reading {
    const readbacks = this.#readbacks.take();
    for (const [place, picture] of this.#pictures.entries())
      encoder.copyBufferToBuffer(picture, 0, readbacks[place]!, 0, this.#usedBytes(views));
    return async (images, firstView) => {
      const { width, height } = this.#parts.rig;
      const bytes = width * height * 4;
      const used = this.#usedBytes(views);
      const targets = planeBytes(images);
      await Promise.all(
        readbacks.map(async (readback, place) => {
          await this.#parts.context.track(readback.mapAsync(GPUMapMode.READ, 0, used));
          const pictures = new Uint8Array(readback.getMappedRange(0, used));
          for (const [order, { tile = order }] of views.entries())
            targets[place]!.set(
              pictures.subarray(tile * bytes, (tile + 1) * bytes),
              (firstView + order) * bytes,
            );
        }),
      );
      this.#readbacks.giveBack(readbacks);
    };
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
    for (const buffer of [...Object.values(this.#buffers), ...this.#pictures]) buffer.destroy();
    this.#readbacks.destroy();
  }
}
