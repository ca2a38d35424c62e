// Depth and segmentation of whole cities, with people, dogs, cars and objects in the middle of episodes, against rays cast on
// the CPU at sampled pixels.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { City, Route } from '../../../src/host/scenes/city.ts';
import type { BatchSimulator, EnvironmentState } from '../../../src/kernels/batchSimulator.ts';
import type { Camera } from '../../../src/kernels/camera/camera.ts';
import type { ViewRequest } from '../../../src/kernels/camera/rasteriser.ts';
import { publishedRig } from '../../../src/kernels/camera/rig.ts';
import {
  type SegmentationClass,
  segmentationClasses,
  segmentationClassOf,
} from '../../../src/kernels/camera/segmentation.ts';
import { actorFields } from '../../../src/kernels/environmentsView.ts';
import { actorClasses } from '../../../src/kernels/world.ts';
import { presentSoftwareAdapters } from '../../host/adapters/softwareAdapters.ts';
import { direction, packDirection, wrapHeading } from '../../reference/numbers.ts';
import { decodeRoute } from '../../reference/world.ts';
import {
  bundledCity,
  type CameraWorld,
  openCameraWorld,
  openingTimeout,
  rasterisersOf,
} from './analyticScene.ts';
import { type Hit, RayCaster, type Vector } from './castRays.ts';
import { cityStreet, movables } from './cityStreet.ts';

const cities = ['rt10', 'rt20'].map(bundledCity);
const routes = cities.flatMap((city) => city.routes.map((route) => ({ city, route })));
const envCount = routes.length;

/** Moves, turns and waits (codes of struct Decision) of the environments in turn: through junctions, on and off the road. */
const walks = [
  [5, 5, 5, 5, 5, 5, 5, 5],
  [5, 5, 11, 5, 5, 14, 5],
  [5, 13, 4, 4, 10, 5, 5, 5],
  [15, 7, 5, 6, 5, 5],
];
const decisions = 8;

/** Degrees of the cameras against the agents' headings, in turn. */
const turns = [0, 70, -70, 12.3, 180];

/** One of them odd, each with another rasteriser where there are two. Much smaller pictures have no room for the finest meshes of everything (docs/camera.md). */
const sizes = [
  { width: 333, height: 217 },
  { width: 360, height: 320 },
] as const;
type Size = (typeof sizes)[number];

/** Every so many columns and rows are looked at. */
const spacing = { columns: 13, rows: 7 };
/** A pixel is off the silhouettes when rays so many pixels to each side of its middle meet the same thing. */
const asides = [1 / 16, 1 / 4];
const besides = asides.flatMap((aside) =>
  [-aside, aside].flatMap((dx) => [-aside, aside].map((dy) => [dx, dy] as const)),
);
/** Pixels of each class that are to be compared at least, over all sizes. */
const fewestOfEachClass = 5;
/** Most pixels that may be left out as silhouettes. */
const largestShareBesideSilhouettes = 0.08;
/**
 * Depths may be so much off: a share, and for meshes some millimetres too, since their corners are kept to 1/2048 m and the
 * sine of a limb's swing is a short sum.
 */
const depthShare = 0.001;
const meshMetres = 0.003;
const withoutMesh: ReadonlySet<SegmentationClass> = new Set([
  'building',
  ...(['ground', 'road', 'sidewalk', 'zebra', 'oil', 'water'] as const),
]);

interface Eye {
  readonly at: Vector;
  readonly right: Vector;
  readonly up: Vector;
  readonly forward: Vector;
}

function combine(...parts: readonly (readonly [factor: number, vector: Vector])[]): Vector {
  const along = (axis: 0 | 1 | 2) => parts.reduce((sum, [factor, vector]) => sum + factor * vector[axis], 0);
  return [along(0), along(1), along(2)];
}

const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** RT-SAFE protocol §5: 2.45 m above the ground, looking 25 degrees down, 100 degrees wide. */
function eyeOf(x: number, y: number, heading: number): Eye {
  const unit = direction(wrapHeading(heading));
  const length = Math.hypot(unit.x, unit.y);
  const ahead: Vector = [unit.x / length, unit.y / length, 0];
  const above: Vector = [0, 0, 1];
  const down = (25 * Math.PI) / 180;
  return {
    at: [x / 1600, y / 1600, 2.45],
    right: [-ahead[1], ahead[0], 0],
    up: combine([Math.sin(down), ahead], [Math.cos(down), above]),
    forward: combine([Math.cos(down), ahead], [-Math.sin(down), above]),
  };
}

function focalOf({ width }: Size): number {
  return width / 2 / Math.tan((50 * Math.PI) / 180);
}

/** One metre deep, through a place of the picture. */
function rayThrough(eye: Eye, size: Size, column: number, row: number): Vector {
  const focal = focalOf(size);
  const [right, up] = [(column - size.width / 2) / focal, (size.height / 2 - row) / focal];
  return combine([1, eye.forward], [right, eye.right], [up, eye.up]);
}

/** Pixels of a skewed grid, and those in which middles of things lie, hidden or not, so that none is missed. */
function* samples(eye: Eye, size: Size, middles: readonly Vector[]): Generator<readonly [number, number]> {
  const { width, height } = size;
  for (let row = 3; row < height; row += spacing.rows) {
    for (let column = (row * 5) % spacing.columns; column < width; column += spacing.columns)
      yield [column, row];
  }
  const focal = focalOf(size);
  for (const middle of middles) {
    const depth = dot(middle, eye.forward);
    if (depth < 0.5) continue;
    const column = Math.floor(width / 2 + (focal * dot(middle, eye.right)) / depth);
    const row = Math.floor(height / 2 - (focal * dot(middle, eye.up)) / depth);
    if (column >= 0 && column < width && row >= 0 && row < height) yield [column, row];
  }
}

const describeId = (id: number) => `${segmentationClassOf(id)} ${id >>> 8}`;

/** What comparisons found, over any number of views. */
class Comparison {
  readonly wrong: string[] = [];
  /** Pixels compared, by class. */
  readonly compared = new Map<SegmentationClass, number>();
  looked = 0;
  besideSilhouettes = 0;

  add(where: string, middle: Hit, around: readonly Hit[], depth: number, id: number): void {
    this.looked++;
    if (around.some(({ ids }) => ids.join() !== middle.ids.join())) {
      this.besideSilhouettes++;
      return;
    }
    const name = segmentationClassOf(middle.ids[0]!);
    this.compared.set(name, (this.compared.get(name) ?? 0) + 1);
    if (!middle.ids.includes(id)) {
      this.wrong.push(`${where}: found ${describeId(id)}, cast ${middle.ids.map(describeId).join(' or ')}`);
      return;
    }
    // Corners are snapped to 1/16 pixel: beside an edge between two faces of a thing, the depth is one of both.
    const isOnOneFace = around.every(({ face }) => face === middle.face);
    const depths = isOnOneFace ? [middle.depth] : around.map((hit) => hit.depth);
    const metres = withoutMesh.has(name) ? 0 : meshMetres;
    const off = Math.max(Math.min(...depths) - depth, depth - Math.max(...depths));
    if (off > Math.max(depthShare * middle.depth, metres))
      this.wrong.push(`${where}: ${describeId(id)} at ${depth} m, cast ${middle.depth} m`);
  }
}

/** Tells a state's members by name. */
function memberOf(batch: BatchSimulator, { state }: EnvironmentState, name: string): number {
  return state[batch.stateLayout.word(name)]! | 0;
}

interface Staged {
  /** Members of EnvState that count the slots before the actor's. */
  readonly after: readonly string[];
  /** Metres from the agent. */
  readonly ahead: number;
  readonly right: number;
  readonly fields: Partial<Record<keyof typeof actorFields, number>>;
}

/** Puts an actor near the agent, in a state in which it might be there. */
function stage(batch: BatchSimulator, read: EnvironmentState, { after, ahead, right, fields }: Staged): void {
  const member = (name: string) => memberOf(batch, read, name);
  const slot = after.reduce((sum, name) => sum + member(name), 0);
  const unit = direction(member('heading'));
  const scale = 1600 / 16384;
  const values = {
    x: member('x') + Math.round((unit.x * ahead - unit.y * right) * scale),
    y: member('y') + Math.round((unit.y * ahead + unit.x * right) * scale),
    ...fields,
  };
  const slots = read.actors.length / Object.keys(actorFields).length;
  for (const [name, value] of Object.entries(values))
    read.actors[actorFields[name as keyof typeof actorFields] * slots + slot] = value;
}

/** What seldom comes near: a car across the way, something in its fall, a dog, a ball or a box that was pushed. */
function stageActors(batch: BatchSimulator, read: EnvironmentState): void {
  const across = packDirection(direction(wrapHeading(memberOf(batch, read, 'heading') + 700)));
  const walkers = ['pedestrians', 'dogs'];
  const stages: readonly Staged[] = [
    { after: [...walkers, 'falling', 'props'], ahead: 9, right: 2, fields: { link: across, status: 2 } },
    { after: walkers, ahead: 4, right: -1, fields: { along: 2000, status: 1 | (2 << 4) } },
    { after: ['pedestrians'], ahead: 3, right: 1.2, fields: { along: 1234, status: 1, timer: 0 } },
    { after: [...walkers, 'falling'], ahead: 2.5, right: -0.5, fields: { status: 5 } },
  ];
  for (const actor of stages) stage(batch, read, actor);
}

/** Small things of a city, of which walks lead past few. */
function sightsOf(city: City, route: Route): { x: number; y: number }[] {
  const first = (kind: string) =>
    [...city.groundObjects, ...city.furniture].find((thing) => thing.kind === kind);
  const far = movables(city, route).filter(({ isActor }) => !isActor);
  const zebras = city.crosswalks.map(({ ax, ay, bx, by }) => ({ x: (ax + bx) / 2, y: (ay + by) / 2 }));
  const sights = [
    ...['bottle1', 'water', 'oil', 'scooter'].map(first),
    ...far.slice(0, 2),
    ...zebras.slice(0, 2),
  ];
  return sights.flatMap((sight) => (sight === undefined ? [] : [sight]));
}

/** Puts the agent 2.5 m before a sight (cm), looking a little past it, at the first heading at which it is in no building. */
function moveBefore(
  batch: BatchSimulator,
  read: EnvironmentState,
  city: City,
  sight: { x: number; y: number },
) {
  for (let heading = 70; heading < 3600; heading += 450) {
    const { x, y } = direction(heading);
    const [eyeX, eyeY] = [sight.x - (250 * x) / 16384, sight.y - (250 * y) / 16384];
    const isInside = city.buildings.some(
      ({ minX, minY, maxX, maxY }) => eyeX > minX && eyeX < maxX && eyeY > minY && eyeY < maxY,
    );
    if (isInside) continue;
    const values = { x: Math.round(eyeX * 16), y: Math.round(eyeY * 16), heading: heading + 80 };
    for (const [name, value] of Object.entries(values)) read.state[batch.stateLayout.word(name)] = value;
    return;
  }
}

/** A view, and the eye and the rays of it. */
interface LookedAt {
  readonly name: string;
  readonly request: ViewRequest;
  readonly eye: Eye;
  readonly caster: RayCaster;
}

describe.each(presentSoftwareAdapters)('%s', (adapter) => {
  let world: CameraWorld;
  const views: LookedAt[] = [];
  const compared = new Map<SegmentationClass, number>();

  async function lookAt(env: number, turnDegrees: number): Promise<void> {
    const { batch } = world;
    const state = await batch.readEnvironment(env);
    const member = (name: string) => memberOf(batch, state, name);
    const { city, route } = routes[member('route')]!;
    const paths = decodeRoute(batch.world, member('route'));
    const eye = eyeOf(member('x'), member('y'), member('heading') + Math.round(turnDegrees * 10));
    const street = cityStreet({ city, route, paths, layout: batch.stateLayout, state });
    const caster = new RayCaster(street, eye.at);
    views.push({
      name: `${city.name}:${route.id}, environment ${env} turned by ${turnDegrees}`,
      request: { env, turnDegrees },
      eye,
      caster,
    });
  }

  beforeAll(async () => {
    world = await openCameraWorld(cities, envCount, 63, adapter);
    const { batch } = world;
    for (let decision = 0; decision < decisions; decision++) {
      for (let env = 0; env < envCount; env++) {
        const walk = walks[env % walks.length]!;
        batch.decide(env, walk[decision % walk.length]!, 10 * env);
      }
      await batch.advance();
    }
    // A third as their walks left them, a third with staged actors, a third before sights, of which one city has no hazards
    // and no objects.
    const { hazards, objects } = actorClasses;
    for (let env = 0; env < envCount; env++) {
      const read = await batch.readEnvironment(env);
      const { city, route } = routes[env]!;
      const sights = sightsOf(city, route);
      if (env % 3 === 1) stageActors(batch, read);
      if (env % 3 === 2) moveBefore(batch, read, city, sights[((env - 2) / 3) % sights.length]!);
      if (env === 0) read.state[batch.stateLayout.word('classes')]! &= ~(hazards | objects);
      batch.restoreEnvironment(env, read);
      await lookAt(env, env % 3 === 0 ? turns[(env / 3) % turns.length]! : 0);
    }
  }, openingTimeout);

  afterAll(async () => {
    await world?.close();
  });

  async function compare(camera: Camera, size: Size): Promise<Comparison> {
    const comparison = new Comparison();
    const images = await camera.render(views.map(({ request }) => request));
    for (const [view, { name, eye, caster }] of views.entries()) {
      const cast = (column: number, row: number) => caster.cast(rayThrough(eye, size, column, row));
      for (const [column, row] of samples(eye, size, caster.directions)) {
        const middle = cast(column + 0.5, row + 0.5);
        const around = besides.map(([dx, dy]) => cast(column + 0.5 + dx, row + 0.5 + dy));
        const at = (view * size.height + row) * size.width + column;
        const where = `${name}, pixel ${column},${row}`;
        comparison.add(where, middle, [middle, ...around], images.depth![at]!, images.segmentation![at]!);
      }
    }
    return comparison;
  }

  const lastRasteriser = rasterisersOf(adapter).at(-1)!;
  test.each(
    sizes.map((size, place) => ({ ...size, rasteriser: place === 0 ? lastRasteriser : 'hardware' }) as const),
  )(
    '$width x $height, $rasteriser: depth within 0.1 %, class and id the same off the silhouettes',
    {
      timeout: openingTimeout,
    },
    async (size) => {
      // The finest meshes, down to less than a pixel.
      const camera = await world.camera({
        geometry: true,
        rig: { ...publishedRig, width: size.width, height: size.height },
        rasteriser: size.rasteriser,
        detail: 1000,
        leastRadiusPixels: 0.1,
      });
      const comparison = await compare(camera, size);
      await camera.destroy();
      expect(comparison.wrong).toEqual([]);
      expect(comparison.looked).toBeGreaterThan(5000);
      expect(comparison.besideSilhouettes / comparison.looked).toBeLessThan(largestShareBesideSilhouettes);
      for (const [name, count] of comparison.compared) compared.set(name, (compared.get(name) ?? 0) + count);
    },
  );

  test('pixels of every class were compared', () => {
    const seldom = Object.keys(segmentationClasses).filter(
      (name) => (compared.get(name as SegmentationClass) ?? 0) < fewestOfEachClass,
    );
    expect(seldom).toEqual([]);
  });
});
