// What the camera must see of a city and of an environment in it, worked out in double precision from the city's description
// and the environment's state: where each thing stands, which mesh in which size, which id. Written from the rules of
// docs/camera.md and docs/rules.md, with nothing of the tables that the camera is given.
import type { City, Route } from '../../../src/host/scenes/city.ts';
import type { EnvironmentState } from '../../../src/kernels/batchSimulator.ts';
import type { Face } from '../../../src/kernels/camera/meshBuilder.ts';
import {
  type FamilyName,
  familyMeshTable,
  familyPlace,
  meshList,
} from '../../../src/kernels/camera/meshes.ts';
import { type SegmentationClass, segmentationId } from '../../../src/kernels/camera/segmentation.ts';
import { actorFields } from '../../../src/kernels/environmentsView.ts';
import type { StructLayout } from '../../../src/kernels/layout.ts';
import { pcg } from '../../../src/kernels/random.ts';
import { actorClasses, vehicleCount } from '../../../src/kernels/world.ts';
import { unpackDirection } from '../../reference/numbers.ts';
import type { RouteWorld } from '../../reference/world.ts';
import type { Body, Box, Patch, Street, Vector } from './castRays.ts';

type Pair = readonly [x: number, y: number];

/** A mesh in the world, metres. */
interface Placing {
  readonly family: FamilyName;
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly height?: number;
  /** Where its front points; default: along x. */
  readonly ahead?: Pair;
  readonly scale?: Vector;
  /** Of limbs, radians. */
  readonly swing?: number;
}

const unit = (x: number, y: number): Pair => [x / Math.hypot(x, y), y / Math.hypot(x, y)];

/** The faces of the family's finest mesh, its limbs swung about their joints. */
function swungFaces(family: FamilyName, swing: number): Vector[][] {
  const { faces } = meshList[familyMeshTable()[familyPlace(family) * 4]!]!;
  return faces.map(({ corners, limb }: Face) =>
    corners.map(([x, y, z]): Vector => {
      if (limb === undefined) return [x, y, z];
      const joint = limb.jointCm / 100;
      const [cosine, sine] = [Math.cos(swing * limb.swing), Math.sin(swing * limb.swing)];
      return [x * cosine - (z - joint) * sine, y, joint + x * sine + (z - joint) * cosine];
    }),
  );
}

function place({
  family,
  id,
  x,
  y,
  height = 0,
  ahead = [1, 0],
  scale = [1, 1, 1],
  swing = 0,
}: Placing): Body {
  const faces = swungFaces(family, swing).map((corners) =>
    corners.map(([forward, right, up]): Vector => {
      const [f, r] = [forward * scale[0], right * scale[1]];
      return [x + ahead[0] * f - ahead[1] * r, y + ahead[1] * f + ahead[0] * r, height + up * scale[2]];
    }),
  );
  return { id, faces };
}

interface Line {
  readonly ax: number;
  readonly ay: number;
  readonly bx: number;
  readonly by: number;
}

/** A rectangle along a line of the city (cm), from `from` to `to` along it. */
function strip(line: Line, halfWidth: number, from: number, to: number, id: number, layer: number): Patch {
  const [ux, uy] = unit(line.bx - line.ax, line.by - line.ay);
  return {
    id,
    layer,
    covers(x, y) {
      const [dx, dy] = [x * 100 - line.ax, y * 100 - line.ay];
      const along = dx * ux + dy * uy;
      return along >= from && along <= to && Math.abs(dy * ux - dx * uy) <= halfWidth;
    },
  };
}

/** A flat mesh on the ground. */
function blot({ id, faces }: Body, layer: number): Patch {
  const triangles = faces.flatMap(([first, ...rest]) =>
    rest.slice(1).map((third, at) => [first!, rest[at]!, third]),
  );
  const [middleX, middleY] = faces[0]![0]!;
  const reach = Math.max(...faces.flat().map(([x, y]) => Math.hypot(x - middleX, y - middleY)));
  return {
    id,
    layer,
    covers: (x, y) =>
      Math.hypot(x - middleX, y - middleY) <= reach &&
      triangles.some((corners) => {
        const sides = corners.map(([ax, ay], edge) => {
          const [bx, by] = corners[(edge + 1) % 3]!;
          return (bx - ax) * (y - ay) - (by - ay) * (x - ax);
        });
        return sides.every((side) => side >= 0) || sides.every((side) => side <= 0);
      }),
  };
}

/** From lowest to highest. */
const layers = { sidewalk: 1, road: 2, zebra: 3, oil: 4, water: 5 } as const;

const lengthOf = ({ ax, ay, bx, by }: Line) => Math.hypot(bx - ax, by - ay);

/** Along a line of the city, and `beyond` its ends (cm). */
function pavingPatch(
  name: 'sidewalk' | 'road' | 'zebra',
  index: number,
  line: Line,
  halfWidth: number,
  beyond: number,
): Patch {
  const [from, to] = [-beyond, lengthOf(line) + beyond];
  return strip(line, halfWidth, from, to, segmentationId(name, index), layers[name]);
}

function paving(city: City): Patch[] {
  // Routes also walk where no sidewalk is: there the ground is paved, 4 m wide.
  const connectors = city.routes.flatMap(({ edges }) =>
    edges.filter(({ type, sidewalk }) => type === 'sidewalk' && sidewalk === -1),
  );
  return [
    ...city.roads.map((road, index) => pavingPatch('road', index, road, road.halfWidthCm, 0)),
    // Sidewalks go on by half their width, to the corners.
    ...city.sidewalks.map((walk, index) =>
      pavingPatch('sidewalk', index, walk, walk.halfWidthCm, walk.halfWidthCm),
    ),
    ...connectors.map(({ fromX, fromY, toX, toY }, index) => {
      const line = { ax: fromX, ay: fromY, bx: toX, by: toY };
      return pavingPatch('sidewalk', city.sidewalks.length + index, line, 200, 0);
    }),
    // Every junction is paved 9 m about.
    ...city.junctions.map(({ x, y }, index) =>
      pavingPatch('sidewalk', 8192 + index, { ax: x - 900, ay: y, bx: x + 900, by: y }, 900, 0),
    ),
    // A zebra's line runs from sidewalk to sidewalk: it is painted on the roadway alone.
    ...city.crosswalks.map((zebra, index) =>
      pavingPatch(
        'zebra',
        index,
        zebra,
        zebra.halfWidthCm,
        city.roads[zebra.road]!.halfWidthCm - lengthOf(zebra) / 2,
      ),
    ),
  ];
}

/** Beside every road, outside of it, and not within 9.3 m of its junctions: 22 cm wide and 13 cm high. */
function kerbs(city: City): Body[] {
  return city.roads.flatMap((road, index) => {
    const [ux, uy] = unit(road.bx - road.ax, road.by - road.ay);
    const length = lengthOf(road) - 2 * 930;
    if (length <= 0) return [];
    return [-1, 1].map((side) => {
      const right = side * (road.halfWidthCm + 11);
      return place({
        family: 'kerb',
        id: segmentationId('kerb', index * 2 + (side + 1) / 2),
        x: (road.ax + ux * 930 - uy * right) / 100,
        y: (road.ay + uy * 930 + ux * right) / 100,
        ahead: [ux, uy],
        scale: [length / 100, 0.22, 0.13],
      });
    });
  });
}

function furniture(city: City): Body[] {
  const names = { tree: 'tree', hydrant: 'hydrant', scooter: 'scooter', 'trash-can': 'trashCan' } as const;
  return city.furniture.map(({ kind, x, y }, index) => {
    const angle = ((pcg(index + 7) % 3600) / 1800) * Math.PI;
    return place({
      family: names[kind],
      id: segmentationId(names[kind], index),
      x: x / 100,
      y: y / 100,
      ahead: [Math.cos(angle), Math.sin(angle)],
    });
  });
}

/** Two for each zebra with signals, 2.35 m beyond its ends and 5 m away from the junction, turned a little towards it. */
function pedestrianHeads(city: City): Body[] {
  return city.crosswalks.flatMap((zebra, index) => {
    if (!zebra.signalised) return [];
    const { x, y } = city.junctions[zebra.junction]!;
    const [ux, uy] = unit(zebra.bx - zebra.ax, zebra.by - zebra.ay);
    const [middleX, middleY] = [(zebra.ax + zebra.bx) / 2, (zebra.ay + zebra.by) / 2];
    const [outX, outY] = unit(middleX - x, middleY - y);
    return [-1, 1].map((end) => {
      const reach = end * (lengthOf(zebra) / 2 + 235);
      return place({
        family: 'pedestrianSignal',
        id: segmentationId('signal', index * 2 + (end + 1) / 2),
        x: (middleX + ux * reach + outX * 500) / 100,
        y: (middleY + uy * reach + outY * 500) / 100,
        ahead: unit(-ux * end - 0.33 * outX, -uy * end - 0.33 * outY),
      });
    });
  });
}

/** One for each road at each junction with signals, 9.85 m along it and 5.45 m to the right of who drives to the junction. */
function vehicleHeads(city: City): Body[] {
  return city.junctions.flatMap((junction) => {
    if (!junction.signalised) return [];
    return junction.roads.map((index) => {
      const { ax, ay, bx, by } = city.roads[index]!;
      const isStart = ax === junction.x && ay === junction.y;
      const [ux, uy] = isStart ? unit(bx - ax, by - ay) : unit(ax - bx, ay - by);
      return place({
        family: 'vehicleSignal',
        id: segmentationId('signal', 4096 + index * 2 + (isStart ? 0 : 1)),
        x: (junction.x + ux * 1400 + uy * 545) / 100,
        y: (junction.y + uy * 1400 - ux * 545) / 100,
        ahead: [ux, uy],
      });
    });
  });
}

function distanceToLine(px: number, py: number, { ax, ay, bx, by }: Line): number {
  const [dx, dy] = [bx - ax, by - ay];
  const share = Math.max(0, Math.min(1, ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(px - ax - share * dx, py - ay - share * dy);
}

const movable = new Set(['basketball', 'soccer', 'tennis', 'box']);

/** Balls and boxes within 15 m of the route's line are its actors; the others only stand there. */
export function movables(city: City, { edges }: Route) {
  return city.groundObjects.flatMap((object, index) => {
    if (!movable.has(object.kind)) return [];
    const isActor = edges.some((edge) => distanceToLine(object.x, object.y, edge) <= 1500);
    return [{ ...object, index, isActor }];
  });
}

function sizedBall(radius: number): Pick<Placing, 'family' | 'scale'> {
  return { family: 'ball', scale: [radius, radius, radius] };
}

function sizedCrate(side: number): Pick<Placing, 'family' | 'scale'> {
  return { family: 'crate', scale: [side, side, side] };
}

/** A disc of this radius is as large as a square of this side. */
const crateSide = (radius: number) => 1.77 * radius;
const boxRadius = 0.6;
const fallingRadius = 0.3;

function movableShape(kind: string): Pick<Placing, 'family' | 'scale'> & { class: SegmentationClass } {
  if (kind === 'box') return { ...sizedCrate(crateSide(boxRadius)), class: 'crate' };
  return { ...sizedBall(kind === 'tennis' ? 0.05 : 0.12), class: 'ball' };
}

/** What lies on the ground and stays there. */
function lying(city: City, route: Route, classes: number): { bodies: Body[]; patches: Patch[] } {
  const bodies: Body[] = [];
  const patches: Patch[] = [];
  if ((classes & actorClasses.hazards) !== 0) {
    for (const [index, { kind, x, y }] of city.groundObjects.entries()) {
      const at = { x: x / 100, y: y / 100 };
      if (kind === 'bottle1' || kind === 'bottle2')
        bodies.push(place({ ...at, family: 'bottle', id: segmentationId('bottle', index) }));
      if (kind === 'oil' || kind === 'water') {
        const id = segmentationId(kind, index);
        patches.push(blot(place({ ...at, family: kind, id, scale: [0.72, 0.6, 1] }), layers[kind]));
      }
    }
  }
  if ((classes & actorClasses.objects) !== 0) {
    for (const { kind, x, y, index, isActor } of movables(city, route)) {
      if (isActor) continue;
      const { class: name, ...shape } = movableShape(kind);
      bodies.push(place({ ...shape, id: segmentationId(name, index), x: x / 100, y: y / 100 }));
    }
  }
  return { bodies, patches };
}

export interface CityEnvironment {
  readonly city: City;
  readonly route: Route;
  /** The same route, with its walking paths. */
  readonly paths: RouteWorld;
  readonly layout: StructLayout;
  readonly state: EnvironmentState;
}

/** Metres in a unit of the rules. */
const metre = 1 / 1600;

function actors({ city, route, paths, layout, state }: CityEnvironment): Body[] {
  const word = (name: string) => state.state[layout.word(name)]!;
  const slots = state.actors.length / Object.keys(actorFields).length;
  const field = (slot: number, name: keyof typeof actorFields) =>
    state.actors[actorFields[name] * slots + slot]!;
  const bodies: Body[] = [];
  const add = (slot: number, name: SegmentationClass, placing: Omit<Placing, 'id' | 'x' | 'y'>) =>
    bodies.push(
      place({
        ...placing,
        id: segmentationId(name, slot),
        x: field(slot, 'x') * metre,
        y: field(slot, 'y') * metre,
      }),
    );
  const pathAhead = (slot: number) => {
    const { x, y } = paths.segments[field(slot, 'link')]!.axis;
    return unit(x, y);
  };
  /** Limbs go through one swing on so many units of path, and hang while the walker stands. */
  const swingOf = (slot: number, cycle: number) =>
    field(slot, 'timer') > 0 ? 0 : 0.5 * Math.sin((2 * Math.PI * (field(slot, 'along') % cycle)) / cycle);

  const groups = [word('pedestrians'), word('dogs'), word('falling'), word('props'), vehicleCount];
  const props = movables(city, route).filter(({ isActor }) => isActor);
  let first = 0;
  for (const [group, count] of groups.entries()) {
    for (let slot = first; slot < first + count; slot++) {
      if ((field(slot, 'status') & 3) === 0) continue;
      if (group === 0) {
        const draw = pcg((word('seed') + Math.imul(slot, 0x9e3779b9)) >>> 0);
        const width = 0.96 + (0.1 * ((draw >>> 4) & 15)) / 15;
        const scale: Vector = [width, width, 0.94 + (0.12 * ((draw >>> 20) & 15)) / 15];
        add(slot, 'person', { family: 'person', ahead: pathAhead(slot), scale, swing: swingOf(slot, 2240) });
      } else if (group === 1) {
        add(slot, 'dog', { family: 'dog', ahead: pathAhead(slot), swing: swingOf(slot, 960) });
      } else if (group === 2) {
        const { kind } = route.fallingObjects[field(slot, 'link')]!;
        const isBall = kind === 'basketball' || kind === 'soccer';
        const shape = isBall ? sizedBall(fallingRadius) : sizedCrate(crateSide(fallingRadius));
        add(slot, 'falling', { ...shape, height: field(slot, 'along') * metre });
      } else if (group === 3) {
        const { class: name, ...shape } = movableShape(props[slot - first]!.kind);
        add(slot, name, shape);
      } else {
        const { x, y } = unpackDirection(field(slot, 'link') >>> 0);
        add(slot, 'car', { family: 'car', ahead: unit(x, y) });
      }
    }
    first += count;
  }
  return bodies;
}

function buildings(city: City): Box[] {
  return city.buildings.map(({ minX, minY, maxX, maxY, heightCm }, index) => ({
    id: segmentationId('building', index),
    low: [minX / 100, minY / 100, 0],
    high: [maxX / 100, maxY / 100, heightCm / 100],
  }));
}

const standing = new WeakMap<City, readonly Body[]>();

/** What stands in a city in all its environments. */
function standingBodies(city: City): readonly Body[] {
  const bodies = standing.get(city) ?? [
    ...kerbs(city),
    ...furniture(city),
    ...pedestrianHeads(city),
    ...vehicleHeads(city),
  ];
  standing.set(city, bodies);
  return bodies;
}

/** All that can be seen in an environment. */
export function cityStreet(environment: CityEnvironment): Street {
  const { city, route, layout, state } = environment;
  const { bodies, patches } = lying(city, route, state.state[layout.word('classes')]!);
  return {
    bodies: [...standingBodies(city), ...bodies, ...actors(environment)],
    boxes: buildings(city),
    patches: [...paving(city), ...patches],
  };
}
