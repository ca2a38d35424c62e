// What stands still, packed for the camera: things in clusters of neighbours, and which clusters each route shows.

import { type StructLayout, structLayout } from '../layout.ts';
import type { ShaderLibrary } from '../shaderLibrary.ts';
import { type FamilyName, familyPlace } from './meshes.ts';

/** `struct Thing` of shaders/common/cameraLayout.wgsl, with the family by name. */
export interface Thing {
  readonly family: FamilyName;
  /** Bits of `actorClasses` without which it is not drawn. */
  readonly needs: number;
  /** Units. */
  readonly x: number;
  readonly y: number;
  /** Packed Q14 unit vector. */
  readonly direction: number;
  readonly scale: readonly [number, number, number];
  readonly paint: number;
  readonly id: number;
  /** Of the bounding sphere, metres; its centre in units and metres above ground. */
  readonly radius: number;
  readonly middle: number;
  readonly middleX: number;
  readonly middleY: number;
  /** Metres above ground. */
  readonly height: number;
}

export interface SceneInput {
  /** [map]: what every route of the map shows. */
  readonly maps: readonly (readonly Thing[])[];
  /** [route], in the order of the world's routes: its map, and what only it shows as standing things. */
  readonly routes: readonly { readonly map: number; readonly extras: readonly Thing[] }[];
}

/** The camera's scene buffer: [RouteClusters], [Cluster], [Thing]. */
export interface CameraScene {
  readonly words: Uint32Array<ArrayBuffer>;
  /** In vectors of four words. */
  readonly clustersFirst: number;
  readonly thingsFirst: number;
}

export const clusterSize = 32;
/** Things larger than this are clustered apart, so that they do not swell the others' bounds. */
export const largeRadius = 6;
/** Edge of the cells by which things are ordered: 2^15 units, 20.48 m. */
const orderShift = 15;

/** Interleaves the bits of two small whole numbers, so that neighbours get near places. */
function interleave(column: number, row: number): number {
  let place = 0;
  for (let bit = 0; bit < 12; bit++) {
    place += ((column >> bit) & 1) * 4 ** bit + ((row >> bit) & 1) * 2 * 4 ** bit;
  }
  return place;
}

/** A place's column or row among the cells of the ordering. */
function cellOf(units: number): number {
  return Math.max(0, Math.min(4095, (units >> orderShift) + 2048));
}

function orderOf(thing: Thing): number {
  return (
    interleave(cellOf(thing.middleX), cellOf(thing.middleY)) + (thing.radius > largeRadius ? 0 : 2 ** 30)
  );
}

function middleOf(values: readonly number[]): number {
  return (Math.min(...values) + Math.max(...values)) / 2;
}

class SceneWriter {
  readonly clusters: number[][] = [];
  readonly things: Thing[] = [];
  readonly floats = new Float32Array(1);
  readonly bits = new Uint32Array(this.floats.buffer);

  /** Adds things; returns the first of their clusters and how many there are. */
  add(things: readonly Thing[]): [number, number] {
    const ordered = things
      .map((thing) => ({ thing, order: orderOf(thing) }))
      .sort((a, b) => a.order - b.order)
      .map(({ thing }) => thing);
    const first = this.clusters.length;
    for (let start = 0; start < ordered.length; start += clusterSize) {
      const members = ordered.slice(start, start + clusterSize);
      this.clusters.push(this.#bounds(members));
      this.things.push(...members);
    }
    return [first, this.clusters.length - first];
  }

  #bounds(members: readonly Thing[]): number[] {
    const x = Math.round(middleOf(members.map(({ middleX }) => middleX)));
    const y = Math.round(middleOf(members.map(({ middleY }) => middleY)));
    const z = middleOf(members.map(({ middle }) => middle));
    const reach = members.map((thing) => {
      const [dx, dy] = [(thing.middleX - x) / 1600, (thing.middleY - y) / 1600];
      return Math.hypot(dx, dy, thing.middle - z) + thing.radius;
    });
    const largest = Math.max(...members.map(({ radius }) => radius));
    return [
      x,
      y,
      this.float(Math.max(...reach)),
      this.float(z),
      this.things.length,
      members.length,
      this.float(largest),
      0,
    ];
  }

  /** The bits of a 32-bit float. */
  float(value: number): number {
    this.floats[0] = value;
    return this.bits[0]!;
  }
}

function thingWords(writer: SceneWriter, layout: StructLayout, thing: Thing): number[] {
  const members: Readonly<Record<string, number>> = {
    ...thing,
    family: familyPlace(thing.family),
    scaleX: writer.float(thing.scale[0]),
    scaleY: writer.float(thing.scale[1]),
    scaleZ: writer.float(thing.scale[2]),
    radius: writer.float(thing.radius),
    middle: writer.float(thing.middle),
    height: writer.float(thing.height),
  } as unknown as Record<string, number>;
  return layout.members.map(({ name }) => (name.startsWith('spare') ? 0 : members[name]! >>> 0));
}

/** Packs a scene for the camera. The order of routes is that of the batch's world. */
export function packScene(shaders: ShaderLibrary, input: SceneInput): CameraScene {
  const layouts = shaders('common/cameraLayout.wgsl');
  const clusterLayout = structLayout(layouts, 'Cluster');
  const thingLayout = structLayout(layouts, 'Thing');
  const writer = new SceneWriter();
  const maps = input.maps.map((things) => writer.add(things));
  const routes = input.routes.map(({ map, extras }) => [...maps[map]!, ...writer.add(extras)]);
  const clustersFirst = Math.ceil(routes.length / 2) * 2;
  const thingsFirst = Math.ceil((clustersFirst + writer.clusters.length * 2) / 4) * 4;
  const words = new Uint32Array((thingsFirst + writer.things.length * 4) * 4 + 16);
  for (const [route, range] of routes.entries()) words.set(range, route * 4);
  for (const [place, cluster] of writer.clusters.entries())
    words.set(cluster, clustersFirst * 4 + place * clusterLayout.words);
  for (const [place, thing] of writer.things.entries())
    words.set(thingWords(writer, thingLayout, thing), thingsFirst * 4 + place * thingLayout.words);
  return { words, clustersFirst, thingsFirst };
}
